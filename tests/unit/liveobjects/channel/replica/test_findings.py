"""What is told of a comparison."""

from __future__ import annotations

import pytest

from liven.liveobjects.channel.replica.agreement import Finding, Result
from liven.liveobjects.channel.replica.findings import words

SILENT = {Finding.AGREED, Finding.WE_ORDER_OTHERWISE}
"""The first needs no word; the second is told where the member joins anew."""


@pytest.mark.parametrize("finding", list(Finding))
def test_whatever_differs_is_told_with_its_place_and_what_follows(finding: Finding) -> None:
    told = words(Result(finding, 3000), "member 2")
    assert (told is None) == (finding in SILENT)
    if told is not None:
        what, advice = told
        assert "after 3000 operations" in what
        assert advice


@pytest.mark.parametrize("finding", [Finding.OTHERS_DIFFER, Finding.ANOTHER_ORDER])
def test_who_differs_is_named(finding: Finding) -> None:
    told = words(Result(finding, 3000), "member 2")
    assert told is not None
    assert told[0].startswith("member 2 has another")
