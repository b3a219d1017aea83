"""The channels of a sandbox: each stands in for one of the channels that a recipe can name.

They have the endpoints and the parameters of those, so that recipes and types stay as they are; only the code
behind them differs. They join no group and store nothing. Everything they say comes from the recording.
"""

from __future__ import annotations

import hashlib
from base64 import b64decode
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic

from liven.liveobjects.channel.api.endpoints import (
    BEGINS_FIRST,
    FIFO,
    TOTAL,
    ChannelClient,
    ChannelService,
    CheckpointClass,
    CheckpointedClient,
    MessageClass,
    Value,
    ValueClass,
    ValueClient,
)
from liven.liveobjects.channel.api.names import Companion
from liven.liveobjects.channel.objects.group import GroupChannel
from liven.liveobjects.channel.objects.local import LocalChannel, checkpoint_class
from liven.liveobjects.channel.objects.ordered import OrderedGroupChannel
from liven.liveobjects.channel.objects.presence import Presence, PresenceChannel, PresenceClient
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.objects.value_stream import SharedValue
from liven.liveobjects.channel.session.typed_line import class_in
from liven.liveobjects.feeds.record import CHECKPOINT
from liven.liveobjects.feeds.replay.moments import Keeps
from liven.liveobjects.feeds.replay.rows import Event
from liven.liveobjects.feeds.replay.target.hub import READ_ONLY, ReplayHub
from liven.runtime.errors import CallFailedError
from liven.runtime.fold.state_proof import Proof
from liven.runtime.objects.context import Context
from liven.runtime.objects.reply import Reply
from liven.types.codec import Codec, CodecError
from liven.types.declare import Dual, provides, proxy
from liven.types.terms.value_types import OptionalOf

_NIL = b"\xc0"
_NOTHING = "the recording has no value yet"


class _Client:
    """The part that all of them have."""

    keeps = Keeps.NOTHING

    def __init__(self, context: Context, name: str, endpoint: str) -> None:
        self.context = context
        self.name = name
        self.has_begun = self.ignores_states = False
        self._endpoint = endpoint
        self._hub = context.service(ReplayHub)
        self._reported: set[str] = set()

    def connected(self) -> None:
        """Enter the hub."""
        self._hub.add(self)

    def disconnected(self) -> None:
        """Leave the hub."""
        self._hub.remove(self)

    def on_end(self) -> None:
        self.disconnected()

    def begin(self, *, has_state: bool) -> None:
        """Begin without any record, or wait for the state."""

    def receive(self, events: Sequence[Event]) -> None:
        """Pass on events, as a handler of this object."""
        self.context.perform(self._receive, events)

    def digest(self) -> bytes:
        """Return nothing: there is no state."""
        return b""

    def refuse(self) -> None:
        """Report, once, that somebody tried to change the recording."""
        self._report(f"{self.name}: {READ_ONLY}", "what was sent is not in the recording, and went nowhere")

    def _receive(self, events: Sequence[Event]) -> None:
        raise NotImplementedError

    @property
    def _open(self) -> bool:
        return self.context.connected(self._endpoint)

    @property
    def _peer(self) -> Any:
        """The object at the other side."""
        return getattr(self, self._endpoint).peer

    def _decoded(self, codec: Codec, event: Event, what: str) -> list[Any]:
        """Return the value of an event; nothing, and a problem, if the object cannot read it."""
        try:
            return [codec.decode(event.record.payload, what)]
        except CodecError as error:
            self._report(
                f"{self.name}: record {event.sequence} does not fit this object: {error}",
                "it was left out; the recording may come from another version of the object",
            )
            return []

    def _report(self, what: str, advice: str) -> None:
        if advice not in self._reported:
            self._reported.add(advice)
            self.context.report(what, advice)


