"""The cost of joining on real sockets: loopback, engines and service in processes of their own.

    python bench/membership.py [--json] [--groups N]

joins   8,192 groups joined by as many calls from one thread, until the last is joined; the number of epochs
single  one more group, when nothing else is going on
pause   the longest time between two messages of a sender at 1,000 a second, while another member joins and
        leaves 50 times a second; beside it the same sender without joins and leaves
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from figure_report import Figure, report

from liven.multicast.errors import BusyError
from liven.multicast.group import Joined, View
from liven.multicast.service_process import ServicePaths, service_status, stop_service
from liven.multicast.socket_engine import Engine, EngineConfig, default_place
from liven.multicast.socket_group import SocketGroup

_PATIENCE = 60.0
_SINGLES = 15
_PAUSE_SECONDS = 5.0
_RATE, _CHURN = 1000.0, 50.0


def until(engine: Engine, true: Callable[[], bool]) -> None:
    """Poll until the condition is true."""
    limit = time.monotonic() + _PATIENCE
    while not true():
        if time.monotonic() > limit:
            raise SystemExit("membership: an expected event did not happen in time")
        engine.wait(0.05)


class Joining:
    """Counts the groups that are joined."""

    def __init__(self) -> None:
        self.joined = 0

    def tell(self, event: object) -> None:
        """Record an event of any group."""
        self.joined += isinstance(event, Joined)


def epochs(place: ServicePaths) -> int:
    """Return the number of epochs."""
    time.sleep(0.5)  # the service says so five times a second
    return (service_status(place) or {})["epochs"]


def joins(place: ServicePaths, groups: int) -> Iterator[Figure]:
    """Yield the figures of many joins at once, and of one alone."""
    with Engine(EngineConfig(place, publish=False)) as engine:
        first = Joining()
        engine.join("first").listen(None, first.tell)
        until(engine, lambda: first.joined == 1)
        before, counted = epochs(place), Joining()
        begun = time.monotonic()
        for number in range(groups):
            engine.join(f"group {number}").listen(None, counted.tell)
        until(engine, lambda: counted.joined == groups)
        seconds = time.monotonic() - begun
        yield Figure("joins.seconds", seconds, f"s for {groups:,} joins by as many calls", 1.0)
        yield Figure("joins.epochs", epochs(place) - before, "epochs", 20)
        times = [_single(engine, number) for number in range(_SINGLES)]
        yield Figure("single.ms", statistics.median(times) * 1e3, "ms for one join, when idle", 20)
        engine.close(leave=False)


def _single(engine: Engine, number: int) -> float:
    time.sleep(0.1)
    engine.poll()
    counted, begun = Joining(), time.monotonic()
    engine.join(f"single {number}").listen(None, counted.tell)
    until(engine, lambda: counted.joined == 1)
    return time.monotonic() - begun


def pauses(place: ServicePaths) -> Iterator[Figure]:
    """Yield a sender's longest pause, with and without joins and leaves of others."""
    quiet, busy = (longest_pause(place, churn) for churn in (0.0, _CHURN))
    yield Figure("pause.quiet.ms", quiet * 1e3, "ms, the longest pause without joins and leaves")
    yield Figure("pause.churn.ms", busy * 1e3, "ms, the same under 50 joins and leaves a second", 50)


def longest_pause(place: ServicePaths, churn: float) -> float:
    """Send from this process while another joins and leaves; return the longest gap between two `send`s."""
    child = os.fork()
    if child == 0:
        come_and_go(place, churn)
        os._exit(0)
    with Engine(EngineConfig(place, publish=False)) as engine:
        group = engine.join("flow")
        sizes: list[int] = []
        group.listen(lambda _delivery: None, lambda event: _note(sizes, event))
        until(engine, lambda: sizes[-1:] == [2])
        longest = _send(engine, group)
    os.waitpid(child, 0)
    return longest


def _note(sizes: list[int], event: object) -> None:
    if isinstance(event, View):
        sizes.append(len(event.members))


def _send(engine: Engine, group: SocketGroup) -> float:
    begun = last = time.monotonic()
    longest, number = 0.0, 0
    while last - begun < _PAUSE_SECONDS:
        due = begun + number / _RATE
        engine.wait(max(0.0, due - time.monotonic()))
        if time.monotonic() < due:
            continue
        try:
            group.send(b"x" * 100)
        except BusyError:
            continue
        now = time.monotonic()
        longest, last, number = max(longest, now - last), now, number + 1
    return longest


def come_and_go(place: ServicePaths, churn: float) -> None:
    """Be the other member: stay in the same group, and join and leave another, until nobody else is
    there."""
    with Engine(EngineConfig(place, publish=False)) as engine:
        group = engine.join("flow")
        sizes: list[int] = []
        group.listen(lambda _delivery: None, lambda event: _note(sizes, event))
        side: list[SocketGroup] = []
        begun, done = time.monotonic(), 0
        while 2 not in sizes or sizes[-1] == 2:
            engine.wait(0.005)
            while churn and done < (time.monotonic() - begun) * churn:
                done += 1
                if len(side) < 20 and done % 2:
                    side.append(engine.join(f"side {done}"))
                elif side:
                    side.pop(0).leave()


def join_figures(groups: int = 8192) -> Iterator[Figure]:
    """Yield all figures, with a service of their own."""
    with tempfile.TemporaryDirectory() as folder:
        place = default_place(Path(folder))
        try:
            yield from pauses(place)
            yield from joins(place, groups)
        finally:
            stop_service(place)


def main(argv: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--groups", type=int, default=8192, help="how many are joined")
    own, _ = parser.parse_known_args(argv)
    return report("membership", join_figures(own.groups), argv, parser)


if __name__ == "__main__":
    sys.exit(main())
