"""Loading: from a reference to running proxies."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Protocol

from figure_report import Figure, best_of

from liven.runtime.reference.model import Document, Parameter, Plain, Reference
from liven.runtime.reference.xml import compact, read, write
from liven.runtime.testing import Bench
from liven.types.catalogue import register
from liven.types.declare import Exports, Imports, interface, proxy, scan


@interface
class Takes(Protocol):
    def take(self, text: str) -> None: ...


@proxy(id="00000000000000000000000000FE0011", alias="bench:pipe")
class Pipe:
    end: Exports[Takes]
    out: Imports[Takes]

    def take(self, text: str) -> None:
        self.out.peer.take(text)


@proxy(id="00000000000000000000000000FE0012", alias="bench:sink")
class Sink:
    end: Exports[Takes]

    def take(self, text: str) -> None:
        pass


def deep(levels: int) -> Reference:
    """Return a recipe nested that deep."""
    thing = Reference("bench:sink")
    for _ in range(levels - 1):
        thing = Reference("bench:pipe", (Parameter("out", thing),))
    return thing


def figures() -> Iterator[Figure]:
    """Yield all figures."""
    with Bench() as bench:
        register(bench.known.catalogue, scan(sys.modules[__name__]), bench.known.matcher)

        def dereference(thing: Reference) -> None:
            bench.loader.dereference(thing).value().close()

        one, twenty = deep(1), deep(20)
        data = write(Document(twenty))
        folder = Reference("liven:memory-folder", (Parameter("name", Plain("string", "bench")),))
        shelf = bench.load(folder)
        shelf.instance.add("sink", type("R", (), {"xml": compact(one)}))
        item = Reference("sink", source=folder)
        dereference(twenty)
        yield Figure("dereference, one object", best_of(5, 50, lambda: dereference(one)) * 1e3, "ms")
        yield Figure("dereference, 20 deep", best_of(7, 10, lambda: dereference(twenty)) * 1e3, "ms", 5)
        yield Figure("item of a kept folder", best_of(5, 20, lambda: dereference(item)) * 1e3, "ms")
        bench.loader.close()

        def whole() -> None:
            thing = read(data).object
            assert isinstance(thing, Reference)
            dereference(thing)

        yield Figure("bytes to running, 20 deep", best_of(5, 10, whole) * 1e3, "ms")
