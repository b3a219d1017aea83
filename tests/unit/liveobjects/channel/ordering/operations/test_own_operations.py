"""Own operations: each keeps its number, and none is lost between pending, ordered and stable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.history import FIRST_OWN, Operation
from liven.liveobjects.channel.history.inheritance import wrapped
from liven.liveobjects.channel.ordering.operations import own_operations as module
from liven.liveobjects.channel.ordering.operations.own_operations import ChannelBusyError, OwnOperations

N = FIRST_OWN - 1
"""The number before the first own one."""
ME, OLD = b"m" * 16, b"o" * 16


def filled(count: int) -> OwnOperations:
    own = OwnOperations(ME)
    for number in range(1, count + 1):
        assert own.submit(b"%d" % number) == N + number
    return own


def inheriting(*numbers: int, mark: int) -> OwnOperations:
    """Return the operations of a life that inherits these of a former one, up to `mark` placed at 30."""
    return OwnOperations(ME, left(*numbers), {OLD: mark}, 30)


def left(*numbers: int) -> list[Operation]:
    return [Operation(OLD, number, b"%d" % number) for number in numbers]


def inside(*numbers: int) -> list[bytes]:
    return [wrapped(each) for each in left(*numbers)]


def test_a_batch_goes_on_where_the_last_one_ended() -> None:
    own = filled(5)
    assert own.next_batch(2, 1000) == (N + 1, [b"1", b"2"])
    assert own.next_batch(9, 1000) == (N + 3, [b"3", b"4", b"5"])
    assert not own.unsent
    assert own.sent == 5


def test_a_batch_has_at_least_one_and_keeps_to_its_size() -> None:
    own = OwnOperations(ME)
    for _ in range(3):
        own.submit(b"x" * 100)
    assert len(own.next_batch(9, 10)[1]) == 1
    assert len(own.next_batch(9, 150)[1]) == 1


def test_unordered_operations_are_sent_again_in_the_next_view() -> None:
    own = filled(3)
    own.next_batch(9, 1000)
    own.was_ordered(10, N + 1, 1)
    own.begin()
    assert own.next_batch(9, 1000) == (N + 2, [b"2", b"3"])


def test_tickets_are_reported_when_ordered_and_when_stable() -> None:
    own = filled(4)
    assert own.was_ordered(10, N + 1, 2) == N + 1
    assert own.was_ordered(15, N + 3, 1) == N + 3
    assert own.was_confirmed(10) is None
    assert own.was_confirmed(14) == N + 2
    assert own.was_confirmed(20) == N + 3
    assert (len(own), own.pending) == (1, 1)


def test_inherited_operations_go_first() -> None:
    own = inheriting(3, 4, 5, mark=3)
    assert own.submit(b"new") == FIRST_OWN
    assert (own.pending, len(own), own.first_pending) == (3, 4, 2)
    assert own.next_batch(9, 1000) == (2, inside(4, 5))
    assert own.next_batch(9, 1000) == (FIRST_OWN, [b"new"])
    assert own.was_ordered(31, 2, 2) == 2
    assert own.was_confirmed(30) == 1
    assert own.was_ordered(33, FIRST_OWN, 1) == FIRST_OWN
    assert own.was_confirmed(33) == FIRST_OWN
    assert len(own) == 0


def test_inherited_operations_keep_their_identities() -> None:
    own = inheriting(3, 4, mark=3)
    own.submit(b"new")
    assert own.all == [*left(3, 4), Operation(ME, FIRST_OWN, b"new")]
    assert own.after(1) == own.all[1:]
    assert own.after(N) == own.all[2:]


def test_inherited_operations_that_the_history_has_come_before_the_others() -> None:
    other = Operation(b"x" * 16, 9, b"x")
    own = OwnOperations(ME, [*left(3), other], {other.author: 9}, 30)
    assert own.all == [other, *left(3)]
    assert own.next_batch(9, 1000) == (2, inside(3))


def test_a_run_that_is_partly_known_removes_the_rest_from_the_list() -> None:
    own = inheriting(3, 4, 5, mark=3)
    assert own.was_ordered(29, 1, 2) == 1
    assert own.all == left(3, 4, 5)
    assert own.pending == 1
    assert own.next_batch(9, 1000) == (3, inside(5))


def test_another_history_may_lack_placed_operations_of_a_former_life() -> None:
    own = inheriting(3, 4, mark=4)
    own.submit(b"new")
    included, kept = own.turn(1, 12, again=True)
    assert 1 in included
    assert 2 not in included
    assert len(kept) == 0
    assert own.next_batch(9, 1000) == (2, inside(4))
    assert own.next_batch(9, 1000) == (FIRST_OWN, [b"new"])


def test_operations_that_another_history_lacks_are_pending_again() -> None:
    own = filled(5)
    own.was_ordered(10, N + 1, 4)
    included, left = own.turn(N + 2, 30, again=True)
    assert (included, left) == (range(N + 1, N + 3), range(N + 1, N + 1))
    assert own.next_batch(9, 1000) == (N + 3, [b"3", b"4", b"5"])
    assert own.was_confirmed(30) == N + 2


def test_operations_left_in_a_branch_are_not_sent_again() -> None:
    own = filled(5)
    own.was_ordered(10, N + 1, 3)
    included, left = own.turn(0, 30, again=False)
    assert (list(included), left) == ([], range(N + 1, N + 4))
    assert own.next_batch(9, 1000) == (N + 4, [b"4", b"5"])


def test_too_many_operations_are_refused_without_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PENDING_MOST", 3)
    own = filled(3)
    with pytest.raises(ChannelBusyError, match="3 own operations"):
        own.submit(b"x")
    assert own.last == N + 3
    own.was_ordered(1, N + 1, 1)
    own.was_confirmed(1)
    assert own.submit(b"x") == N + 4


def test_too_many_bytes_are_refused_but_never_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PENDING_BYTES", 10)
    own = OwnOperations(ME)
    own.submit(b"x" * 100)
    with pytest.raises(ChannelBusyError, match=r"1 own operations \(0\.0 MB\)"):
        own.submit(b"x")


@given(st.lists(st.sampled_from(["submit", "send", "order", "confirm", "begin", "turn"]), max_size=40))
def test_every_operation_is_confirmed_once_and_in_order(steps: list[str]) -> None:
    own, number, confirmed, mark = OwnOperations(ME), 0, list[int](), 0
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
    assert max(confirmed, default=N) == own.last
