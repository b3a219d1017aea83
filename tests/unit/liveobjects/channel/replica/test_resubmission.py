"""Operations of a history that lost: what becomes a branch, and the warning about what may be there twice."""

from __future__ import annotations

import pytest

from liven.liveobjects.channel.history import BEGINNING, Operation, Recovery, Voter
from liven.liveobjects.channel.history.retention import MARKS_MOST
from liven.liveobjects.channel.ordering import EntryKind, Installed, Seat
from liven.liveobjects.channel.replica.resubmission import becomes_branch, resubmission_warning

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


def installed(recovery: Recovery, *, copied: bool, **marks: int) -> Installed:
    """Return a view of Ann, whose disk may have been put back, in which a history with these marks won."""
    voter = Voter(ANN, (BOB,) if copied else ())
    seat = Seat(1, ANN, voter, EntryKind.STAYS, True, Recovery.NOTHING, 0)
    known = {name.encode() * 16: number for name, number in marks.items()}
    return Installed(
        view_id=b"v" * 16,
        seats=(seat,),
        me=0,
        position=BEGINNING,
        main=True,
        epochs=(),
        marks=known,
        begins=True,
        recovery=recovery,
        included=range(0),
        branched=range(0),
    )


@pytest.mark.parametrize("copied", [False, True])
def test_what_was_confirmed_becomes_a_branch_and_what_is_there_does_not(*, copied: bool) -> None:
    assert becomes_branch(installed(Recovery.BRANCH, copied=copied), {}, [])
    assert not becomes_branch(installed(Recovery.NOTHING, copied=copied), {BOB: 3}, [])
    assert becomes_branch(installed(Recovery.SUBMIT_AGAIN, copied=copied), {BOB: 3}, []) is copied


def test_operations_that_their_authors_bring_again_are_in_no_branch() -> None:
    won = installed(Recovery.SUBMIT_AGAIN, copied=True, b=3)
    assert not becomes_branch(won, {ANN: 9, BOB: 3}, [])
    assert becomes_branch(won, {ANN: 9, BOB: 4}, [])
    assert not becomes_branch(won, {ANN: 9, BOB: 4}, [Operation(BOB, 4, b"")])


def test_what_a_former_life_did_after_its_log_was_copied_is_in_a_branch() -> None:
    won = installed(Recovery.SUBMIT_AGAIN, copied=True)
    assert becomes_branch(won, {BOB: 4}, [Operation(BOB, number, b"") for number in (1, 2, 3)])
