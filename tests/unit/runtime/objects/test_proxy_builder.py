"""An author's classes, run: handlers, peers, hooks, operations, and one type declared by two modules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import pytest

from liven.runtime.dispatcher import HandCranked
from liven.runtime.errors import CallFailedError, MismatchError, NotConnectedError
from liven.runtime.objects.context import Context
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe, opposite
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.proxy_builder import Blueprint, Blueprints
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.ui_endpoint import Shown
from liven.runtime.problems import Kind, Problems
from liven.types.declare import (
    Dual,
    ExportedUI,
    Exports,
    Imports,
    Int32,
    TermBuilder,
    interface,
    proxy,
    value,
)
from liven.types.declare.annotation.reader import declaration_of
from liven.types.formalism.registry import Formalisms
from liven.types.terms.value_types import TEXT


@value
@dataclass(frozen=True)
class Point:
    x: float
    y: float


@interface
class Mover(Protocol):
    def move(self, to: Point, label: str = "plain") -> None: ...
    def halve(self, n: int) -> int: ...


@interface
class Moved(Protocol):
    def moved(self, to: Point) -> None: ...


@proxy(id="00000000000000000000000000000A01", view="some.module:View")
class Plane:
    control: Dual[Mover, Moved]
    ui: ExportedUI

    def __init__(self, name: str, context: Context) -> None:
        self.name = name
        self.context = context
        self.log: list[object] = []

    def move(self, to: Point, label: str = "plain") -> None:
        self.log.append((to, label))
        self.control.peer.moved(to)

    def halve(self, n: int) -> int:
        if n % 2:
            raise CallFailedError(f"{n} is odd")
        return n // 2

    def control_connected(self) -> None:
        self.log.append("connected")

    def control_disconnected(self) -> None:
        self.log.append("disconnected")

    def on_end(self) -> None:
        self.log.append("ended")


@proxy(id="00000000000000000000000000000A02")
class Tower:
    """The other side, declared in the same module."""

    control: Dual[Moved, Mover]

    def __init__(self) -> None:
        self.seen: list[Point] = []

    def moved(self, to: Point) -> None:
        self.seen.append(to)


@value
@dataclass(frozen=True)
class Place:
    """The same type as Point, declared by an author who never saw it."""

    y: float
    x: float


@interface
class Steering(Protocol):
    def halve(self, n: int) -> int: ...
    def move(self, to: Place, label: str) -> None: ...


@interface
class Report(Protocol):
    def moved(self, to: Place) -> None: ...


@proxy(id="00000000000000000000000000000A03")
class OtherTower:
    control: Dual[Report, Steering]

    def __init__(self) -> None:
        self.seen: list[Place] = []

    def moved(self, to: Place) -> None:
        self.seen.append(to)


@interface
class Asks(Protocol):
    def halve(self, n: int) -> int: ...


@proxy(id="00000000000000000000000000000A04")
class Later:
    """Answers later: once with a coroutine."""

    end: Exports[Asks]

    def __init__(self, context: Context) -> None:
        self.asked: list[Reply[int]] = []

    async def halve(self, n: int) -> int:
        self.asked.append(Reply())
        return (await self.asked[-1]) + n


@proxy(id="00000000000000000000000000000A05", delegates=("left", "right"))
class Switch:
    """Two endpoints with the same events."""

    left: Dual[Moved, Mover]
    right: Dual[Moved, Mover]

    def __init__(self, context: Context) -> None:
        self.log: list[str] = []
        context.serve("left", _Side(self, "left"))
        context.serve("right", _Side(self, "right"))


class _Side:
    def __init__(self, switch: Switch, name: str) -> None:
        self.switch, self.name = switch, name

    def moved(self, to: Point) -> None:
        self.switch.log.append(f"{self.name} moved")

    def connected(self) -> None:
        self.switch.log.append(f"{self.name} connected")

    def disconnected(self) -> None:
        self.switch.log.append(f"{self.name} disconnected")


T = TypeVar("T", contravariant=True)


@interface
class Takes(Protocol[T]):
    def take(self, item: T) -> None: ...


@proxy(id="00000000000000000000000000000A06")
class Relay(Generic[T]):
    """A template that passes on every value."""

    source: Exports[Takes[T]]
    target: Imports[Takes[T]]

    def take(self, item: T) -> None:
        self.target.peer.take(item)


@interface
class TakesText(Protocol):
    def take(self, item: str) -> None: ...


@proxy(id="00000000000000000000000000000A07")
class TextSource:
    out: Imports[TakesText]


@proxy(id="00000000000000000000000000000A08")
class TextSink:
    end: Exports[TakesText]

    def __init__(self) -> None:
        self.taken: list[str] = []

    def take(self, item: str) -> None:
        self.taken.append(item)


TERMS = TermBuilder(Formalisms())
BLUEPRINTS = Blueprints()


def build(node: Node, cls: type, *arguments: Any, **values: object) -> tuple[ProxyHandle, Any]:
    declaration = declaration_of(cls)
    use = declaration.use(tuple(_given(term) for term in arguments))
    kind = TERMS.object(use)
    handle = BLUEPRINTS.of(declaration, arguments).build(node, (cls.__name__,), kind, values)
    return handle, handle.proxy().instance


def _given(term: Any) -> Any:
    from liven.types.declare.annotation.shapes import GivenUse

    return GivenUse(term)


def join(node: Node, one: ProxyHandle, left: str, other: ProxyHandle, right: str) -> None:
    node.connect(one.endpoint(left), other.endpoint(right))


def test_one_declaration_passes_the_very_values(node: Node) -> None:
    plane_handle, plane = build(node, Plane, name="one")
    tower_handle, tower = build(node, Tower)
    join(node, plane_handle, "control", tower_handle, "control")
    there = Point(1.0, 2.0)
    tower.control.peer.move(there, label="fast")
    tower.control.peer.move(to=there)
    assert plane.log == ["connected", (there, "fast"), (there, "plain")]
    assert plane.log[1][0] is there
    assert tower.seen[0] is there


def test_two_declarations_of_one_type_pass_each_the_others_own_values(node: Node, problems: Problems) -> None:
    plane_handle, plane = build(node, Plane, name="one")
    tower_handle, tower = build(node, OtherTower)
    join(node, plane_handle, "control", tower_handle, "control")
    tower.control.peer.move(Place(x=1.0, y=2.0), "x")
    assert plane.log[-1] == (Point(1.0, 2.0), "x")
    assert tower.seen == [Place(x=1.0, y=2.0)]
    assert tower.control.peer.halve(8).value() == 4
    with pytest.raises(CallFailedError, match="3 is odd"):
        tower.control.peer.halve(3).value()
    assert len(problems) == 0


def test_a_value_that_is_not_of_the_type_is_the_senders_fault(node: Node, problems: Problems) -> None:
    plane_handle, _ = build(node, Plane, name="one")
    tower_handle, tower = build(node, OtherTower)
    join(node, plane_handle, "control", tower_handle, "control")
    tower.control.peer.move(Place(x="far", y=2.0), "x")  # type: ignore[arg-type]
    (problem,) = problems
    assert problem.where == ("OtherTower",)
    assert "move.to.x: expected float64, got text" in problem.what
    assert tower_handle.failed
    assert not plane_handle.ended


def test_an_answer_that_is_not_of_the_type_is_the_servers_fault(node: Node, problems: Problems) -> None:
    plane_handle, plane = build(node, Plane, name="one")
    tower_handle, tower = build(node, OtherTower)
    plane.halve = lambda n: str(n)
    plane_handle.proxy().endpoints["control"].handle({"halve": plane.halve})
    join(node, plane_handle, "control", tower_handle, "control")
    reply = tower.control.peer.halve(8)
    assert [problem.where for problem in problems] == [("Plane",)]
    assert isinstance(reply.error, CallFailedError)


def test_unfitting_arguments_raise_at_the_sender(node: Node) -> None:
    plane_handle, _ = build(node, Plane, name="one")
    tower_handle, tower = build(node, Tower)
    join(node, plane_handle, "control", tower_handle, "control")
    with pytest.raises(TypeError, match=r"Mover\.move: missing a required argument: 'to'"):
        tower.control.peer.move()
    with pytest.raises(TypeError, match="too many positional arguments"):
        tower.control.peer.halve(1, 2)
    assert not plane_handle.ended


def test_a_probe_in_neutral_form_can_play_either_side(node: Node) -> None:
    plane_handle, plane = build(node, Plane, name="one")
    probe = Probe.joined_to(node, plane_handle.endpoint("control"))
    probe.send("move", {"to": {"x": 1.0, "y": 2.0}, "label": "neutral"})
    assert plane.log[-1] == (Point(1.0, 2.0), "neutral")
    assert probe.heard[-1] == ("moved", {"to": {"x": 1.0, "y": 2.0}})
    assert probe.call("halve", {"n": 10}).value() == 5
    tower_handle, tower = build(node, Tower)
    server = Probe(node, opposite(tower_handle.endpoint("control").type))
    server.react(halve=lambda record: record["n"] * 100)
    server.connect(tower_handle.endpoint("control"))
    assert tower.control.peer.halve(3).value() == 300


def test_hooks_tell_of_connect_disconnect_and_end(node: Node) -> None:
    handle, plane = build(node, Plane, name="one")
    log = plane.log
    probe = Probe.joined_to(node, handle.endpoint("control"))
    del plane
    handle.close()
    assert log == ["connected", "disconnected", "ended"]
    assert probe.heard == [("connect",), ("disconnect",)]


def test_a_constructor_that_raises_leaves_nothing(node: Node) -> None:
    @proxy(id="00000000000000000000000000000A11")
    class Broken:
        end: Exports[Moved]

        def __init__(self, context: Context) -> None:
            context.call_later(1, lambda: None)
            raise LookupError("no camera")

        def moved(self, to: Point) -> None: ...

    with pytest.raises(LookupError, match="no camera"):
        build(node, Broken)
    assert not node.running


def test_sending_in_the_constructor_is_an_error(node: Node) -> None:
    @proxy(id="00000000000000000000000000000A12")
    class Eager:
        control: Imports[Moved]

        def __init__(self) -> None:
            self.control.peer.moved(Point(0.0, 0.0))

    with pytest.raises(NotConnectedError):
        build(node, Eager)


def test_the_ui_hands_over_where_its_view_is_and_the_object(node: Node) -> None:
    handle, plane = build(node, Plane, name="one")
    window = Probe.joined_to(node, handle.endpoint("ui"))
    assert window.end.peer_payload == Shown("some.module:View", plane)


def test_an_async_operation_answers_when_it_is_done(node: Node) -> None:
    handle, later = build(node, Later)
    probe = Probe.joined_to(node, handle.endpoint("end"))
    reply = probe.call("halve", {"n": 1})
    assert not reply.settled
    later.asked[0].resolve(41)
    assert reply.value() == 42


def test_a_delegated_endpoint_is_served_by_another_object(node: Node) -> None:
    switch_handle, switch = build(node, Switch)
    left_handle, _ = build(node, Plane, name="left")
    right_handle, _ = build(node, Plane, name="right")
    join(node, switch_handle, "left", left_handle, "control")
    join(node, switch_handle, "right", right_handle, "control")
    switch.right.peer.move(Point(0.0, 0.0))
    left_handle.close()
    assert switch.log == ["left connected", "right connected", "right moved", "left disconnected"]


def test_a_template_passes_values_of_the_class_it_was_given(node: Node) -> None:
    relay_handle, _ = build(node, Relay, TEXT)
    source_handle, source = build(node, TextSource)
    sink_handle, sink = build(node, TextSink)
    join(node, source_handle, "out", relay_handle, "source")
    join(node, relay_handle, "target", sink_handle, "end")
    source.out.peer.take("hello")
    assert sink.taken == ["hello"]


def test_a_template_given_another_class_does_not_match(node: Node) -> None:
    from liven.types.terms.value_types import FLOAT64

    relay_handle, _ = build(node, Relay, FLOAT64)
    source_handle, _ = build(node, TextSource)
    with pytest.raises(MismatchError):
        join(node, source_handle, "out", relay_handle, "source")


def test_a_fault_in_a_handler_names_the_object(node: Node, problems: Problems, crank: HandCranked) -> None:
    handle, plane = build(node, Plane, name="one")
    probe = Probe.joined_to(node, handle.endpoint("control"))
    plane.control.peer  # noqa: B018 read before it is broken
    plane.log = None
    probe.send("move", {"to": {"x": 1.0, "y": 2.0}, "label": "x"})
    (problem,) = problems
    assert problem.kind is Kind.RAISED
    assert problem.where == ("Plane",)
    assert "control.move" in problem.what


def test_a_blueprint_is_made_once(node: Node) -> None:
    declaration = declaration_of(Tower)
    assert BLUEPRINTS.of(declaration) is BLUEPRINTS.of(declaration)
    assert isinstance(BLUEPRINTS.of(declaration), Blueprint)


def test_exact_widening_passes_through_a_wrapper(node: Node) -> None:
    @interface
    class Small(Protocol):
        def halve(self, n: Int32) -> int: ...

    @proxy(id="00000000000000000000000000000A13")
    class SmallCaller:
        end: Imports[Small]

    caller_handle, caller = build(node, SmallCaller)
    handle, later = build(node, Later)
    join(node, caller_handle, "end", handle, "end")
    reply = caller.end.peer.halve(2)
    later.asked[0].resolve(5)
    assert reply.value() == 7


@proxy(id="00000000000000000000000000000A0F", names={"most_items": "most items"})
class Renamed:
    """References call its parameter by a name that is not valid in Python."""

    end: Exports[TakesText]

    def __init__(self, most_items: int = 3) -> None:
        self.most_items = most_items

    def take(self, item: str) -> None: ...


def test_a_parameter_may_have_a_name_that_is_not_valid_in_python(node: Node) -> None:
    declaration = declaration_of(Renamed)
    assert [parameter.name for parameter in declaration.values(())] == ["most items"]
    _, given = build(node, Renamed, **{"most items": 7})
    _, left_out = build(node, Renamed)
    assert (given.most_items, left_out.most_items) == (7, 3)
