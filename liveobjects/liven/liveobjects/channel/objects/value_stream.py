"""Shared value streams, and the bridges between value streams and channels.

A shared value converges without an order: each assignment has a count and an author, and the greatest wins,
so members that received the same assignments have the same value. The oldest member sends it to newcomers.
"""

from __future__ import annotations

import secrets
from typing import Any, Generic, cast

from liven.liveobjects.channel.api.endpoints import (
    ChannelService,
    CheckpointedClient,
    Value,
    ValueClass,
    ValueClient,
)
from liven.liveobjects.channel.line.transport import LineEvent
from liven.liveobjects.channel.session.typed_line import TypedLine, class_in
from liven.multicast.group import View
from liven.runtime.capability.capability import Capability, joins_channel
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.context import Context
from liven.runtime.objects.reply import Reply
from liven.types.declare import Dual, proxy
from liven.types.terms.value_types import Integer, Record, Scalar

_NOTHING = "the stream has no value yet"
_COUNT = Integer(0, 2**63 - 1)


@proxy(id="F55E9874A418941CFCE1389AC942A1F8", alias="liven:shared-value")
class SharedValue(Generic[ValueClass]):
    """The value of the group called `name`: the last that anybody set."""

    Endpoint: Dual[Value[ValueClass], ValueClient[ValueClass]]

    def __init__(self, context: Context, name: str) -> None:
        self.context = context
        self.name = name
        self._author = secrets.token_bytes(8)
        value = class_in(context.external("Endpoint").type, "set", "value")
        fields = (("author", Scalar("bytes")), ("count", _COUNT), ("value", value))
        self._kind = Record(fields)
        self._speech: TypedLine | None = None
        self._latest: tuple[int, bytes, Any] | None = None
        self._present: frozenset[int] = frozenset()

    @staticmethod
    def capabilities(name: str) -> tuple[Capability, ...]:
        """State what a recipe with this parameter reaches."""
        return joins_channel(name)

    def Endpoint_connected(self) -> None:
        """Join the group."""
        self._speech = TypedLine(self.context, self.name, self._kind, self._heard, self._told, kind="value")
        if self._latest is not None:
            self.Endpoint.peer.set(self._latest[2])

    def Endpoint_disconnected(self) -> None:
        """Leave the group."""
        if self._speech is not None:
            self._speech.close()
            self._speech = None

    def get(self) -> ValueClass:
        """Return the latest value known here."""
        if self._latest is None:
            raise CallFailedError(_NOTHING)
        value: ValueClass = self._latest[2]
        return value

    def set(self, value: ValueClass) -> None:
        """Make this the value for all."""
        count = self._latest[0] + 1 if self._latest is not None else 1
        self._take(count, self._author, value)
        self._say()

    def _say(self) -> None:
        if self._speech is not None and self._latest is not None:
            count, author, value = self._latest
            self._speech.say({"author": author, "count": count, "value": value})

    def _heard(self, _: int, said: dict[str, Any]) -> None:
        self._take(said["count"], said["author"], said["value"])

    def _take(self, count: int, author: bytes, value: Any) -> None:
        if self._latest is not None and (count, author) <= self._latest[:2]:
            return
        self._latest = (count, author, value)
        if self.context.connected("Endpoint"):
            self.Endpoint.peer.set(value)

    def _told(self, event: LineEvent) -> None:
        """Send the value to newcomers, as the oldest member or as one that joins with a value of its own."""
        if not isinstance(event, View) or self._speech is None:
            return
        present = frozenset(one.node for one in event.members)
        me = self._speech.me
        oldest = bool(event.members) and event.members[0].node == me
        if (oldest and present - self._present - {me}) or me not in self._present:
            self._say()
        self._present = present


@proxy(id="2BCA5325645D4AD383BBA81EE4E86A0A", alias="liven:publisher")
class Publisher(Generic[ValueClass]):
    """Sends each new value of a stream over a channel."""

    value: Dual[ValueClient[ValueClass], Value[ValueClass]]
    channel: Dual[CheckpointedClient[ValueClass, ValueClass], ChannelService[ValueClass]]

    def __init__(self, context: Context) -> None:
        self.context = context
        self._latest: list[ValueClass] = []

    def value_connected(self) -> None:
        """Send the present value."""

        def got(reply: Reply[Any]) -> None:
            if reply.error is None and not self._latest:
                self.set(reply.value())

        cast(Reply[Any], self.value.peer.get()).then(got)

    def channel_connected(self) -> None:
        """Send the present value."""
        for value in self._latest:
            self.channel.peer.send(value)

    def set(self, value: ValueClass) -> None:
        """Send a new value."""
        self._latest = [value]
        if self.context.connected("channel"):
            self.channel.peer.send(value)

    def receive(self, message: ValueClass) -> None:
        """Ignore the message: it is another publisher's."""

    def initialize(self, checkpoint: ValueClass | None) -> None:
        """Ignore the state: there is nothing to begin with."""

    def checkpoint(self) -> ValueClass:
        """Return the latest value published here."""
        if not self._latest:
            raise CallFailedError(_NOTHING)
        return self._latest[0]


@proxy(id="5D9569F39310453AAAC9787D2034C081", alias="liven:subscriber")
class Subscriber(Generic[ValueClass]):
    """A channel's latest message as a value stream. Setting the value sends it."""

    Endpoint: Dual[Value[ValueClass], ValueClient[ValueClass]]
    channel: Dual[CheckpointedClient[ValueClass, ValueClass], ChannelService[ValueClass]]

    def __init__(self, context: Context) -> None:
        self.context = context
        self._latest: list[ValueClass] = []

    def Endpoint_connected(self) -> None:
        """Report the present value."""
        for value in self._latest:
            self.Endpoint.peer.set(value)

    def get(self) -> ValueClass:
        """Return the latest message."""
        if not self._latest:
            raise CallFailedError(_NOTHING)
        return self._latest[0]

    def set(self, value: ValueClass) -> None:
        """Send a value, which becomes the latest when it arrives."""
        if not self.context.connected("channel"):
            raise CallFailedError("the stream's channel is not connected")
        self.channel.peer.send(value)

    def receive(self, message: ValueClass) -> None:
        """Take the next value."""
        self._latest = [message]
        if self.context.connected("Endpoint"):
            self.Endpoint.peer.set(message)

    def initialize(self, checkpoint: ValueClass | None) -> None:
        """Take the initial value."""
        if checkpoint is not None:
            self.receive(checkpoint)

    def checkpoint(self) -> ValueClass:
        """Return the latest message."""
        return self.get()
