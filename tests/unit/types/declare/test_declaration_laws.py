"""Laws of random declarations, written by two authors in different orders."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from liven.types.declare import TermBuilder, declaration_of, scan
from liven.types.declare.annotation.shapes import InterfaceUse
from liven.types.formalism.registry import Formalisms
from liven.types.fronts import Fronts
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType
from liven.types.terms.hashing import structural_hash
from liven.types.terms.interfaces import REPLY, incoming, outgoing
from liven.types.terms.value_types import Record
from liven.types.terms.wellformed import demand_wellformed

TYPES = ("int", "float", "str", "bool", "list[Item]", "Item | None", "dict[str, float]", "Leaf | Fork")
HEAD = """
from __future__ import annotations
from typing import Protocol
from liven.types.declare import Dual, Exports, Imports, interface, object_type, value

@value
class Item:
    name: str
    inner: list[Item]

@value
class Leaf:
    size: int

@value
class Fork:
    left: Leaf | Fork
    right: Leaf | Fork
"""


@dataclass(frozen=True)
class Event:
    """A method of a random interface."""

    name: str
    parameters: tuple[tuple[str, str], ...]
    result: str

    def written(self) -> str:
        given = "".join(f", {name}: {type_}" for name, type_ in self.parameters)
        return f"    def {self.name}(self{given}) -> {self.result}: ...\n"


PARAMETERS = st.dictionaries(st.sampled_from("abc"), st.sampled_from(TYPES), max_size=3)
EVENTS = st.dictionaries(
    st.sampled_from(["go", "come", "say", "ask"]),
    st.tuples(PARAMETERS, st.sampled_from(("None", "None", *TYPES))),
    max_size=4,
).map(lambda found: [Event(name, tuple(given.items()), result) for name, (given, result) in found.items()])


def author(name: str, exported: list[Event], imported: list[Event]) -> ModuleType:
    """Return a module that declares an object with these interfaces, run afresh."""
    body = HEAD
    for interface, events in (("Up", exported), ("Down", imported)):
        methods = "".join(event.written() for event in events) or "    pass\n"
        body += f"\n@interface\nclass {interface}(Protocol):\n{methods}"
    body += "\n@object_type\nclass Thing:\n    door: Dual[Up, Down]\n"
    body += "\n@object_type\nclass Other:\n    door: Dual[Down, Up]\n"
    module = ModuleType(name)
    sys.modules[name] = module
    try:
        exec(compile(body, name, "exec"), vars(module))
    finally:
        del sys.modules[name]
    return module


def swapped(events: list[Event]) -> list[Event]:
    """Return the same events in another author's order."""
    return [Event(one.name, one.parameters[::-1], one.result) for one in reversed(events)]


def door(module: ModuleType, cls: str) -> EndpointType:
    [(_, endpoint)] = TermBuilder(Formalisms()).object_of(getattr(module, cls)).endpoints
    return endpoint


@settings(deadline=None, max_examples=60)
@given(EVENTS, EVENTS)
def test_two_authors_of_one_type_match_and_stand_for_each_other(
    exported: list[Event], imported: list[Event]
) -> None:
    first = author("first", exported, imported)
    second = author("second", swapped(exported), swapped(imported))
    matcher = Matcher(Formalisms())
    assert matcher.same(door(first, "Thing"), door(second, "Thing"))
    assert matcher.matches(door(first, "Thing"), door(second, "Other"))
    ends = zip(door(first, "Thing").inputs, door(second, "Thing").inputs, strict=True)
    assert all(structural_hash(one) == structural_hash(other) for (_, one), (_, other) in ends)


@settings(deadline=None, max_examples=60)
@given(EVENTS, EVENTS)
def test_terms_are_well_formed_and_directions_mirror(exported: list[Event], imported: list[Event]) -> None:
    module = author("first", exported, imported)
    thing, other = door(module, "Thing"), door(module, "Other")
    demand_wellformed(thing)
    assert (thing.inputs, thing.outputs) == (other.outputs, other.inputs)
    terms = TermBuilder(Formalisms())
    up, down = (terms.interface(InterfaceUse(getattr(module, name))) for name in ("Up", "Down"))
    assert (thing.inputs, thing.outputs) == (incoming(up, down), outgoing(up, down))
    replies = {event.name for event in exported if event.result != "None"}
    own = {name.removesuffix(REPLY) for name, _ in thing.outputs if name.endswith(REPLY)}
    assert own == replies


@settings(deadline=None, max_examples=40)
@given(EVENTS, st.sampled_from(TYPES))
def test_a_type_that_receives_more_is_a_subtype(events: list[Event], type_: str) -> None:
    more = author("more", [*events, Event("extra", (("a", type_),), "None")], [])
    less = author("less", events, [])
    matcher = Matcher(Formalisms())
    assert matcher.endpoint_subtype(door(more, "Thing"), door(less, "Thing"))
    assert not matcher.endpoint_subtype(door(less, "Thing"), door(more, "Thing"))
    assert not matcher.matches(door(less, "Thing"), door(more, "Other"))


@settings(deadline=None, max_examples=40)
@given(EVENTS)
def test_the_scan_finds_all_and_constructs_nothing(events: list[Event]) -> None:
    module = author("first", events, events)
    names = [one.cls.__name__ for one in scan(module)]
    assert names == ["Item", "Leaf", "Fork", "Up", "Down", "Thing", "Other"]


@settings(deadline=None, max_examples=40)
@given(EVENTS)
def test_every_event_has_a_way_through_front_and_back(events: list[Event]) -> None:
    first, second = author("first", events, []), author("second", swapped(events), [])
    called: list[str] = []

    class Server:
        def __getattr__(self, name: str) -> Any:
            def take(**given: Any) -> Any:
                called.append(name)
                return sample(second, results[name])

            return take

    results = {event.name: event.result for event in events}
    front = Fronts().bridge(first.Up, second.Up, Server())
    for event in events:
        given = {name: sample(first, type_) for name, type_ in event.parameters}
        answer = getattr(front, event.name)(**given)
        assert answer == sample(first, event.result)
    assert called == [event.name for event in events]
    assert len(declaration_of(first.Up).methods(())) == len(events)


def sample(module: ModuleType, type_: str) -> Any:
    """Return a value of that type in that author's classes."""
    leaf = module.Leaf(1)
    return {
        "None": None,
        "int": 3,
        "float": 0.5,
        "str": "x",
        "bool": True,
        "list[Item]": [module.Item("a", [module.Item("b", [])])],
        "Item | None": None,
        "dict[str, float]": {"k": 1.0},
        "Leaf | Fork": module.Fork(leaf, module.Fork(leaf, leaf)),
    }[type_]


def test_an_event_without_parameters_carries_an_empty_record() -> None:
    module = author("first", [Event("go", (), "None")], [])
    assert door(module, "Thing").inputs == (("go", Record(())),)
