from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.unit.liveobjects.feeds.replay.recordings import START, numbered, record

from liven.liveobjects.feeds.replay.cursor import PIECE, Cursor
from liven.liveobjects.feeds.replay.remap import Remap
from liven.liveobjects.feeds.replay.selection import Selection
from liven.liveobjects.feeds.replay.source.event_list import EventList


def cursor_of(times: list[float], authors: str = "", selection: Selection | None = None) -> Cursor:
    records = [
        record(at, author=authors[place % len(authors)] if authors else "ann")
        for place, at in enumerate(times)
    ]
    chosen = (selection or Selection()).filter()
    return Cursor(EventList(numbered(records), batch=7), chosen, Remap())


@given(st.lists(st.floats(-50, 50), max_size=60), st.integers(1, 9))
def test_times_never_go_back_and_the_order_stays(times: list[float], most: int) -> None:
    cursor = cursor_of(times)
    cursor.seek(0, len(times), START - 10**9)
    sequences, found = [], []
    while cursor.peek() is not None:
        events, at = cursor.take_until(None, most)
        assert len(events) == len(at) <= most
        sequences += [event.sequence for event in events]
        found += at
    assert sequences == list(range(len(times)))
    assert found == sorted(found)
    assert all(at >= START + round(time * 1e6) for at, time in zip(found, times, strict=True))


def test_nothing_is_taken_after_the_given_time() -> None:
    cursor = cursor_of([0.0, 1.0, 2.0, 3.0])
    cursor.seek(0, 4, START)
    events, times = cursor.take_until(START + 1_500_000, 99)
    assert [event.sequence for event in events] == [0, 1]
    assert times == [START, START + 1_000_000]
    assert (cursor.next, cursor.peek()) == (2, START + 2_000_000)


def test_previous_is_the_last_selected_one_before_this_place() -> None:
    cursor = cursor_of([float(n) for n in range(40)], "abbb", Selection(authors=("a",)))
    cursor.seek(40, 40, START)
    places = []
    while (event := cursor.previous(0)) is not None:
        places.append(event.sequence)
        cursor.seek(event.sequence, 40, START)
    assert places == list(range(36, -1, -4))


def test_end_may_move_while_it_is_read() -> None:
    cursor = cursor_of([float(n) for n in range(10)])
    cursor.seek(0, 4, START)
    assert [event.sequence for event in cursor.take_until(None, 99)[0]] == [0, 1, 2, 3]
    assert cursor.peek() is None
    cursor.extend(10)
    sequences = []
    while cursor.peek() is not None:
        sequences += [event.sequence for event in cursor.take_until(None, 99)[0]]
    assert sequences == [4, 5, 6, 7, 8, 9]


def test_memory_holds_a_piece_at_a_time() -> None:
    cursor = Cursor(EventList(numbered([record(0.0)] * (PIECE * 3))), Selection().filter(), Remap())
    cursor.seek(0, PIECE * 3, START)
    assert cursor.peek() is not None
    assert len(cursor._events) == PIECE
