"""The warning about operations that may be in the history twice."""

from __future__ import annotations

from liven.liveobjects.channel.history import Operation
from liven.liveobjects.channel.history.retention import MARKS_MOST
from liven.liveobjects.channel.replica.resubmission import resubmission_warning

ANN, BOB = b"a" * 16, b"b" * 16
THREE = [Operation(ANN, number, b"") for number in (1, 2, 3)]
MANY = {number.to_bytes(16, "big"): 1 for number in range(MARKS_MOST)}


def test_possible_duplicates_are_reported() -> None:
    told = resubmission_warning(THREE, MANY, MARKS_MOST)
    assert told is not None
    assert "3 old operations" in told[0]


def test_there_is_no_warning_where_nothing_can_be_there_twice() -> None:
    assert resubmission_warning([], MANY, MARKS_MOST) is None
    assert resubmission_warning(THREE, {BOB: 1}, MARKS_MOST) is None
    assert resubmission_warning(THREE, {**MANY, ANN: 1}, MARKS_MOST) is None
    assert resubmission_warning(THREE, MANY, MARKS_MOST - 1) is None, "too few came to forget an author"
