"""The driver of an ordered channel, on a line that tells it events by hand."""

from __future__ import annotations

import pytest

from liven.liveobjects.channel.line.transport import Batch, Line, LineClosedError, LineEvent, Receiver
from liven.liveobjects.channel.ordering import OrderedChannel
from liven.liveobjects.channel.session.order_driver import COME_BACK_AFTER, COME_BACK_MOST, OrderDriver
from liven.multicast.group import Demoted, Dropped, Evicted, Left, Member, View
from liven.runtime.testing import HandCranked


class HandLine:
    """A line whose events the test tells."""

    def __init__(self, receiver: Receiver) -> None:
        self.name = "room"
        self.receiver = receiver
        self.me = 5
        self.room = 1 << 20
        self.was_left = False
        self.rejoined = 0
        self.sent: list[bytes] = []

    def tell(self, *events: LineEvent) -> None:
        self.receiver(Batch((), events))

    def send(self, payload: bytes) -> int:
        if self.was_left:
            raise LineClosedError("it was left")
        self.sent.append(payload)
        return len(self.sent)

    def leave(self) -> None:
        self.was_left = True

    def rejoin(self) -> None: ...

    def resume(self) -> None: ...


class Connection:
    """A connection to the group, which lines without end may follow each other in."""

    def __init__(self, receiver: Receiver) -> None:
        self.hand = HandLine(receiver)
        self.line: Line = self.hand

    def rejoin(self) -> None:
        self.line.send(b"greeting")
        self.hand.rejoined += 1


class Scene:
    """A driver on a hand-cranked clock, and every line that it opened."""

    def __init__(self) -> None:
        self.problems: list[object] = []
        self.crank = HandCranked(self.problems.append)
        self.opened: list[Connection] = []
        self.driver = OrderDriver(OrderedChannel(b"a" * 16), self.crank, self._join, lambda _: None)

    def _join(self, receiver: Receiver) -> Connection:
        self.opened.append(Connection(receiver))
        return self.opened[-1]

    @property
    def line(self) -> HandLine:
        return self.opened[-1].hand


VIEW = View(1, (Member(5, 77, 1),))


def test_an_evicted_member_rejoins_on_its_line() -> None:
    scene = Scene()
    scene.line.tell(VIEW, Evicted(-9))
    scene.crank.advance(2 * COME_BACK_AFTER)
    assert (len(scene.opened), scene.line.rejoined) == (1, 1)


@pytest.mark.parametrize("together", [True, False])
def test_a_member_that_is_demoted_and_then_removed_comes_back_once_on_a_new_line(together: bool) -> None:
    scene = Scene()
    first = scene.line
    first.tell(VIEW)
    if together:
        first.tell(Demoted(), Evicted(-9))
    else:
        first.tell(Demoted())
        first.tell(Evicted(-9))
    assert first.was_left
    first.tell(Left())
    scene.crank.advance(3 * COME_BACK_AFTER)
    assert (len(scene.opened), first.rejoined) == (2, 0)
    scene.line.tell(VIEW)
    scene.crank.settle()
    assert scene.line.sent and scene.problems == []


def waits(losses: int, apart: float) -> list[float]:
    """Return the seconds after each loss until the driver opens a line again."""
    scene, found = Scene(), list[float]()
    for _ in range(losses):
        before, count, lost = scene.crank.now(), len(scene.opened), scene.line
        lost.tell(Dropped(1, 1, 1))
        lost.tell(Left())
        while len(scene.opened) == count:
            scene.crank.advance(0.5)
        found.append(scene.crank.now() - before)
        scene.crank.advance(apart)
    return found


def test_a_member_that_keeps_losing_messages_joins_again_less_and_less_often() -> None:
    found = waits(9, apart=1.0)
    assert found[:3] == [COME_BACK_AFTER, 2 * COME_BACK_AFTER, 4 * COME_BACK_AFTER]
    assert found[-1] == COME_BACK_MOST


def test_a_member_that_lost_something_long_ago_joins_again_at_once() -> None:
    assert waits(3, apart=COME_BACK_MOST) == [COME_BACK_AFTER] * 3
