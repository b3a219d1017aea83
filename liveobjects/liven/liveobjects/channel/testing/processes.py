"""Several processes on one clock, connected through a hub, to test shared objects.

    with Processes() as processes:
        ann, bob = processes.process("ann"), processes.process("bob")
        notes = [one.build(GroupChannel, TEXT, name="home/f/notes").probe("Channel") for one in (ann, bob)]
        notes[0].send("send", {"message": "hello"})
        processes.settle()

A problem fails the test at the end of the block, unless the test removed it from `problems`.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any, Self

from liven.liveobjects.channel.builtin import learn_channels
from liven.liveobjects.channel.line.local_transport import LocalHub
from liven.liveobjects.channel.line.transport import Transport
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.channel.process.recordings import Recordings
from liven.liveobjects.channel.process.user_keys import UserKeys
from liven.liveobjects.channel.store import Store, Sync
from liven.runtime.capability import Consent
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher import HandCranked
from liven.runtime.loader import Loader
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe
from liven.runtime.objects.promise_monitor import PromiseMonitors
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.proxy_builder import Blueprints
from liven.runtime.objects.value_bridge import ValueBridges
from liven.runtime.problems import Problem, Problems
from liven.runtime.process.builtin_objects import learn_stock
from liven.runtime.testing.immediate_workers import ImmediateWorkers
from liven.types.declare import TermBuilder
from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.annotation.shapes import GivenUse
from liven.types.declare.declaration import ProxyDeclaration


class Object:
    """An object in one process. `instance` is the author's own object."""

    def __init__(self, process: Process, handle: ProxyHandle) -> None:
        self._process = process
        self.handle = handle

    @property
    def instance(self) -> Any:
        """Return the author's object. Raises EndedError after it ended."""
        return self.handle.proxy().instance

    def probe(self, endpoint: str = "Channel") -> Probe:
        """Return a client connected to an endpoint, which uses neutral values."""
        known = self._process.known
        return Probe.joined_to(
            self._process.node, self.handle.endpoint(endpoint), formalisms=known.formalisms
        )

    def close(self) -> None:
        """End the object, as when its last user releases it."""
        self.handle.close()


class Process:
    """One process: a runtime of its own, on the shared clock. Every connection is monitored."""

    def __init__(self, processes: Processes, name: str, transport: Transport, store: Store | None) -> None:
        self.name = name
        self.problems: list[Problem] = []
        heard = Problems()
        heard.listen(self.problems.append)
        self.known = processes.known
        self.node = Node(processes.crank, heard, self.known.matcher, ValueBridges())
        self.node.monitors = PromiseMonitors(self.node, self.known.formalisms)
        self.node.workers = self.node.errands = ImmediateWorkers()
        self.system = ChannelSystem(transport, processes.crank, heard.report, "home", store)
        self.user = UserKeys.make()
        self.node.services[ChannelSystem] = lambda: self.system
        self.node.services[UserKeys] = lambda: self.user
        self.node.services[Recordings] = lambda: self.system.recordings
        self.node.services[TypeKnowledge] = lambda: self.known
        self.loader = Loader(self.node, self.known, consent=Consent((Path("/"),)))
        self._processes = processes
        self._terms = TermBuilder(self.known.formalisms)
        self._blueprints = Blueprints()
        self._built: list[Object] = []

    def build(self, cls: type, *classes: Any, **values: object) -> Object:
        """Build an object of a proxy class. `classes` are terms for its type parameters."""
        declaration = declaration_of(cls)
        assert isinstance(declaration, ProxyDeclaration)
        kind = self._terms.object(declaration.use(tuple(GivenUse(term) for term in classes)))
        blueprint = self._blueprints.of(declaration, classes)
        return self._kept(blueprint.build(self.node, (self.name, cls.__name__), kind, values))

    def load(self, reference: Any) -> Object:
        """Load an object from a reference, as text or model."""
        reply = self.loader.dereference(reference)
        self._processes.crank.wait(lambda: reply.settled)
        return self._kept(reply.value())

    def connect(self, one: Object, left: str, other: Object, right: str) -> None:
        """Connect endpoints of two objects."""
        self.node.connect(one.handle.endpoint(left), other.handle.endpoint(right))

    def close(self) -> None:
        """End all its objects, in order."""
        while self._built:
            self._built.pop().close()
        self.loader.close()

    def _kept(self, handle: ProxyHandle) -> Object:
        made = Object(self, handle)
        self._built.append(made)
        return made


class Processes:
    """The processes of a test."""

    def __init__(self, folder: Path | None = None, sync: Sync = Sync.NEVER) -> None:
        self._stray: list[Problem] = []
        self.crank = HandCranked(self._stray.append)
        self.hub = LocalHub(self.crank)
        self.known = learn_channels(learn_stock(TypeKnowledge.stock()))
        self.processes: list[Process] = []
        self._folder = folder
        self._sync = sync
        self._stores: list[Store] = []

    def process(
        self, name: str = "", transport: Transport | None = None, *, lacks_store: bool = False
    ) -> Process:
        """Start one more process. If there is a folder, the process stores its data in a subfolder of its
        name, unless it `lacks_store`."""
        name = name or f"p{len(self.processes) + 1}"
        store = self._store(name) if self._folder is not None and not lacks_store else None
        process = Process(self, name, transport or self.hub.member(), store)
        process.system.lacks_store = lacks_store
        self.processes.append(process)
        return process

    def stop(self, name: str) -> None:
        """End a process in good order, and free its folder."""
        for process in (each for each in self.processes if each.name == name):
            process.close()
        self.advance(3)
        for store in (each for each in self._stores if each.log.segments.folder.name == name):
            store.close()

    @property
    def problems(self) -> list[Problem]:
        """All problems reported so far."""
        return self._stray + [problem for process in self.processes for problem in process.problems]

    def expect(self, text: str) -> Problem:
        """Remove and return the problem that contains `text`. The test fails if there is none."""
        for problems in (self._stray, *(process.problems for process in self.processes)):
            for problem in problems:
                if text in str(problem) or text in problem.detail:
                    problems.remove(problem)
                    return problem
        raise AssertionError(f"nobody reported {text!r}; there is {[str(one) for one in self.problems]}")

    def settle(self) -> None:
        """Run everything that is due now."""
        self.crank.settle()

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.crank.advance(seconds)

    def close(self) -> None:
        """End all processes. Fails if there are unexpected problems."""
        for process in self.processes:
            process.close()
        self.crank.settle()
        for store in self._stores:
            store.close()
        if self.problems:
            told = "\n".join(f"{problem}\n{problem.detail}" for problem in self.problems)
            raise AssertionError(f"there are unexpected problems:\n{told}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()

    def _store(self, name: str) -> Store:
        assert self._folder is not None
        store = Store(self._folder / name, self.crank, lambda job: job(), self._stray.append, sync=self._sync)
        self._stores.append(store)
        return store
