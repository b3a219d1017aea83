"""Recipes of every shape, some with a fault in them: all of it runs, or none of it does."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Protocol

from hypothesis import given, settings
from hypothesis import strategies as st

from liven.runtime.errors import DereferenceError
from liven.runtime.objects.context import Context
from liven.runtime.objects.probe import Probe
from liven.runtime.reference.model import (
    Component,
    Composite,
    Connection,
    Export,
    Object,
    Parameter,
    Plain,
    Reference,
)
from liven.runtime.reference.xml import compact
from liven.runtime.testing import Bench
from liven.types.catalogue import register
from liven.types.declare import Exports, Imports, interface, proxy, scan


@interface
class Takes(Protocol):
    def take(self, text: str) -> None: ...


@proxy(id="0000000000000000000000000000B901", alias="law:pipe")
class Pipe:
    end: Exports[Takes]
    out: Imports[Takes]

    def __init__(self, context: Context, broken: bool = False) -> None:
        self.context = context
        if broken:
            raise LookupError("broken by law")

    def take(self, text: str) -> None:
        if self.context.connected("out"):
            self.out.peer.take(text + ">")


BENCH = Bench()
register(BENCH.known.catalogue, scan(sys.modules[__name__]), BENCH.known.matcher)


@dataclass(frozen=True)
class Shape:
    """A recipe that takes text at `end`, the number of its proxies, and True if a part of it is broken."""

    thing: Object
    proxies: int
    broken: bool


def leaf(broken: bool) -> Shape:
    given_ = (Parameter("broken", Plain("boolean", "true")),) if broken else ()
    return Shape(Reference("law:pipe", given_), 1, broken)


def nested(inner: Shape) -> Shape:
    """Return the inner recipe given to a pipe as its `out`."""
    thing = Reference("law:pipe", (Parameter("out", inner.thing),))
    return Shape(thing, inner.proxies + 1, inner.broken)


def chained(inner: Shape) -> Shape:
    """Return a composite of a pipe and the inner recipe behind it, exported as `end`."""
    thing = Composite(
        "",
        components=(Component("first", Reference("law:pipe")), Component("rest", inner.thing)),
        connections=(Connection("first.out", "rest.end"),),
        exports=(Export("end", "first.end"),),
    )
    return Shape(thing, inner.proxies + 2, inner.broken)


def foldered(inner: Shape) -> Shape:
    """Return the inner recipe, kept in a folder and requested from it."""
    name = f"item {abs(hash(inner.thing))}"
    folder = Reference("liven:memory-folder", (Parameter("name", Plain("string", "law")),))
    SHELF.add(name, type("R", (), {"xml": compact(inner.thing)}))
    return Shape(Reference(name, source=folder), inner.proxies, inner.broken)


SHELF_HOLDER = BENCH.load(Reference("liven:memory-folder", (Parameter("name", Plain("string", "law")),)))
SHELF = SHELF_HOLDER.instance


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_all_of_a_recipe_runs_or_none_of_it(data: st.DataObject) -> None:
    shape = leaf(data.draw(st.sampled_from([False, False, True])))
    for wrap in data.draw(st.lists(st.sampled_from([nested, chained, foldered]), max_size=6)):
        shape = wrap(shape)
    BENCH.loader.close()
    before = len(BENCH.node.running)
    reply = BENCH.loader.dereference(shape.thing)
    BENCH.crank.wait(lambda: reply.settled)
    BENCH.loader.close()
    SHELF._drawer.items.clear()
    if shape.broken:
        assert isinstance(reply.error, DereferenceError)
        assert "broken by law" in reply.error.what
        assert len(BENCH.problems) == 1
        BENCH.problems.clear()
    else:
        handle = reply.value()
        assert len(BENCH.node.running) == before + shape.proxies
        probe = Probe.joined_to(BENCH.node, handle.endpoint("end"))
        probe.send("take", {"text": ""})
        probe.close()
        del reply
        handle.close()
    assert len(BENCH.node.running) == before
    assert BENCH.problems == []
