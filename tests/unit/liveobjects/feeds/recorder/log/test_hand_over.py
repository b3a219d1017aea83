"""The hand-over never waits: what finds no room becomes a gap that names the numbers."""

from __future__ import annotations

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.feeds.record import GAP, Record
from liven.liveobjects.feeds.recorder.log.hand_over import TOO_SLOW, HandOver, Position, Rows


def rows(first: int, last: int, channel: str = "c", size: int = 10) -> Rows:
    made = [Record(1, 1, "o", channel, "a", "t", number, 0, b"x" * size) for number in range(first, last + 1)]
    return Rows("o", channel, lambda: made, first, Position(last, b"h"), len(made), size * len(made))


def taken(hand_over: HandOver) -> list[tuple[str, int, int]]:
    """Return what the writing thread gets: the channel, the number and the flags of each record."""
    found = [record for each in hand_over.take(0) for record in each.records()]
    return [(one.channel, one.serial, one.flags) for one in found]


def test_rows_come_in_the_order_in_which_they_were_put() -> None:
    hand_over = HandOver()
    assert hand_over.put(rows(1, 2))
    assert hand_over.put(rows(7, 7, "d"))
    assert hand_over.waiting == 3
    assert taken(hand_over) == [("c", 1, 0), ("c", 2, 0), ("d", 7, 0)]
    assert hand_over.waiting == 0


def test_rows_without_room_become_a_gap_before_the_next_ones() -> None:
    hand_over = HandOver(rows_most=2)
    assert hand_over.put(rows(1, 2))
    assert not hand_over.put(rows(3, 5))
    assert not hand_over.put(rows(6, 6))
    assert hand_over.lost == 4
    assert taken(hand_over) == [("c", 1, 0), ("c", 2, 0), ("c", 6, GAP)]
    assert hand_over.put(rows(7, 7))
    assert taken(hand_over) == [("c", 7, 0)]


def test_the_gap_says_which_numbers_are_missing_and_why() -> None:
    hand_over = HandOver(bytes_most=100)
    hand_over.put(rows(1, 1))
    hand_over.put(rows(2, 9))
    gap = hand_over.take(0)[-1].records()[0]
    assert msgpack.unpackb(gap.payload) == {"first": 2, "last": 9, "why": TOO_SLOW}


def test_a_gap_of_one_channel_does_not_stop_another_one() -> None:
    hand_over = HandOver(rows_most=3)
    hand_over.put(rows(1, 2))
    assert not hand_over.put(rows(3, 4))
    assert hand_over.put(rows(1, 1, "d"))
    assert taken(hand_over) == [("c", 1, 0), ("c", 2, 0), ("d", 1, 0), ("c", 4, GAP)]


def test_rows_that_the_disk_did_not_take_come_first_again() -> None:
    hand_over = HandOver()
    hand_over.put(rows(1, 1))
    first = hand_over.take(0)
    hand_over.put(rows(2, 2))
    hand_over.give_back(first)
    assert hand_over.waiting == 2
    assert taken(hand_over) == [("c", 1, 0), ("c", 2, 0)]


def test_nobody_waits_for_a_closed_one() -> None:
    hand_over = HandOver()
    hand_over.close()
    assert hand_over.is_closed
    assert hand_over.wait_closed(60)
    assert hand_over.take(60) == []


def test_a_state_without_room_is_no_gap_over_a_recorded_number() -> None:
    hand_over = HandOver(rows_most=2)
    hand_over.put(rows(1, 2))
    assert not hand_over.put(rows(2, 2)._replace(first=3))
    assert hand_over.lost == 1
    assert taken(hand_over) == [("c", 1, 0), ("c", 2, 0)]
    hand_over.put(rows(3, 4))
    assert not hand_over.put(rows(5, 5))
    assert not hand_over.put(rows(5, 5)._replace(first=6))
    assert taken(hand_over)[-1] == ("c", 5, GAP)
