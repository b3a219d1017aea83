"""The author's test bench: builds an object of a class, feeds it, looks at it, and lets time pass.

    with Bench() as bench:
        clock = bench.build(Clock, every=1.0)
        probe = clock.probe("out")
        bench.advance(3)
        assert probe.heard == [("connect",), ("tick", 1), ("tick", 2), ("tick", 3)]

A problem fails the test that leaves the bench, unless the test took it out of `bench.problems`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from liven.runtime.capability import Consent
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher import HandCranked
from liven.runtime.loader import Loader
from liven.runtime.objects.connection import Connection
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.proxy_builder import Blueprints
from liven.runtime.objects.value_bridge import ValueBridges
from liven.runtime.problems import Problem, Problems
from liven.runtime.process.builtin_objects import learn_stock
from liven.runtime.testing.fake_channel import FakeChannel
from liven.runtime.testing.immediate_workers import ImmediateWorkers
from liven.types.catalogue import register
from liven.types.declare import TermBuilder, scan
from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.annotation.shapes import GivenUse
from liven.types.declare.declaration import ProxyDeclaration


class Built:
    """An object under test: `instance` is the author's own."""

    def __init__(self, bench: Bench, handle: ProxyHandle) -> None:
        self._bench = bench
        self.handle = handle

    @property
    def instance(self) -> Any:
        """The author's object; raises EndedError once it has ended."""
        return self.handle.proxy().instance

    def probe(self, endpoint: str) -> Probe:
        """Return a probe connected to an endpoint, with values as the author's own module declares them."""
        known = self._bench.known
        return Probe.joined_to(
            self._bench.node, self.handle.endpoint(endpoint), formalisms=known.formalisms, same_words=True
        )

    def close(self) -> None:
        """End the object, as if its last user had released it."""
        self.handle.close()


class Bench:
    """A whole runtime under a hand-cranked dispatcher.

    Time stands still until `advance`, and background work is done at once.
    """

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        """The reported problems; a test that expects one removes it."""
        heard = Problems()
        heard.listen(self.problems.append)
        self.crank = HandCranked(heard.report)
        self.known = learn_stock(TypeKnowledge.stock())
        self.node = Node(self.crank, heard, self.known.matcher, ValueBridges())
        self.node.workers = self.node.errands = ImmediateWorkers()
        self.loader = Loader(self.node, self.known, consent=Consent((Path("/"),)))
        self._terms = TermBuilder(self.known.formalisms)
        self._blueprints = Blueprints()
        self._built: list[Built] = []

    def build(self, cls: type, *classes: Any, **values: object) -> Built:
        """Return an object of a proxy class: `classes` are terms for its type parameters,
        `values` go to its constructor."""
        declaration: ProxyDeclaration | None = declaration_of(cls)
        if not isinstance(declaration, ProxyDeclaration):
            raise TypeError(f"{cls.__name__} is not a proxy class; put @proxy(id=...) above it")
        kind = self._terms.object(declaration.use(tuple(GivenUse(term) for term in classes)))
        handle = self._blueprints.of(declaration, classes).build(self.node, (cls.__name__,), kind, values)
        return self._kept(handle)

    def load(self, reference: Any, *modules: str) -> Built:
        """Return an object from a reference (text or model),
        after learning the classes of the named `modules`."""
        for name in modules:
            register(self.known.catalogue, scan(sys.modules[name]), self.known.matcher)
        reply = self.loader.dereference(reference)
        self.crank.wait(lambda: reply.settled)
        return self._kept(reply.value())

    def connect(self, one: Built, left: str, other: Built, right: str) -> Connection:
        """Join an endpoint of one object to one of another."""
        return self.node.connect(one.handle.endpoint(left), other.handle.endpoint(right))

    def channel(self) -> FakeChannel:
        """Return a checkpointed channel that needs no network."""
        return FakeChannel(self.node)

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.crank.advance(seconds)

    def close(self) -> None:
        """End every object, and fail if there is a problem that the test did not expect."""
        while self._built:
            self._built.pop().close()
        self.loader.close()
        self.crank.settle()
        if self.problems:
            told = "\n".join(f"{problem}\n{problem.detail}" for problem in self.problems)
            raise AssertionError(f"the bench was left with problems:\n{told}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()

    def _kept(self, handle: ProxyHandle) -> Built:
        built = Built(self, handle)
        self._built.append(built)
        return built