class _ChannelClient(_Client):
    """A client whose endpoint is called `Channel`."""

    def __init__(self, context: Context, name: str) -> None:
        super().__init__(context, name, "Channel")
        self._messages = Codec(class_in(context.external("Channel").type, "send", "message"))

    def Channel_connected(self) -> None:
        self.connected()

    def Channel_disconnected(self) -> None:
        self.disconnected()

    def send(self, message: Any) -> None:  # noqa: ARG002
        """Refuse: nothing is added to a recording."""
        self.refuse()


class _StateClient(_ChannelClient):
    """A client that begins with a state and then receives."""

    keeps = Keeps.STATE

    def __init__(self, context: Context, name: str, seed: str = "") -> None:
        super().__init__(context, name)
        self._states = Codec(checkpoint_class(context.external("Channel").type))
        self._seed = self._seed_of(seed)
        self._is_initialized = False
        context.show_beside("Channel", Companion.of(name, lambda: READ_ONLY))

    def begin(self, *, has_state: bool) -> None:
        self._is_initialized = self._has_received = False
        if not has_state:
            self.context.perform(self._initialize, self._seed)

    def digest(self) -> bytes:
        shown = self.context.shown("Channel")
        if not (self._open and self.has_begun):
            return b""
        if isinstance(shown, Proof):
            return shown.digest()
        return self._digest_of_checkpoint()

    def _digest_of_checkpoint(self) -> bytes:
        found: list[bytes] = []

        def said(reply: Reply[Any]) -> None:
            if reply.error is None:
                found.append(hashlib.sha256(self._states.encode(reply.value())).digest())

        self.context.perform(lambda: self._peer.checkpoint().then(said))
        return found[0] if found else b""

    def _receive(self, events: Sequence[Event]) -> None:
        for event in events:
            if not self._open:
                return
            if event.record.flags & CHECKPOINT:
                if self.ignores_states and self._has_received:
                    continue
                self._has_received = True
                for state in self._state_in(event):
                    self._initialize(state)
            else:
                if not self._is_initialized:  # its checkpoint could not be read
                    self._initialize(self._seed)
                self._has_received = True
                for message in self._decoded(self._messages, event, "message"):
                    self._peer.receive(message)

    def _state_in(self, event: Event) -> list[Any]:
        if event.record.payload == _NIL:  # there was no state yet
            return [self._seed]
        return self._decoded(self._states, event, "checkpoint")

    def _initialize(self, state: Any) -> None:
        if self._open:
            self._is_initialized = True
            self._peer.initialize(state)

    def _seed_of(self, seed: str) -> Any:
        try:
            return self._states.decode(b64decode(seed, validate=True), "seed") if seed else None
        except (ValueError, CodecError) as error:
            raise CallFailedError(f"the seed of {self.name} is not a valid state: {error}") from None


@proxy(id="32D79096327CA35B183347A8AC23DEF1")
class ReplayedSharedChannel(_StateClient, Generic[MessageClass, CheckpointClass]):
    """A checkpointed channel, out of a recording."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], CheckpointedClient[MessageClass, CheckpointClass]],
        provides("guarantee", TOTAL),
        provides("trace", BEGINS_FIRST),
    ]

    def __init__(self, context: Context, name: str, seed: str = "") -> None:
        super().__init__(context, name, seed)


@proxy(id="C42FB4B143609C8B258465DA9D85EC2D")
class ReplayedLocalChannel(_StateClient, Generic[MessageClass, CheckpointClass]):
    """A channel within one process, out of a recording."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], CheckpointedClient[MessageClass, CheckpointClass]],
        provides("guarantee", TOTAL),
        provides("trace", BEGINS_FIRST),
    ]

    def __init__(self, context: Context, address: str = "", debugging: bool = False) -> None:  # noqa: ARG002
        super().__init__(context, address)


class _EventClient(_ChannelClient):
    """A client that only receives."""

    def _receive(self, events: Sequence[Event]) -> None:
        for event in events:
            for message in self._decoded(self._messages, event, "message"):
                if self._open:
                    self._peer.receive(message)


