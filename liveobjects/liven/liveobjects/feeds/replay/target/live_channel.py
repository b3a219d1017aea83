"""A live channel as a target: others have it open, and their objects take the events as their own.

The kind of the channel and its value classes are asked of the members, so a channel that nobody has open is
refused. Events are marked in two ways. While the replay lasts, a presence channel named `<channel>/replay`
shows a text with the title of the recording. Operations that name their author say `replay of <author>` and
come from an origin of their own, so no replica takes them for that person's.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.line.type_handshake import KeeperHandshake, WrongClassesError
from liven.liveobjects.channel.objects.group import GroupChannel
from liven.liveobjects.channel.objects.keeper import KEEPS, KeeperSession
from liven.liveobjects.channel.objects.ordered import OrderedGroupChannel
from liven.liveobjects.channel.objects.presence import PresenceChannel
from liven.liveobjects.channel.objects.value_stream import SharedValue
from liven.liveobjects.channel.ordering import ChannelBusyError
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.feeds.record import CHECKPOINT
from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.rows import Event, is_for_objects
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.proxy_builder import Blueprints
from liven.types.codec import Codec, CodecError
from liven.types.codec.type_form import TypeFormError, type_of
from liven.types.declare import TermBuilder
from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.annotation.shapes import GivenUse
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.registry import Formalisms
from liven.types.terms.value_types import TEXT, Record, ValueType

REPLAY: Final = "/replay"
"""The end of the name of the presence channel that shows a replay."""
MARK: Final = "replay of "
ANSWER_WITHIN: Final = 10.0
"""Seconds to wait for a member that says which kind of channel it is."""
LEAVE_WITHIN: Final = 10.0
"""Seconds to wait at the end until others have everything."""
_LOOK_EVERY: Final = 0.05
_WAITING_MOST: Final = 1000
"""Events that may wait for room in the channel; then the replay waits."""
_GESTURE: Final = frozenset({"origin", "number", "author"})
_CHECKPOINTED: Final = "checkpointed"
_CLASSES: Final[dict[str, tuple[type, str, str, str]]] = {
    "group": (GroupChannel, "Channel", "send", "message"),
    "ordered": (OrderedGroupChannel, "Channel", "send", "message"),
    "value": (SharedValue, "Endpoint", "set", "value"),
}
"""For each kind: the class, its endpoint, the event that sends, and its parameter."""


class LiveChannel:
    """One live channel, opened by the members' own classes."""

    def __init__(self, node: Node, known: TypeKnowledge, name: str, title: str) -> None:
        """Ask the members of the channel called `name` for its classes. `title` is what they see."""
        self.name = name
        self.has_room = True
        """False while the channel takes no more; the replay waits then."""
        self._node = node
        self._system: ChannelSystem = node.service(ChannelSystem)
        self._builder = _ObjectBuilder(node, known)
        self._title = title
        self._codec: Codec | None = None
        self._session: KeeperSession | None = None
        self._probe: Probe | None = None
        self._sends = ("", "")
        self._takes_states = False
        self._open: list[ProxyHandle] = []
        self._waiting: deque[Any] = deque()
        self._channels: set[str] = set()
        self._ready: Callable[[str], object] | None = None
        self._origin = os.urandom(16)
        self._ended = False
        self._timer: Entry | None = None
        self._asking: KeeperHandshake | None = KeeperHandshake(
            self._system.transport, name, b"", lambda _: None, self._refused, self._learned
        )
        self._limit = node.dispatcher.call_later(ANSWER_WITHIN, self._unanswered)

    def when_ready(self, call: Callable[[str], object]) -> None:
        """Call once it can be played into, with the reason if it cannot; empty if it can."""
        self._ready = call

    def deliver(self, events: Sequence[Event]) -> None:
        for event in events:
            if is_for_objects(event.record) and (self._takes_states or not event.record.flags & CHECKPOINT):
                self._check_channel(event)
                self._waiting.append(self._marked(event))
        self._drain()

    def rebuild(self, at: int) -> Iterator[None]:  # noqa: ARG002
        """Do nothing: what others have received cannot be taken back."""
        return iter(())

    def finish(self, done: Callable[[], object]) -> None:
        """Leave, once others have what was played; call `done` then, or after a short time."""
        until = self._node.dispatcher.now() + LEAVE_WITHIN

        def look() -> None:
            self._drain()
            left = len(self._waiting) + (0 if self._session is None else self._session.unacknowledged)
            if left and self._node.dispatcher.now() < until:
                self._node.dispatcher.call_later(_LOOK_EVERY, look)
            else:
                self.close()
                done()

        look()

    def close(self) -> None:
        """Leave the channel."""
        self._ended = True
        self._limit.cancel()
        if self._timer is not None:
            self._timer.cancel()
        self._stop_asking()
        if self._probe is not None:
            self._probe.close()
        while self._open:
            self._open.pop().close()
        session, self._session = self._session, None
        if session is not None:
            self._system.left(self.name)
            self._system.drop_session(self.name)
            session.leave()

    # Opening

    def _learned(self, words: bytes) -> None:
        if self._asking is None or self._ended:
            return
        self._limit.cancel()
        # the line may be left only outside of its own call
        self._node.dispatcher.call_soon(lambda: self._open_as(words))

    def _open_as(self, words: bytes) -> None:
        self._stop_asking()
        if self._ended:
            return
        try:
            kind, message = _classes_in(words)
            self._codec = Codec(message)
            if kind == _CHECKPOINTED:
                self._system.entered(self.name, KEEPS)
                self._session = self._system.shared(KeeperSession, self.name, self._made)
                self._wait_for_session()
            else:
                self._open_object(kind, message)
                self._begin()
        except (ReplayError, WrongClassesError, CodecError, ValueError) as error:
            self._say(str(error))

    def _made(self) -> KeeperSession:
        return KeeperSession(self._system, self.name)

    def _wait_for_session(self) -> None:
        if self._session is None:
            return
        if self._session.begun:
            self._begin()
        else:
            self._node.dispatcher.call_later(_LOOK_EVERY, self._wait_for_session)

    def _open_object(self, kind: str, message: ValueType) -> None:
        found = _CLASSES.get(kind)
        if found is None:
            raise ReplayError(
                f"{self.name} is a channel of the kind {kind!r}", "nothing can be played into it"
            )
        cls, endpoint, event, parameter = found
        if kind == "value":
            message = _field(message, "value")
            self._codec, self._takes_states = Codec(message), True
        handle = self._builder.build(cls, message, self.name)
        self._open.append(handle)
        self._sends = event, parameter
        self._probe = Probe.joined_to(
            self._node, handle.endpoint(endpoint), "replay", formalisms=self._builder.known.formalisms
        )
        self._probe.react(**{one: _ignore for one, _ in self._probe.end.type.inputs})

    def _begin(self) -> None:
        """Show everybody that this is a replay, then say that it may begin."""
        shown = self._builder.build(PresenceChannel, TEXT, self.name + REPLAY)
        self._open.append(shown)
        announced = Probe.joined_to(self._node, shown.endpoint("Presence"), "replay")
        announced.react(shown=_ignore, gone=_ignore)
        announced.send("show", {"value": self._title})
        self._open.append(announced.handle)
        self._say("")

    def _unanswered(self) -> None:
        self._say(f"nobody has the channel {self.name} open; open its object somewhere, and try again")

    def _refused(self, error: WrongClassesError) -> None:
        self._say(str(error))

    def _stop_asking(self) -> None:
        asking, self._asking = self._asking, None
        if asking is not None:
            asking.line.leave()

    def _say(self, why: str) -> None:
        ready, self._ready = self._ready, None
        if ready is not None:
            ready(why)

    # Playing

    def _check_channel(self, event: Event) -> None:
        self._channels.add(event.record.channel)
        if len(self._channels) > 1:
            names = ", ".join(sorted(self._channels))
            raise ReplayError(f"records of several channels are chosen: {names}", "choose one with --channel")

    def _marked(self, event: Event) -> Any:
        """Return the value of an event, marked where it names its author."""
        assert self._codec is not None
        try:
            value = self._codec.decode(event.record.payload, "message")
        except CodecError as error:
            what = f"record {event.sequence} does not fit the live channel: {error}"
            raise ReplayError(what, "choose the records that do, or a channel of the same kind") from None
        if isinstance(value, dict) and value.keys() >= _GESTURE and isinstance(value["author"], str):
            marked = {**value, "author": MARK + value["author"]}
            return marked | ({"origin": self._origin} if isinstance(value["origin"], bytes) else {})
        return value

    def _drain(self) -> None:
        """Send what waits, as far as the channel takes it."""
        while self._waiting and self._send(self._waiting[0]):
            self._waiting.popleft()
        self.has_room = len(self._waiting) < _WAITING_MOST
        if self._waiting and (self._timer is None or not self._timer.active):
            self._timer = self._node.dispatcher.call_later(_LOOK_EVERY, self._drain)

    def _send(self, value: Any) -> bool:
        assert self._codec is not None
        if self._probe is not None:
            event, parameter = self._sends
            self._probe.send(event, {parameter: value})
            return True
        if self._session is None or self._session.full:
            return False
        try:
            self._session.submit(self._codec.encode_compact(value))
        except ChannelBusyError:
            return False
        return True


