"""Shared value streams, and the bridges between value streams and channels.

A shared value converges without any order: each setting carries a count and its author, and the greatest
wins, so that all who have heard the same settings have the same value. Whoever joins is told by the oldest.
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
from liven.liveobjects.channel.session.typed_line import Speech, class_in
from liven.multicast.group import View
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
        self._speech: Speech | None = None
        self._latest: tuple[int, bytes, Any] | None = None
        self._present: frozenset[int] = frozenset()

    def Endpoint_connected(self) -> None:
        """Joins."""
        self._speech = Speech(self.context, self.name, self._kind, self._heard, self._told, kind="value")
        if self._latest is not None:
            self.Endpoint.peer.set(self._latest[2])

    def Endpoint_disconnected(self) -> None:
        """Leaves."""
        if self._speech is not None:
            self._speech.close()
            self._speech = None

    def get(self) -> ValueClass:
        """The latest value that is known here."""
        if self._latest is None:
            raise CallFailedError(_NOTHING)
        value: ValueClass = self._latest[2]
        return value

    def set(self, value: ValueClass) -> None:
        """Makes this the value for all."""
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
        """The oldest tells newcomers; whoever comes with a value of its own says it as well."""
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
        """Begins with the value that is there."""

        def got(reply: Reply[Any]) -> None:
            if reply.error is None and not self._latest:
                self.set(reply.value())

        cast(Reply[Any], self.value.peer.get()).then(got)

    def channel_connected(self) -> None:
        """Sends the value that is there."""
        for value in self._latest:
            self.channel.peer.send(value)

    def set(self, value: ValueClass) -> None:
        """A new value."""
        self._latest = [value]
        if self.context.connected("channel"):
            self.channel.peer.send(value)

    def receive(self, message: ValueClass) -> None:
        """What others publish there is not this stream's."""

    def initialize(self, checkpoint: ValueClass | None) -> None:
        """Nothing to begin with."""

    def checkpoint(self) -> ValueClass:
        """The latest value published here."""
        if not self._latest:
            raise CallFailedError(_NOTHING)
        return self._latest[0]


@proxy(id="5D9569F39310453AAAC9787D2034C081", alias="liven:subscriber")
class Subscriber(Generic[ValueClass]):
    """A channel's latest message as a value stream; setting it sends."""

    Endpoint: Dual[Value[ValueClass], ValueClient[ValueClass]]
    channel: Dual[CheckpointedClient[ValueClass, ValueClass], ChannelService[ValueClass]]

    def __init__(self, context: Context) -> None:
        self.context = context
        self._latest: list[ValueClass] = []

    def Endpoint_connected(self) -> None:
        """Tells the value that is there."""
        for value in self._latest:
            self.Endpoint.peer.set(value)

    def get(self) -> ValueClass:
        """The latest message."""
        if not self._latest:
            raise CallFailedError(_NOTHING)
        return self._latest[0]

    def set(self, value: ValueClass) -> None:
        """Sends it; it becomes the value when it comes back."""
        if not self.context.connected("channel"):
            raise CallFailedError("the stream's channel is not connected")
        self.channel.peer.send(value)

    def receive(self, message: ValueClass) -> None:
        """The next value."""
        self._latest = [message]
        if self.context.connected("Endpoint"):
            self.Endpoint.peer.set(message)

    def initialize(self, checkpoint: ValueClass | None) -> None:
        """The value to begin with."""
        if checkpoint is not None:
            self.receive(checkpoint)

    def checkpoint(self) -> ValueClass:
        """The latest message."""
        return self.get()
