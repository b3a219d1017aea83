"""Operations without a number are taken in order, each once, in any portions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.history import FIRST_OWN
from liven.liveobjects.channel.ordering.operations.unnumbered import UnnumberedOperations

AUTHOR = b"a" * 16


@given(st.lists(st.integers(1, 5), max_size=6), st.lists(st.integers(1, 7), max_size=40))
def test_operations_come_out_as_they_went_in(batches: list[int], portions: list[int]) -> None:
    inbox, number, out = UnnumberedOperations(AUTHOR, 0), 1, list[bytes]()
    for size in batches:
        assert inbox.follows(number)
        inbox.put(number, [b"%d" % each for each in range(number, number + size)])
        number += size
    for most in portions:
        first, taken = inbox.take(most)
        assert len(taken) <= most
        assert not taken or first == len(out) + 1
        out += taken
    waiting = [payload for _, payloads in inbox.waiting() for payload in payloads]
    assert [*out, *waiting] == [b"%d" % each for each in range(1, number)]
    assert [first for first, _ in inbox.waiting()] == ([len(out) + 1] if waiting else [])
    assert inbox.last == number - 1


def test_only_the_first_operation_may_have_any_number() -> None:
    inbox = UnnumberedOperations(AUTHOR, 4)
    assert inbox.follows(4), "somebody with a copy of the author's log was faster"
    assert inbox.follows(9), "earlier ones stay in a branch"
    inbox.put(9, [b"x"])
    assert not inbox.follows(11)
    assert inbox.follows(10)


def test_the_first_operation_that_is_not_inherited_may_leave_a_gap() -> None:
    inbox = UnnumberedOperations(AUTHOR, 4)
    inbox.put(5, [b"5", b"6"])
    assert not inbox.follows(FIRST_OWN + 1)
    assert inbox.follows(FIRST_OWN)
    inbox.put(FIRST_OWN, [b"x"])
    inbox.put(FIRST_OWN + 1, [b"y"])
    assert inbox.take(1) == (5, [b"5"])
    assert inbox.waiting() == [(6, [b"6"]), (FIRST_OWN, [b"x", b"y"])]
    assert inbox.take(9) == (6, [b"6"])
    assert inbox.take(9) == (FIRST_OWN, [b"x"])
    assert inbox.last == FIRST_OWN + 1
