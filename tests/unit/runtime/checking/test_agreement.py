"""The check refuses exactly the recipes that the runtime refuses to build.

The same recipes are checked, and built by a loader whose check accepts everything.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Protocol

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from liven.runtime.checking import NO_CHOICES, Checker, ChosenCode, Report
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher import HandCranked
from liven.runtime.errors import DereferenceError
from liven.runtime.loader import Loader
from liven.runtime.objects.context import Context
from liven.runtime.objects.node import Node
from liven.runtime.objects.value_bridge import ValueBridges
from liven.runtime.problems import Problems
from liven.runtime.reference.model import (
    Component,
    Composite,
    Connection,
    Export,
    Object,
    Parameter,
    Reference,
)
from liven.types.catalogue import register
from liven.types.declare import Declarations, Exports, Imports, interface, provides, proxy, requires
from liven.types.declare.annotation.reader import declaration_of


@interface
class Post(Protocol):
    def say(self, words: str) -> None: ...


@interface
class Shout(Protocol):
    def say(self, words: str) -> None: ...
    def shout(self, words: str) -> None: ...


class Listener:
    def say(self, words: str) -> None:
        """Ignore it."""

    def shout(self, words: str) -> None:
        """Ignore it."""


@proxy(id="0A000000000000000000000000000001", alias="t:author")
class Author:
    out: Imports[Post]


@proxy(id="0A000000000000000000000000000002", alias="t:shouter")
class Shouter:
    out: Imports[Shout]


@proxy(id="0A000000000000000000000000000003", alias="t:careful")
class Careful:
    out: Annotated[Imports[Post], requires("guarantee", "fifo")]


@proxy(id="0A000000000000000000000000000004", alias="t:box")
class Box(Listener):
    into: Exports[Post]


@proxy(id="0A000000000000000000000000000005", alias="t:loud-box")
class LoudBox(Listener):
    into: Exports[Shout]


@proxy(id="0A000000000000000000000000000006", alias="t:causal-box")
class CausalBox(Listener):
    into: Annotated[Exports[Post], provides("guarantee", "causal")]


@proxy(id="0A000000000000000000000000000007", alias="t:wide", delegates=("one", "two"))
class Wide:
    one: Exports[Post]
    two: Exports[Shout]

    def __init__(self, context: Context) -> None:
        for endpoint in ("one", "two"):
            context.serve(endpoint, Listener())


CLASSES = (Author, Shouter, Careful, Box, LoudBox, CausalBox, Wide)
ALIASES = [declaration_of(one).tag.alias for one in CLASSES]
PORTS = (
    {"t:wide": ("one", "two")} | dict.fromkeys(ALIASES[:3], ("out",)) | dict.fromkeys(ALIASES[3:6], ("into",))
)


class Lenient(Checker):
    """A checker that returns the type of each part and never finds a fault."""

    def check(self, thing: Object, choices: ChosenCode = NO_CHOICES) -> Report:
        return replace(super().check(thing, choices), faults=())


@pytest.fixture(scope="module")
def known() -> TypeKnowledge:
    known = TypeKnowledge.stock()
    declared = Declarations(__name__, tuple(declaration_of(one) for one in CLASSES))
    register(known.catalogue, declared, known.matcher)
    return known


def given_to(alias: str) -> st.SearchStrategy[Reference]:
    """Return an object, perhaps with another given for its endpoint `out`."""
    alone = st.just(Reference(alias))
    if alias not in ("t:author", "t:shouter", "t:careful"):
        return alone
    other = st.sampled_from(ALIASES).map(
        lambda inner: Reference(alias, (Parameter("out", Reference(inner)),))
    )
    return alone | other


@st.composite
def recipes(draw: st.DrawFn) -> Composite:
    """Composites with valid names and perhaps wrong types."""
    things = draw(st.lists(st.sampled_from(ALIASES).flatmap(given_to), min_size=1, max_size=5))
    components = tuple(Component(f"c{number}", thing) for number, thing in enumerate(things))
    ports = [f"{part.id}.{port}" for part in components for port in PORTS[part.object.id]]
    ports += draw(st.sampled_from([[], [], [], ["c0.nothing"]]))
    ends = draw(st.lists(st.sampled_from(ports), max_size=6, unique=True))
    half = draw(st.integers(0, len(ends) // 2))
    pairs = zip(ends[:half], ends[half : 2 * half], strict=True)
    joints = tuple(Connection(left, right) for left, right in pairs)
    shown = ends[2 * half :] + draw(st.sampled_from([[], [], ends[:1], ends[-1:]]))
    exports = tuple(Export(f"e{number}", end) for number, end in enumerate(shown))
    return Composite("", (), components, exports, joints)


def can_be_built(known: TypeKnowledge, thing: Object) -> bool:
    crank, problems = HandCranked(), Problems()
    lenient = replace(known, checker=Lenient(known.catalogue, known.matcher))
    loader = Loader(Node(crank, problems, known.matcher, ValueBridges()), lenient)
    reply = loader.dereference(thing)
    crank.settle()
    try:
        reply.value().close()
    except DereferenceError:
        return False
    finally:
        loader.close()
    return True


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(recipe=recipes())
def test_a_recipe_is_built_exactly_if_the_check_accepts_it(known: TypeKnowledge, recipe: Composite) -> None:
    report = known.checker.check(recipe)
    assert report.ok == can_be_built(known, recipe), [str(fault) for fault in report.faults]


@pytest.mark.parametrize("left", ALIASES[:3])
@pytest.mark.parametrize("right", ALIASES[3:6])
def test_every_pair_of_endpoints_is_judged_alike(known: TypeKnowledge, left: str, right: str) -> None:
    parts = (Component("a", Reference(left)), Component("b", Reference(right)))
    recipe = Composite("", (), parts, (), (Connection("a.out", "b.into"),))
    fits = {("t:author", "t:box"), ("t:author", "t:loud-box"), ("t:author", "t:causal-box")}
    fits |= {("t:shouter", "t:loud-box"), ("t:careful", "t:causal-box")}
    assert known.checker.check(recipe).ok == ((left, right) in fits)
    assert can_be_built(known, recipe) == ((left, right) in fits)


def test_a_connected_or_exported_endpoint_cannot_be_exported_again(known: TypeKnowledge) -> None:
    joined = Composite(
        "",
        (),
        (Component("a", Reference("t:author")), Component("b", Reference("t:box"))),
        (Export("e", "b.into"),),
        (Connection("a.out", "b.into"),),
    )
    given = replace(joined, components=(Component("b", given_object()),), connections=())
    given = replace(given, exports=(Export("e", "b.out"),))
    twice = replace(joined, exports=(Export("e", "b.into"), Export("f", "b.into")), connections=())
    for recipe in (joined, given, twice):
        assert not known.checker.check(recipe).ok
        assert not can_be_built(known, recipe)
    assert can_be_built(known, replace(joined, exports=()))
    assert can_be_built(known, replace(joined, connections=()))


def given_object() -> Reference:
    return Reference("t:author", (Parameter("out", Reference("t:box")),))
