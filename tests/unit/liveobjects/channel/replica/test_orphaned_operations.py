"""Orphaned operations are submitted once, or found in the history and remembered until they are stable."""

from __future__ import annotations

from liven.liveobjects.channel.history import Operation
from liven.liveobjects.channel.history.retention import MARKS_MOST
from liven.liveobjects.channel.ordering import ChannelBusyError
from liven.liveobjects.channel.replica.orphaned_operations import OrphanedOperations, resubmission_warning

ANN, BOB = b"a" * 16, b"b" * 16
THREE = [Operation(ANN, 1, b"1"), Operation(ANN, 2, b"2"), Operation(BOB, 7, b"7")]


def test_operations_in_no_history_are_returned_in_order() -> None:
    orphans = OrphanedOperations(THREE)
    assert list(orphans.missing({ANN: 1}, {}, 10)) == THREE[1:]
    assert orphans.all == THREE[:1]


def test_operations_are_missing_again_when_another_history_wins() -> None:
    orphans = OrphanedOperations(THREE)
    assert list(orphans.missing({ANN: 2, BOB: 7}, {}, 10)) == []
    orphans.stable(9)
    assert list(orphans.missing({ANN: 2}, {}, 8)) == THREE[2:]


def test_stable_operations_are_dropped() -> None:
    orphans = OrphanedOperations(THREE)
    orphans.missing({ANN: 2, BOB: 7}, {}, 10)
    orphans.stable(10)
    assert not orphans.all


def test_operations_in_a_branch_are_not_submitted() -> None:
    orphans = OrphanedOperations(THREE)
    assert list(orphans.missing({}, {ANN: 2}, 0)) == THREE[2:]
    assert not orphans.all


def test_missing_operations_are_submitted_in_order_while_there_is_room() -> None:
    orphans, submitted = OrphanedOperations(THREE), list[bytes]()

    def submit(payload: bytes) -> None:
        if len(submitted) == 2:
            raise ChannelBusyError("2 wait")
        submitted.append(payload)

    orphans.submit_missing(orphans.missing({}, {}, 0), submit)
    assert submitted == [b"1", b"2"]
    assert list(orphans.all) == THREE[2:]


def test_possible_duplicates_are_reported() -> None:
    many = {number.to_bytes(16, "big"): 1 for number in range(MARKS_MOST)}
    assert resubmission_warning(0, many, ANN) is None
    assert resubmission_warning(3, {BOB: 1}, ANN) is None
    assert resubmission_warning(3, {**many, ANN: 1}, ANN) is None
    told = resubmission_warning(3, many, ANN)
    assert told is not None
    assert "3 old operations" in told[0]
