"""A member that stands still past the window cap is evicted, learns its gap, and returns.

The simulation and real sockets report the gap in the same events, before the eviction; and after the return
the first messages received continue where the gap ends.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest

from liven.multicast.errors import BusyError
from liven.multicast.group import Delivery, Evicted, Group, GroupEvent, Joined, Missed, View
from liven.multicast.service_process import stop_service
from liven.multicast.simulation import SimulatedNode, Simulation
from liven.multicast.socket_engine import Engine, EngineConfig, default_place

_PATIENCE = 60.0
_NARROW = {"window_floor": 1 << 20, "window_cap": 1 << 20}
_SIZE = 8192
_BEFORE = 5


class Seat:
    """A node in a group, over its incarnations, with all its deliveries and events in order."""

    def __init__(self, group: Group) -> None:
        self.seen: list[Delivery | GroupEvent] = []
        self.sit(group)

    def sit(self, group: Group) -> None:
        self.group = group
        group.listen(self.seen.append, self.seen.append)

    def members(self) -> int:
        views = [each for each in self.seen if isinstance(each, View)]
        return len(views[-1].members) if views else 0

    def heard(self, first: int = 0) -> list[Delivery]:
        return [each for each in self.seen[first:] if isinstance(each, Delivery)]

    def told(self, kind: type[GroupEvent]) -> list[int]:
        """Return the positions of the events of this kind."""
        return [place for place, each in enumerate(self.seen) if isinstance(each, kind)]


class Cluster(Protocol):
    """Three nodes in one group; the last one can be made deaf."""

    seats: list[Seat]

    def until(self, true: Callable[[], bool]) -> None: ...

    def deafen(self, deaf: bool) -> None: ...

    def back(self) -> None:
        """Return a new incarnation of the last node, in the group again."""

    def close(self) -> None: ...


class Simulated:
    """In virtual time. A simulated node starts its next incarnation by itself, in the groups that it was
    in."""

    def __init__(self) -> None:
        self._simulation = Simulation(5, settings=_NARROW)
        self._nodes: list[SimulatedNode] = self._simulation.nodes(3)
        self.seats = [Seat(node.join("chat")) for node in self._nodes]

    def until(self, true: Callable[[], bool]) -> None:
        end = self._simulation.now + _PATIENCE
        while not true():
            assert self._simulation.now < end, "it did not come about"
            self._simulation.run(0.02)

    def deafen(self, deaf: bool) -> None:
        self._nodes[2].isolate(deaf)

    def back(self) -> None:
        pass

    def close(self) -> None:
        assert self._simulation.breaches() == []


class Real:
    """Engines of this process, on loopback, with a membership service of their own."""

    def __init__(self, folder: Path) -> None:
        self._config = EngineConfig(default_place(folder), settings=_NARROW, suspicion=_PATIENCE)
        self._engines = [Engine(self._config) for _ in range(3)]
        self.seats = [Seat(engine.join("chat")) for engine in self._engines]

    def until(self, true: Callable[[], bool]) -> None:
        end = time.monotonic() + _PATIENCE
        while not true():
            assert time.monotonic() < end, "it did not come about"
            for engine in self._engines:
                engine.wait(0.002)

    def deafen(self, deaf: bool) -> None:
        self._engines[2].lose(1.0 if deaf else 0.0)

    def back(self) -> None:
        self._engines[2].rejoin()
        self.seats[2].sit(self._engines[2].join("chat"))

    def close(self) -> None:
        for engine in self._engines:
            engine.close(leave=False)
        stop_service(self._config.place)


@pytest.fixture(params=["simulation", "sockets"])
def cluster(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Cluster]:
    made: Cluster = Simulated() if request.param == "simulation" else Real(tmp_path)
    made.until(lambda: all(seat.members() == 3 for seat in made.seats))
    yield made
    made.close()


def flood(cluster: Cluster, stop: Callable[[], bool]) -> int:
    """Send from the first node more than may be kept, until `stop`. Return the count of messages."""
    count = 0

    def more() -> bool:
        nonlocal count
        try:
            for _ in range(8):
                cluster.seats[0].group.send(b"%d" % count * (_SIZE // 4))
                count += 1
        except BusyError:
            pass
        return stop()

    cluster.until(more)
    return count


def test_a_stopped_member_learns_its_gap_and_continues_after_it(cluster: Cluster) -> None:
    first, second, sleeper = cluster.seats
    for seat, count in ((first, _BEFORE), (second, 2)):
        for _ in range(count):
            seat.group.send(b"before")
    cluster.until(lambda: all(len(seat.heard()) == _BEFORE + 2 for seat in cluster.seats))
    sleeper.group.send(b"mine")
    cluster.until(lambda: all(len(seat.heard()) == _BEFORE + 3 for seat in cluster.seats))
    cluster.deafen(True)
    flooded = flood(cluster, lambda: second.members() == 2)
    cluster.until(lambda: len(second.heard()) == _BEFORE + 3 + flooded)
    cluster.deafen(False)
    cluster.until(lambda: bool(sleeper.told(Evicted)))

    (out,) = sleeper.told(Evicted)
    missed = [each for each in sleeper.seen[:out] if isinstance(each, Missed)]
    last = {each.sender: each.number for each in sleeper.heard()}
    own = sleeper.heard()[-1].sender
    assert {each.sender: each.first - 1 for each in missed} == {
        sender: number for sender, number in last.items() if sender != own
    }
    assert sleeper.told(Missed)[-1] < out
    assert all(place < out for place in sleeper.told(View))

    cluster.back()
    cluster.until(lambda: first.members() == 3 and second.members() == 3 and sleeper.members() == 3)
    back = len(sleeper.seen)
    assert len(sleeper.told(Joined)) == 2
    first.group.send(b"after")
    cluster.until(lambda: bool(sleeper.heard(back)) and len(second.heard()) == _BEFORE + 4 + flooded)
    (heard,) = sleeper.heard(out)
    assert heard.payload == b"after"
    # The reported gap is the real gap, and no other member has one.
    (lacking,) = [each for each in missed if each.sender == heard.sender]
    assert heard.number - lacking.first == flooded - (len(sleeper.heard()) - _BEFORE - 4)
    assert lacking.known <= heard.number - lacking.first
    assert first.told(Missed) == second.told(Missed) == []