@proxy(id="A8AF37BC62F09D17760E5B8BE947023C")
class ReplayedOrderedChannel(_EventClient, Generic[MessageClass]):
    """An ordered channel, out of a recording."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], ChannelClient[MessageClass]], provides("guarantee", TOTAL)
    ]

    def __init__(self, context: Context, name: str) -> None:
        super().__init__(context, name)


@proxy(id="571A96E98DCB435F8844463EA8202C43")
class ReplayedGroupChannel(_EventClient, Generic[MessageClass]):
    """A group channel, out of a recording."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], ChannelClient[MessageClass]], provides("guarantee", FIFO)
    ]

    def __init__(self, context: Context, name: str) -> None:
        super().__init__(context, name)


@proxy(id="03892FFF5B69A19C557F355B7DE01EBC")
class ReplayedValue(_Client, Generic[ValueClass]):
    """A shared value, out of a recording."""

    Endpoint: Dual[Value[ValueClass], ValueClient[ValueClass]]
    keeps = Keeps.VALUE

    def __init__(self, context: Context, name: str) -> None:
        super().__init__(context, name, "Endpoint")
        self._codec = Codec(class_in(context.external("Endpoint").type, "set", "value"))
        self._latest: list[Any] = []

    def Endpoint_connected(self) -> None:
        self.connected()

    def Endpoint_disconnected(self) -> None:
        self.disconnected()

    def begin(self, *, has_state: bool) -> None:  # noqa: ARG002
        self._latest = []

    def get(self) -> ValueClass:
        """Return the value at the place of the replay."""
        if not self._latest:
            raise CallFailedError(_NOTHING)
        value: ValueClass = self._latest[0]
        return value

    def set(self, value: ValueClass) -> None:  # noqa: ARG002
        """Refuse: nothing is added to a recording."""
        self.refuse()

    def digest(self) -> bytes:
        return hashlib.sha256(self._codec.encode(self._latest[0])).digest() if self._latest else b""

    def _receive(self, events: Sequence[Event]) -> None:
        for event in events:
            for value in self._decoded(self._codec, event, "value"):
                self._latest = [value]
                if self._open:
                    self._peer.set(value)


@proxy(id="67AA3F5083FEBFA66311012A04F6B354")
class ReplayedPresence(_Client, Generic[ValueClass]):
    """A presence channel, out of a recording. Without one, nobody is shown."""

    Presence: Annotated[Dual[Presence[ValueClass], PresenceClient[ValueClass]], provides("guarantee", "fifo")]

    def __init__(self, context: Context, name: str) -> None:
        super().__init__(context, name, "Presence")
        self._codec = Codec(OptionalOf(class_in(context.external("Presence").type, "show", "value")))
        self._shown: set[str] = set()

    def Presence_connected(self) -> None:
        self.connected()

    def Presence_disconnected(self) -> None:
        self.disconnected()

    def show(self, value: ValueClass) -> None:
        """Show nothing to anybody: you are not in the recording."""

    def hide(self) -> None:
        """Do nothing."""

    def begin(self, *, has_state: bool) -> None:  # noqa: ARG002
        """Show nobody: presence is not kept."""
        self.context.perform(self._clear)

    def _clear(self) -> None:
        for member in sorted(self._shown):
            if self._open:
                self._peer.gone(member)
        self._shown.clear()

    def _receive(self, events: Sequence[Event]) -> None:
        for event in events:
            member = event.record.author
            for value in self._decoded(self._codec, event, "value"):
                if not self._open:
                    return
                if value is None:
                    self._shown.discard(member)
                    self._peer.gone(member)
                else:
                    self._shown.add(member)
                    self._peer.shown(member, value)


STAND_INS: dict[type, Callable[..., object]] = {
    SharedChannel: ReplayedSharedChannel,
    LocalChannel: ReplayedLocalChannel,
    OrderedGroupChannel: ReplayedOrderedChannel,
    GroupChannel: ReplayedGroupChannel,
    SharedValue: ReplayedValue,
    PresenceChannel: ReplayedPresence,
}
"""The stand-in for each class of channels."""
