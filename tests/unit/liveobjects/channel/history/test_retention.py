"""The memory of a history is bounded, and the same for all its members."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.history import BEGINNING, Epoch, Position, retention
from liven.liveobjects.channel.ordering.operations.delivered_log import DeliveredLog
from liven.liveobjects.channel.replica.disk.stored_history import packed_state
from liven.liveobjects.channel.replica.state_position import Parcel, StatePosition


def author(number: int) -> bytes:
    return number.to_bytes(16, "big")


def long_past(authors: int, epochs: int) -> DeliveredLog:
    """Return a history with one operation of each author and many epochs."""
    past = DeliveredLog()
    for number in range(authors):
        if number < epochs:
            past.expect([Epoch(author(number), past.tip, True)])
        past.add(author(number), 1, [b"x"])
    return past


def test_the_last_authors_and_epochs_are_remembered() -> None:
    past = long_past(5000, 500)
    assert list(past.marks) == [author(number) for number in range(4000, 5000)]
    assert [each.identity for each in past.epochs] == [author(number) for number in range(436, 500)]
    assert past.epoch == author(499)


def test_positions_and_checkpoints_do_not_grow_with_the_history() -> None:
    state_position, sizes = StatePosition(), []
    past = DeliveredLog()
    for number in range(3000):
        past.expect([Epoch(author(number), past.tip, True)])
        state_position.add(past.add(author(number), 1, [b"x"]), past.epochs[-1])
        sizes.append(len(packed_state(state_position, Parcel(b""))))
    assert sizes[-1] == sizes[2000] < 40_000
    assert state_position.marks == past.marks
    assert list(state_position.marks) == list(past.marks)
    assert state_position.epochs == past.epochs


@given(st.lists(st.integers(0, 20), max_size=60), st.integers(0, 60))
def test_a_member_that_begins_later_remembers_the_same(who: list[int], cut: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(retention, "MARKS_MOST", 5)
        numbers = {each: count(1) for each in range(21)}
        veteran = DeliveredLog()
        joiner = DeliveredLog()
        for place, each in enumerate(who):
            if place == cut:
                joiner = DeliveredLog(veteran.tip, veteran.stable, veteran.epochs, dict(veteran.marks))
            number = next(numbers[each])
            veteran.add(author(each), number, [b"x"])
            if place >= cut:
                joiner.add(author(each), number, [b"x"])
        assert len(veteran.marks) <= 5
        if cut < len(who):
            assert list(joiner.marks.items()) == list(veteran.marks.items())


def test_an_author_that_was_inactive_for_long_is_reported_as_forgotten() -> None:
    few, many = long_past(10, 0), long_past(2000, 0)
    assert not retention.is_forgotten(few.marks, author(99))
    assert retention.is_forgotten(many.marks, author(99))
    assert not retention.is_forgotten(many.marks, author(1999))


def test_a_position_in_a_forgotten_epoch_is_not_part_of_the_history() -> None:
    past = long_past(200, 200)
    past.confirm(200)
    recent = Position(author(190), 191, past.chain_at(191) or b"")
    old = Position(author(3), 4, past.chain_at(4) or b"")
    past.forget(200)
    assert past.holds(recent, lambda _: None)
    assert not past.holds(old, lambda _: None)
    assert past.holds(BEGINNING, lambda _: None)
