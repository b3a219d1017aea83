"""Authors' own classes at both ends of a tunnel, each with declarations of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest

from liven.runtime.errors import CallFailedError, MismatchError
from liven.runtime.objects.context import Context
from liven.runtime.objects.reply import Reply
from liven.runtime.problems import Kind
from liven.runtime.testing import Bench, Built
from liven.runtime.tunnel import Tunnels
from liven.types.declare import Dual, EndpointRef, Exports, Imports, interface, proxy, value


@value
class Point:
    x: float
    y: float
    name: str | None = None


@interface
class Map(Protocol):
    def place(self, at: Point) -> None: ...
    def nearest(self, to: Point) -> Point: ...
    def slow(self, n: int) -> int: ...


@interface
class MapEvents(Protocol):
    def placed(self, at: Point, count: int) -> None: ...


@proxy(id="0000000000000000000000000000F001")
class Server:
    door: Dual[Map, MapEvents]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.points: list[Point] = []
        self.asked: list[Reply[int]] = []

    def place(self, at: Point) -> None:
        self.points.append(at)
        self.door.peer.placed(at, len(self.points))

    def nearest(self, to: Point) -> Point:
        if not self.points:
            raise CallFailedError("the map is empty")
        return min(self.points, key=lambda one: (one.x - to.x) ** 2 + (one.y - to.y) ** 2)

    async def slow(self, n: int) -> int:
        self.asked.append(Reply())
        return n + await self.asked[-1]


@value
class Spot:
    """The same type as Point, declared by another author."""

    name: str | None
    y: float
    x: float


@interface
class Atlas(Protocol):
    def slow(self, n: int) -> int: ...
    def nearest(self, to: Spot) -> Spot: ...
    def place(self, at: Spot) -> None: ...


@interface
class AtlasEvents(Protocol):
    def placed(self, at: Spot, count: int) -> None: ...


@proxy(id="0000000000000000000000000000F002")
class Client:
    atlas: Dual[AtlasEvents, Atlas]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.seen: list[tuple[Spot, int]] = []
        self.alone = 0

    def placed(self, at: Spot, count: int) -> None:
        self.seen.append((at, count))

    def atlas_disconnected(self) -> None:
        self.alone += 1


@interface
class Sends(Protocol):
    def take(self, door: EndpointRef[Dual[Map, MapEvents]]) -> None: ...


@proxy(id="0000000000000000000000000000F003")
class Carrier:
    """Sends the reference of an endpoint as the value of an event."""

    out: Imports[Sends]


@proxy(id="0000000000000000000000000000F004")
class Reacher:
    """Receives a reference, and connects to it."""

    end: Exports[Sends]
    door: Dual[AtlasEvents, Atlas]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.reached: list[Exception | None] = []
        self.seen: list[Spot] = []

    def take(self, door: EndpointRef[Any]) -> None:
        self.context.reach("door", door).then(lambda reply: self.reached.append(reply.error))

    def placed(self, at: Spot, count: int) -> None:
        self.seen.append(at)


class Two:
    """Two benches, as two processes."""

    def __init__(self, folder: Path) -> None:
        self.here, self.there = Bench(), Bench()
        self.tunnels = [
            Tunnels(one.node, one.known.formalisms, folder / name)
            for name, one in (("here", self.here), ("there", self.there))
        ]

    def run(self, until: Callable[[], object]) -> None:
        for _ in range(500):
            self.there.crank.settle()
            self.here.crank.wait(lambda: True)
            if until():
                return
            self.there.crank._poll(0.002)
        raise TimeoutError(f"{self.here.problems} {self.there.problems}")

    def join(self, client: Built, server: Built) -> None:
        address = server.instance.context.offer("door")
        reply = client.instance.context.reach("atlas", address)
        self.run(lambda: reply.settled)
        assert reply.value().open


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    two = Two(tmp_path)
    yield two
    for bench in (two.here, two.there):
        bench.close()
    for tunnels in two.tunnels:
        tunnels.close()


def test_values_arrive_in_the_receiver_s_classes(two: Two) -> None:
    client, server = two.here.build(Client), two.there.build(Server)
    two.join(client, server)
    client.instance.atlas.peer.place(Spot(x=1.0, y=2.0, name="a"))
    two.run(lambda: client.instance.seen)
    assert server.instance.points == [Point(1.0, 2.0, "a")]
    assert client.instance.seen == [(Spot("a", 2.0, 1.0), 1)]


def test_calls_are_answered_refused_and_answered_late(two: Two) -> None:
    client, server = two.here.build(Client), two.there.build(Server)
    two.join(client, server)
    atlas = client.instance.atlas.peer
    refused = atlas.nearest(Spot(None, 0.0, 0.0))
    two.run(lambda: refused.settled)
    assert str(refused.error) == "the map is empty"
    atlas.place(Spot("b", 1.0, 1.0))
    answered, late, later = atlas.nearest(to=Spot(None, 0.0, 0.0)), atlas.slow(1), atlas.slow(10)
    two.run(lambda: answered.settled and len(server.instance.asked) == 2)
    assert answered.value() == Spot("b", 1.0, 1.0)
    server.instance.asked[1].resolve(5)
    two.run(lambda: later.settled)
    assert (later.value(), late.settled) == (15, False)
    server.instance.asked[0].fail(CallFailedError("too late"))
    two.run(lambda: late.settled)
    assert str(late.error) == "too late"


def test_the_end_of_the_server_fails_open_calls(two: Two) -> None:
    client, server = two.here.build(Client), two.there.build(Server)
    two.join(client, server)
    asked = client.instance.atlas.peer.slow(1)
    two.run(lambda: server.instance.asked)
    server.close()
    two.run(lambda: asked.settled)
    assert isinstance(asked.error, CallFailedError)
    assert client.instance.alone == 1
    assert not client.handle.ended


def test_a_reference_to_an_endpoint_travels_as_a_value_and_is_reached(two: Two) -> None:
    server, carrier, reacher = two.here.build(Server), two.here.build(Carrier), two.here.build(Reacher)
    two.here.connect(carrier, "out", reacher, "end")
    carrier.instance.out.peer.take(server.instance.context.offer("door"))
    two.run(lambda: reacher.instance.reached)
    assert reacher.instance.reached == [None]
    reacher.instance.door.peer.place(Spot("c", 0.0, 0.0))
    assert reacher.instance.seen == [Spot("c", 0.0, 0.0)]


def test_reaching_a_mismatched_endpoint_fails_with_the_reason(two: Two) -> None:
    carrier, server = two.there.build(Carrier), two.here.build(Server)
    endpoint = two.tunnels[1].offer(carrier.handle.endpoint("out"))
    reply = server.instance.context.reach("door", EndpointRef(endpoint))
    two.run(lambda: reply.settled)
    assert "does not match" in str(reply.error) or isinstance(reply.error, MismatchError)
    assert not server.handle.ended


def test_a_value_that_is_not_of_its_type_ends_the_sender_and_disconnects_the_other(two: Two) -> None:
    client, server = two.here.build(Client), two.there.build(Server)
    two.join(client, server)
    client.instance.atlas.peer.place(Spot("d", "north", 0.0))  # type: ignore[arg-type]
    problem = two.here.problems.pop()
    assert problem.kind is Kind.RAISED
    assert "place.at.y: expected float64, got text" in problem.what
    assert client.handle.failed
    door = server.handle.endpoint("door")
    two.run(lambda: not door.connected)
