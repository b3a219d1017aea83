"""What others left is brought in once: submitted, or found to be there, and remembered until it is stable."""

from __future__ import annotations

from liven.liveobjects.channel.history import Operation
from liven.liveobjects.channel.history.retention import MARKS_MOST
from liven.liveobjects.channel.ordering import ChannelBusyError
from liven.liveobjects.channel.replica.orphaned_operations import OrphanedOperations, resubmission_warning

ANN, BOB = b"a" * 16, b"b" * 16
THREE = [Operation(ANN, 1, b"1"), Operation(ANN, 2, b"2"), Operation(BOB, 7, b"7")]


def test_what_is_in_no_history_is_taken_out_in_order() -> None:
    orphans = OrphanedOperations(THREE)
    assert list(orphans.missing({ANN: 1}, {}, 10)) == THREE[1:]
    assert orphans.all == THREE[:1]


def test_what_is_there_is_missed_again_when_another_history_goes_on() -> None:
    orphans = OrphanedOperations(THREE)
    assert list(orphans.missing({ANN: 2, BOB: 7}, {}, 10)) == []
    orphans.stable(9)
    assert list(orphans.missing({ANN: 2}, {}, 8)) == THREE[2:]


def test_what_is_stable_is_let_go() -> None:
    orphans = OrphanedOperations(THREE)
    orphans.missing({ANN: 2, BOB: 7}, {}, 10)
    orphans.stable(10)
    assert not orphans.all


def test_what_is_in_a_branch_stays_there() -> None:
    orphans = OrphanedOperations(THREE)
    assert list(orphans.missing({}, {ANN: 2}, 0)) == THREE[2:]
    assert not orphans.all


def test_what_is_missing_is_submitted_in_its_order_and_what_finds_no_room_is_taken_back() -> None:
    orphans, submitted = OrphanedOperations(THREE), list[bytes]()

    def submit(payload: bytes) -> None:
        if len(submitted) == 2:
            raise ChannelBusyError("2 wait")
        submitted.append(payload)

    orphans.bring_in(orphans.missing({}, {}, 0), submit)
    assert submitted == [b"1", b"2"]
    assert list(orphans.all) == THREE[2:]


def test_what_may_be_there_twice_is_told_and_what_is_certain_is_not() -> None:
    many = {number.to_bytes(16, "big"): 1 for number in range(MARKS_MOST)}
    assert resubmission_warning(0, many, ANN) is None
    assert resubmission_warning(3, {BOB: 1}, ANN) is None
    assert resubmission_warning(3, {**many, ANN: 1}, ANN) is None
    told = resubmission_warning(3, many, ANN)
    assert told is not None
    assert "3 operations" in told[0]
