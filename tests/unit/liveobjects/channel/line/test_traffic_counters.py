"""A process's traffic is counted while somebody watches, and only then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from liven.liveobjects.channel.line.local_transport import LocalHub
from liven.liveobjects.channel.line.shared_line import SharedLines
from liven.liveobjects.channel.line.traffic_counters import GroupTraffic, TrafficCount, TrafficCounters
from liven.liveobjects.channel.line.transport import Batch, LineEvent, Receiver
from liven.multicast.group import Delivery, Demoted, Evicted, Joined, Member, Paused, Resumed, View
from liven.runtime.problems import Problem
from liven.runtime.testing import HandCranked


class Place:
    """Two processes on one hub; the second one is watched."""

    def __init__(self) -> None:
        problems: list[Problem] = []
        self.crank = HandCranked(problems.append)
        hub = LocalHub(self.crank)
        self.other = hub.member().open("home/f/list", lambda _: None)
        self.lines = SharedLines(hub.member(), self.crank.call_soon)
        self.mine = self.lines.open("home/f/list", lambda _: None)
        self.crank.settle()

    def talk(self) -> None:
        """Send one message of each."""
        self.mine.send(b"four")
        self.other.send(b"eleven more")
        self.crank.settle()

    @property
    def nodes(self) -> tuple[int, ...]:
        """The nodes of both."""
        return tuple(sorted((self.mine.me, self.other.me)))

    @property
    def group(self) -> GroupTraffic:
        [found] = self.lines.groups()
        return found


class Stub:
    """A transport with one line, which the test controls."""

    def __init__(self) -> None:
        self.receiver: Receiver = lambda _: None
        self.name, self.me, self.room = "g", 1, 1

    def open(self, name: str, receiver: Receiver) -> Stub:
        self.receiver = receiver
        return self

    def send(self, payload: bytes) -> int:
        return 1

    def rejoin(self) -> None: ...

    def resume(self) -> None: ...

    def leave(self) -> None: ...

    def tell(self, *events: LineEvent) -> None:
        self.receiver(Batch((), events))


@pytest.fixture
def place() -> Place:
    return Place()


def test_own_messages_are_counted_separately() -> None:
    tally = TrafficCount()
    tally.count(Batch([Delivery(1, 1, b"abc", 0.0), Delivery(2, 1, b"de", 0.0)], ()), 1)
    assert tally == TrafficCount(sent=1, received=1, size=5, sizes={1: 3, 2: 2})


def test_nothing_is_counted_before_the_first_look(place: Place) -> None:
    place.talk()
    assert place.group == GroupTraffic("home/f/list", 2, 0, 0, 0, "", place.nodes)
    uncount = place.lines.count()
    place.talk()
    sizes = {place.mine.me: 4, place.other.me: 11}
    assert dict(place.group.sizes) == sizes
    assert replace(place.group, sizes=()) == GroupTraffic("home/f/list", 2, 1, 1, 15, "", place.nodes)
    uncount()
    place.talk()
    assert place.group.size == 15


def test_ending_a_count_twice_does_not_end_another_one(place: Place) -> None:
    first, second = place.lines.count(), place.lines.count()
    first()
    first()
    place.talk()
    assert place.group.sent == 1
    second()
    assert place.lines.counting == 0


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ((Paused(),), "waits for a slow member"),
        ((Paused(), Resumed()), ""),
        ((Demoted(),), "this program receives too slowly"),
        ((Demoted(), Evicted(-9)), ""),
    ],
)
def test_a_group_that_is_slow_says_why(told: tuple[LineEvent, ...], said: str) -> None:
    stub = Stub()
    lines = SharedLines(stub, lambda _: None)
    lines.open("g", lambda _: None)
    stub.tell(Joined(), View(1, (Member(1, 5, 1),)), *told)
    [group] = lines.groups()
    assert group.slow == said


def test_a_resumed_group_is_no_longer_slow() -> None:
    stub = Stub()
    lines = SharedLines(stub, lambda _: None)
    line = lines.open("g", lambda _: None)
    stub.tell(Joined(), Demoted())
    line.resume()
    assert lines.groups()[0].slow == ""


class Watched:
    """The lines and the engine, as an observer sees them."""

    def __init__(self) -> None:
        self.there = False
        self.counts = 0

    def count(self) -> Callable[[], None]:
        self.counts += 1

        def uncount() -> None:
            self.counts -= 1

        return uncount

    def groups(self) -> tuple[GroupTraffic, ...]:
        return ()

    def stats(self) -> Mapping[str, int] | None:
        return {"messages_sent": 3} if self.there else None


def test_traffic_counters_return_none_without_an_engine_and_count_once() -> None:
    watched = Watched()
    onlooker = TrafficCounters(lambda: watched if watched.there else None, watched.stats, lambda: 7.0)
    assert onlooker.look() is None
    onlooker.rest()
    watched.there = True
    for _ in range(2):
        look = onlooker.look()
        assert look is not None
        assert (look.at, look.stats) == (7.0, {"messages_sent": 3})
    assert watched.counts == 1
    onlooker.rest()
    assert watched.counts == 0
    watched.there = False
    assert onlooker.look() is None