class _ObjectBuilder:
    """Builds channel objects by their classes, without a recipe."""

    def __init__(self, node: Node, known: TypeKnowledge) -> None:
        self.known = known
        self._node = node
        self._terms = TermBuilder(known.formalisms)
        self._blueprints = Blueprints()

    def build(self, cls: type, value: ValueType, name: str) -> ProxyHandle:
        """Return an object of a class with one value class, on the group called `name`."""
        declaration = declaration_of(cls)
        kind: Any = self._terms.object(declaration.use((GivenUse(value),)))
        return self._blueprints.of(declaration, (value,)).build(self._node, ("replay",), kind, {"name": name})


def _classes_in(words: bytes) -> tuple[str, ValueType]:
    """Return the kind of a channel and its message class, out of a member's greeting; raise ReplayError."""
    try:
        _, (kind, carrier) = msgpack.unpackb(words[1:])
        classes = dict(type_of(carrier, Formalisms(builtin_formalisms())).inputs)
        return str(kind), classes["MessageClass"]
    except (TypeFormError, ValueError, KeyError, TypeError, msgpack.UnpackException):
        raise ReplayError(
            "a member of the channel says nothing about its values that this program understands",
            "use the same version of Liven everywhere",
        ) from None


def _field(record: ValueType, name: str) -> ValueType:
    if not isinstance(record, Record) or name not in dict(record.fields):
        raise ReplayError("the live value has an unknown form", "use the same version of Liven everywhere")
    return dict(record.fields)[name]


def _ignore(*_: object) -> None:
    """Ignore an event: only what is sent matters."""
