"""Events: the cost of a connection beside a plain call, within one declaration and between two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from figure_report import Figure, best_of

from liven.runtime.testing import Bench, Built
from liven.types.declare import Exports, Imports, interface, proxy, value


@value
class Pose:
    x: float
    y: float
    z: float
    heading: float
    label: str
    serial: int


@value
class Place:
    """The same type, declared by another author."""

    serial: int
    label: str
    heading: float
    z: float
    y: float
    x: float


@interface
class Moves(Protocol):
    def move(self, to: Pose) -> None: ...


@interface
class Goes(Protocol):
    def move(self, to: Place) -> None: ...


@interface
class Asks(Protocol):
    def ask(self, n: int) -> int: ...


@proxy(id="00000000000000000000000000FE0001")
class Pilot:
    out: Imports[Moves]


@proxy(id="00000000000000000000000000FE0002")
class Driver:
    out: Imports[Goes]


@proxy(id="00000000000000000000000000FE0003")
class Plane:
    end: Exports[Moves]

    def move(self, to: Pose) -> None:
        pass


@proxy(id="00000000000000000000000000FE0004")
class Asker:
    out: Imports[Asks]


@proxy(id="00000000000000000000000000FE0005")
class Answerer:
    end: Exports[Asks]

    def ask(self, n: int) -> int:
        return n


def joined(bench: Bench, sender: type, receiver: type) -> tuple[Built, Built]:
    """Return two connected objects."""
    left, right = bench.build(sender), bench.build(receiver)
    bench.connect(left, "out", right, "end")
    return left, right


def seconds(call: Any, argument: object) -> float:
    """Return the seconds of one call, without the loop around it."""
    empty = best_of(5, 20_000, lambda: None)
    return best_of(15, 20_000, lambda: call(argument)) - empty


def figures() -> Iterator[Figure]:
    """Yield all figures."""
    with Bench() as bench:
        pilot, plane = joined(bench, Pilot, Plane)
        driver, _ = joined(bench, Driver, Plane)
        asker, _ = joined(bench, Asker, Answerer)
        pose, place = Pose(1.0, 2.0, 3.0, 4.0, "here", 5), Place(5, "here", 4.0, 3.0, 2.0, 1.0)
        plain = seconds(plane.instance.move, pose)
        direct = seconds(pilot.instance.out.peer.move, pose)
        wrapped = seconds(driver.instance.out.peer.move, place)
        yield Figure("event over a plain call", (direct - plain) * 1e6, "µs", 1)
        yield Figure("wrapped event over a direct one", (wrapped - direct) * 1e6, "µs", 3)
        yield Figure("call and answer", seconds(asker.instance.out.peer.ask, 1) * 1e6, "µs")
