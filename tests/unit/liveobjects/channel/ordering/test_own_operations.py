"""Own operations: each keeps its number, and none is lost between pending, ordered and stable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.ordering import own_operations as module
from liven.liveobjects.channel.ordering.own_operations import (
    NUMBERS_PER_INCARNATION,
    ChannelBusyError,
    OwnOperations,
)


def filled(count: int) -> OwnOperations:
    own = OwnOperations()
    for number in range(1, count + 1):
        assert own.submit(b"%d" % number) == number
    return own


def test_a_batch_goes_on_where_the_last_one_ended() -> None:
    own = filled(5)
    assert own.next_batch(2, 1000) == (1, [b"1", b"2"])
    assert own.next_batch(9, 1000) == (3, [b"3", b"4", b"5"])
    assert not own.unsent
    assert own.sent == 5


def test_a_batch_has_at_least_one_and_keeps_to_its_size() -> None:
    own = OwnOperations()
    for _ in range(3):
        own.submit(b"x" * 100)
    assert len(own.next_batch(9, 10)[1]) == 1
    assert len(own.next_batch(9, 150)[1]) == 1


def test_unordered_operations_are_sent_again_in_the_next_view() -> None:
    own = filled(3)
    own.next_batch(9, 1000)
    own.was_ordered(10, 1, 1)
    own.begin()
    assert own.next_batch(9, 1000) == (2, [b"2", b"3"])


def test_tickets_are_reported_when_ordered_and_when_stable() -> None:
    own = filled(4)
    assert own.was_ordered(10, 1, 2) == 1
    assert own.was_ordered(15, 3, 1) == 3
    assert own.was_confirmed(10) is None
    assert own.was_confirmed(14) == 2
    assert own.was_confirmed(20) == 3
    assert (len(own), own.pending) == (1, 1)


def test_operations_of_an_earlier_incarnation_have_no_ticket() -> None:
    own = OwnOperations(100)
    own.submit(b"x")
    assert own.was_ordered(1, 7, 1) is None
    assert own.was_ordered(2, 101, 1) == 101


def test_operations_of_an_earlier_incarnation_go_first_with_their_numbers() -> None:
    own = OwnOperations(NUMBERS_PER_INCARNATION, [(3, b"3"), (4, b"4"), (5, b"5")], mark=3, place=30)
    assert own.submit(b"new") == NUMBERS_PER_INCARNATION + 1
    assert (own.pending, len(own), own.first_pending) == (3, 4, 4)
    assert own.next_batch(9, 1000) == (4, [b"4", b"5"])
    assert own.next_batch(9, 1000) == (NUMBERS_PER_INCARNATION + 1, [b"new"])
    assert own.was_ordered(31, 4, 2) == 4
    assert own.was_confirmed(30) == 3
    assert own.was_ordered(33, NUMBERS_PER_INCARNATION + 1, 1) == NUMBERS_PER_INCARNATION + 1
    assert own.was_confirmed(33) == NUMBERS_PER_INCARNATION + 1
    assert len(own) == 0


def test_a_run_that_is_partly_known_removes_the_rest_from_the_list() -> None:
    own = OwnOperations(NUMBERS_PER_INCARNATION, [(3, b"3"), (4, b"4"), (5, b"5")], mark=3, place=30)
    assert own.was_ordered(29, 2, 3) == 2
    assert own.all == ((3, b"3"), (4, b"4"), (5, b"5"))
    assert own.pending == 1
    assert own.next_batch(9, 1000) == (5, [b"5"])


def test_another_history_may_lack_placed_operations_of_an_earlier_incarnation() -> None:
    own = OwnOperations(NUMBERS_PER_INCARNATION, [(3, b"3"), (4, b"4")], mark=4, place=30)
    own.submit(b"new")
    included, left = own.turn(3, 12, again=True)
    assert 3 in included
    assert 4 not in included
    assert len(left) == 0
    assert own.next_batch(9, 1000) == (4, [b"4"])
    assert own.next_batch(9, 1000) == (NUMBERS_PER_INCARNATION + 1, [b"new"])


def test_operations_that_another_history_lacks_are_pending_again() -> None:
    own = filled(5)
    own.was_ordered(10, 1, 4)
    included, left = own.turn(2, 30, again=True)
    assert (included, left) == (range(1, 3), range(1, 1))
    assert own.next_batch(9, 1000) == (3, [b"3", b"4", b"5"])
    assert own.was_confirmed(30) == 2


def test_operations_left_in_a_branch_are_not_sent_again() -> None:
    own = filled(5)
    own.was_ordered(10, 1, 3)
    included, left = own.turn(0, 30, again=False)
    assert (list(included), left) == ([], range(1, 4))
    assert own.next_batch(9, 1000) == (4, [b"4", b"5"])


def test_too_many_operations_are_refused_without_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PENDING_MOST", 3)
    own = filled(3)
    with pytest.raises(ChannelBusyError, match="3 own operations"):
        own.submit(b"x")
    assert own.last == 3
    own.was_ordered(1, 1, 1)
    own.was_confirmed(1)
    assert own.submit(b"x") == 4


def test_too_many_bytes_are_refused_but_never_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PENDING_BYTES", 10)
    own = OwnOperations()
    own.submit(b"x" * 100)
    with pytest.raises(ChannelBusyError, match=r"1 own operations \(0\.0 MB\)"):
        own.submit(b"x")


@given(st.lists(st.sampled_from(["submit", "send", "order", "confirm", "begin", "turn"]), max_size=40))
def test_every_operation_is_confirmed_once_and_in_order(steps: list[str]) -> None:
    own, number, confirmed, mark = OwnOperations(), 0, list[int](), 0
    for step in [*steps, "begin", *["order"] * 50, "confirm"]:
        if step == "submit":
            own.submit(b"%d" % (own.last + 1))
        elif step == "send":
            own.next_batch(3, 1000)
        elif step == "order" and own.pending:
            number, mark = number + 1, own.first_pending
            assert own.was_ordered(number, mark, 1) == mark
        elif step == "confirm" and (ticket := own.was_confirmed(number)) is not None:
            confirmed.append(ticket)
        elif step == "begin":
            own.begin()
        elif step == "turn":
            mark = max(confirmed, default=0)
            own.turn(mark, number, again=True)
    assert confirmed == sorted(set(confirmed))
    assert len(own) == 0
    assert max(confirmed, default=0) == own.last
