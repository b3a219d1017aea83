"""The texts about a comparison."""

from __future__ import annotations

import pytest

from liven.liveobjects.channel.history import Recovery, Voter
from liven.liveobjects.channel.ordering import EntryKind, Seat
from liven.liveobjects.channel.replica.comparison.agreement import Finding, Result
from liven.liveobjects.channel.replica.comparison.mismatch_texts import mismatch_text

SEATS = [
    Seat(node, author * 16, Voter(author * 16), EntryKind.STAYS, True, Recovery.NOTHING, 0)
    for node, author in enumerate((b"a", b"b", b"c"), 1)
]
SILENT = {Finding.AGREED, Finding.WE_ORDER_OTHERWISE}
"""Findings without a text: the first needs none, and the second is reported where the member rejoins."""


@pytest.mark.parametrize("finding", list(Finding))
def test_each_difference_is_reported_with_its_place_and_consequence(finding: Finding) -> None:
    told = mismatch_text(Result(finding, 3000, (b"b" * 16,)), SEATS)
    assert (told is None) == (finding in SILENT)
    if told is not None:
        what, advice = told
        assert "after 3000 operations" in what
        assert advice


@pytest.mark.parametrize("finding", [Finding.OTHERS_DIFFER, Finding.ANOTHER_ORDER])
def test_the_text_names_the_member_that_differs(finding: Finding) -> None:
    told = mismatch_text(Result(finding, 3000, (b"b" * 16,)), SEATS)
    assert told is not None
    assert (
        told[0]
        .removeprefix("the state of ")
        .removeprefix("the order of operations of ")
        .startswith("member 2 differs")
    )


def test_several_members_are_named_in_the_order_of_their_seats() -> None:
    told = mismatch_text(Result(Finding.OTHERS_DIFFER, 3000, (b"c" * 16, b"a" * 16)), SEATS)
    assert told is not None
    assert told[0].startswith("the state of member 1 and member 3 differs")
