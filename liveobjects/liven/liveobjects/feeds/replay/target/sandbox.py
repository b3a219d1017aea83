"""The sandbox: the recorded object built a second time, with every channel played from the recording.

It has a node of its own, so nothing in it can reach what runs live. The recipe and the types are as recorded;
`replayed_channels` stand in for the code of channels. There is no network, nothing is stored, and files of
this computer are refused. Views work as they do on the live object.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final, Protocol

from liven.liveobjects.channel.line.transport import Line, Receiver
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.channel.process.user_keys import UserKeys
from liven.liveobjects.feeds.record import FORK
from liven.liveobjects.feeds.replay.moments import Keeps, Moments
from liven.liveobjects.feeds.replay.options import Options, whole, window_of
from liven.liveobjects.feeds.replay.rows import CHANNEL, Event, is_for_objects
from liven.liveobjects.feeds.replay.source.source import Source
from liven.liveobjects.feeds.replay.target.hub import ReplayedClient, ReplayHub, pass_on
from liven.liveobjects.feeds.replay.target.replayed_channels import STAND_INS
from liven.liveobjects.feeds.value_face import face_of
from liven.runtime.capability import Consent
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher.dispatcher import Dispatcher
from liven.runtime.errors import CallFailedError
from liven.runtime.loader import Classes, Loader, Progress
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.proxy_builder import Blueprint, Blueprints
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.value_bridge import ValueBridges
from liven.runtime.problems import Kind, Problem, Problems
from liven.runtime.reference.model import Object
from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.declaration import ProxyDeclaration

NETWORK: Final = "home"
_PART: Final = 0.004
"""Seconds of work in one turn of the event loop."""
_NO_FILES: Final = "a replay reaches no files of this computer"


class BuildsClasses(Protocol):
    """A function that returns the source of code for the objects of a node."""

    def __call__(self, node: Node, /) -> Classes: ...


class _StandIns(Blueprints):
    """Blueprints with those of the stand-ins in place of channels."""

    def of(self, declaration: ProxyDeclaration, arguments: tuple[Any, ...] = ()) -> Blueprint:
        stand_in = STAND_INS.get(declaration.cls)
        return super().of(declaration if stand_in is None else declaration_of(stand_in), arguments)


class _NoNetwork:
    """The transport of a sandbox."""

    def open(self, name: str, receiver: Receiver) -> Line:  # noqa: ARG002
        """Refuse to join a group."""
        raise CallFailedError(f"{name}: a replay has no network; only recorded channels are played")


class Sandbox:
    """One replayed object."""

    has_room = True

    def __init__(
        self,
        source: Source,
        recipe: Object,
        dispatcher: Dispatcher,
        problems: Problems,
        known: TypeKnowledge,
        *,
        options: Options | None = None,
        classes: BuildsClasses | None = None,
        network: str = "",
        user_keys: Callable[[], UserKeys] = UserKeys.make,
    ) -> None:
        """Begin to build the object. `problems` are those of this sandbox alone, and `classes` gives the code
        of installed libraries. `network` is the first part of the channels' names; by default that of the
        recorded ones. `user_keys` returns the keys of the person, who may be a reader of an encrypted
        channel."""
        options = options or Options()
        window = window_of(source, options.start, options.end, whole(source))
        self.moments = Moments(source, options.selection, options.remap, window.begin.sequence)
        self.problems = problems
        self.handle: ProxyHandle | None = None
        """The object, once it is built."""
        self.value: tuple[Any, ...] = ()
        """The present value of an object that is a value stream, in neutral form; empty without one."""
        self.on_value: Callable[[], object] = lambda: None
        """Called with each new value."""
        self._reader: Probe | None = None
        self.on_change: Callable[[], object] = lambda: None
        """Called after events were given and when a state was rebuilt."""
        self.at = window.begin.sequence
        """The sequence before which everything selected is in the state."""
        self._source = source
        self._told: set[str] = set()
        self._dispatcher = dispatcher
        self._valid = False
        self._closed = False
        self._waits = False
        self._catching_up: Iterator[None] | None = None
        self.hub = ReplayHub(self._opened)
        self.node = Node(dispatcher, problems, known.matcher, ValueBridges())
        system = ChannelSystem(_NoNetwork(), dispatcher, problems.report, network or _network_of(source))
        self.node.services[ReplayHub] = lambda: self.hub
        self.node.services[ChannelSystem] = lambda: system
        self.node.services[UserKeys] = user_keys
        self._loader = Loader(
            self.node,
            known,
            None if classes is None else classes(self.node),
            Consent(advice=_NO_FILES),
            blueprints=_StandIns(),
        )
        self._recipe = recipe
        self._loading: Reply[ProxyHandle] | None = None

    def open(self, progress: Callable[[Progress], object] | None = None) -> Reply[ProxyHandle]:
        """Build the object; the reply is settled when it runs and has its state. A failure is reported as a
        problem, too."""
        self._loading = self._loader.dereference(self._recipe, progress=progress)
        opened: Reply[ProxyHandle] = Reply(self._loading.cancel)

        def built(reply: Reply[ProxyHandle]) -> None:
            if reply.error is not None:
                opened.fail(reply.error)
                return
            self.handle = reply.value()
            self._read_value(self.handle)
            self._dispatcher.call_soon(ready)  # its channels are connected by then

        def ready() -> None:
            if self.handle is None or opened.settled:
                return
            if self._valid and any(not client.has_begun for client in self.hub):
                if self._catching_up is None:
                    self._begin_late()
                self._dispatcher.call_soon(ready)  # its state is built in parts, between other calls
            else:
                opened.resolve(self.handle)

        self._loading.then(built)
        return opened

    def deliver(self, events: Sequence[Event]) -> None:
        """Give events to the objects."""
        for fork, run in groupby(events, key=lambda event: bool(event.record.flags & FORK)):
            if fork:
                for event in run:
                    self._go_back(event)
            else:
                self.hub.deliver([event for event in run if is_for_objects(event.record)])
        self.at = events[-1].sequence + 1
        self.on_change()

    def rebuild(self, at: int) -> Iterator[None]:
        """Get to the state before `at`: from here if no checkpoint is nearer, or else from that."""
        here = self.at if self._valid and at >= self.at else None
        self._valid, self._catching_up = False, None
        if here is None:
            self.value = ()
            for client in self.hub:
                client.has_begun = False
        yield from self._restored([client for client in self.hub if client.has_begun], at, here)
        while late := [client for client in self.hub if not client.has_begun]:
            yield from self._restored(late, at, None)
            for client in late:
                client.has_begun = True
        self.at, self._valid = at, True
        self.on_change()

    @property
    def is_complete(self) -> bool:
        """True if every object that has opened a channel has the state at the place of the replay. One that
        opened it late gets its state in parts, between other events."""
        return self._valid and not self._waits and all(client.has_begun for client in self.hub)

    def digest(self) -> str:
        """Return a hash of the states on all channels, equal for equal states."""
        self.settle()
        whole_state = hashlib.sha256()
        for name, digest in sorted(self.hub.digests().items()):
            for part in (name.encode(), digest):
                whole_state.update(len(part).to_bytes(4, "big") + part)
        return whole_state.hexdigest()

    def settle(self) -> None:
        """Give every object that has opened a channel its state now, instead of in the next turns."""
        late = [client for client in self.hub if not client.has_begun]
        if late and self._valid and not self._closed:
            self._catching_up = None
            for _ in self._caught_up(late):
                pass

    def close(self) -> None:
        """End the object."""
        self._closed = True
        if self._loading is not None and not self._loading.settled:
            self._loading.cancel()
        if self._reader is not None:
            self._reader.close()
        if self.handle is not None:
            self.handle.close()
            self.handle = None
        self._loader.close()

    @property
    def is_value(self) -> bool:
        """True if the object is a value stream that nothing else reads."""
        return self._reader is not None

    def _read_value(self, handle: ProxyHandle) -> None:
        """Read the values of an object that is a stream, as the person who looks at it would."""
        face = face_of(handle.endpoints)
        if face is not None:
            self._reader = face.reader("replay", self._show_value)

    def _show_value(self, value: Any) -> None:
        self.value = (value,)
        self.on_value()

    def _restored(self, clients: Sequence[ReplayedClient], at: int, here: int | None) -> Iterator[None]:
        """Give clients the state before `at`, `here` being the place where they are; None for no place."""
        bases = yield from self.moments.find({client.name: client.keeps for client in clients}, at)
        if here is not None and any(fork.sequence >= here for each in bases.forks.values() for fork in each):
            here = None  # the way there is not the way that counts
        by_name: dict[str, list[ReplayedClient]] = {}
        for client in clients:
            by_name.setdefault(client.name, []).append(client)
            client.ignores_states = self.moments.is_limited(client.name)
            base = bases[client.name]
            if here is None or base >= here:
                client.begin(has_state=client.keeps is Keeps.STATE and base >= 0)
                if client.keeps is Keeps.STATE and base < 0:
                    self._tell_missing(client.name)
        for events in self.moments.operations(bases, at, here or 0):
            pass_on(events, by_name)
            yield

    def _tell_missing(self, name: str) -> None:
        """Report, once, that the beginning of a channel is not recorded any more."""
        if self._source.begin > 0 and name not in self._told:
            self._told.add(name)
            what = f"{name}: the recording begins with record {self._source.begin}, without a state"
            advice = "what is shown before the next recorded state is not complete"
            self.problems.report(Problem(Kind.RAISED, ("replay", name), what, advice))

    def _go_back(self, fork: Event) -> None:
        """Give the clients of a channel the state of the history that won."""
        clients = [one for one in self.hub if one.name == fork.record.channel and one.has_begun]
        for _ in self._restored(clients, fork.sequence + 1, None) if clients else ():
            pass

    def _opened(self) -> None:
        """Note that an object has opened a channel. It gets its state soon, with all others that did."""
        if not self._waits:
            self._waits = True
            self._dispatcher.call_soon(self._begin_late)

    def _begin_late(self) -> None:
        self._waits = False
        late = [client for client in self.hub if not client.has_begun]
        if late and self._valid and not self._closed:  # else a rebuild reaches all clients that there are
            self._catching_up = self._caught_up(late)  # an earlier one ends, whose clients are among these
            self._go_on(self._catching_up)

    def _caught_up(self, late: Sequence[ReplayedClient]) -> Iterator[None]:
        """Bring clients to the place of the replay, which moves on meanwhile."""
        here: int | None = None
        while here is None or here < self.at:
            at = self.at
            yield from self._restored(late, at, here)
            here = at
        for client in late:
            client.has_begun = True

    def _go_on(self, work: Iterator[None]) -> None:
        """Do a part of the work in each turn of the event loop, until it is done, or other work is."""
        until = self._dispatcher.now() + _PART
        while work is self._catching_up and self._valid and not self._closed:
            if next(work, self) is self:
                self._catching_up = None
                self.on_change()
            elif self._dispatcher.now() >= until:
                self._dispatcher.call_soon(lambda: self._go_on(work))
                return


def _network_of(source: Source) -> str:
    """Return the network that the first recorded channels have in common, or else the usual one."""
    rows = next(source.rows(source.begin, source.end), None)
    names = () if rows is None else rows.names[CHANNEL].table
    networks = {name.partition("/")[0] for name in names if name.count("/") > 1}
    return networks.pop() if len(networks) == 1 else NETWORK
