"""What a member sent and nobody numbered: taken in order, each once, in any portions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.ordering.inbox import Inbox

AUTHOR = b"a" * 16


@given(st.lists(st.integers(1, 5), max_size=6), st.lists(st.integers(1, 7), max_size=40))
def test_operations_come_out_as_they_went_in(batches: list[int], portions: list[int]) -> None:
    inbox, number, out = Inbox(AUTHOR, 0), 1, list[bytes]()
    for size in batches:
        assert inbox.follows(number)
        inbox.put(number, [b"%d" % each for each in range(number, number + size)])
        number += size
    for most in portions:
        taken = inbox.take(most)
        assert len(taken) <= most
        out += taken
    assert [*out, *inbox.waiting()] == [b"%d" % each for each in range(1, number)]
    assert inbox.last == number - 1
    assert inbox.first == len(out) + 1


def test_the_first_may_leave_a_gap_after_the_mark_and_no_other_may() -> None:
    inbox = Inbox(AUTHOR, 4)
    assert not inbox.follows(4)
    assert inbox.follows(9)
    inbox.put(9, [b"x"])
    assert not inbox.follows(11)
    assert inbox.follows(10)
