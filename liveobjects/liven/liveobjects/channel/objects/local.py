"""The local channel: checkpointed, within one process, stored nowhere. All clients with one address
share it."""

from __future__ import annotations

from collections import deque
from typing import Annotated, Any, Final, Generic

from liven.liveobjects.channel.api.endpoints import (
    REPLICATED,
    TOTAL,
    ChannelService,
    CheckpointClass,
    CheckpointedClient,
    MessageClass,
)
from liven.liveobjects.channel.line.type_handshake import ValueClasses, WrongClassesError
from liven.liveobjects.channel.session.typed_line import class_in
from liven.runtime.objects.context import Context
from liven.runtime.objects.reply import Reply
from liven.types.declare import Dual, provides, proxy
from liven.types.terms.endpoint_types import EndpointType
from liven.types.terms.value_types import OptionalOf, Record, ValueType

_WAITING_MOST: Final = 100_000


def checkpoint_class(kind: EndpointType) -> ValueType:
    """Return the checkpoint class of a checkpointed channel's endpoint."""
    record = dict(kind.outputs)["initialize"]
    assert isinstance(record, Record)
    optional = dict(record.fields)["checkpoint"]
    assert isinstance(optional, OptionalOf)
    return optional.item


def value_classes_of(kind: EndpointType) -> ValueClasses:
    """Return the value classes of a checkpointed channel's endpoint."""
    return ValueClasses.of(
        "checkpointed", MessageClass=class_in(kind, "send", "message"), CheckpointClass=checkpoint_class(kind)
    )


class _Address:
    """One address with its clients, in the order of their connections."""

    def __init__(self) -> None:
        self.members: list[LocalChannel[Any, Any]] = []
        self.value_classes: ValueClasses | None = None


@proxy(id="4FF15AA1A8BD458BA3847691DF96D289", alias="liven:local-communication-channel")
class LocalChannel(Generic[MessageClass, CheckpointClass]):
    """A client of the channel at `address`; without an address, of the channel that all such clients
    share."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], CheckpointedClient[MessageClass, CheckpointClass]],
        provides("guarantee", TOTAL),
        provides("trace", REPLICATED),
    ]

    def __init__(self, context: Context, address: str = "", debugging: bool = False) -> None:
        self.context = context
        self.debugging = debugging
        self._room = context.shared(_Address, address)
        self._name = address
        self._value_classes = value_classes_of(context.external("Channel").type)
        self._ready = False
        self._waiting: deque[Any] = deque()

    def Channel_connected(self) -> None:
        """Begin with a checkpoint of another client, or empty if there is none."""
        room = self._room
        if (
            room.members
            and room.value_classes is not None
            and room.value_classes.hash != self._value_classes.hash
        ):
            form = room.value_classes.form()
            raise WrongClassesError(self._name or "the local channel", self._value_classes.differs_from(form))
        room.value_classes = self._value_classes
        others = [one for one in room.members if one._ready]
        room.members.append(self)
        self._ask(others)

    def Channel_disconnected(self) -> None:
        """Leave the channel."""
        self._ready = False
        self._waiting.clear()
        if self in self._room.members:
            self._room.members.remove(self)

    def on_end(self) -> None:
        """Leave the channel."""
        self.Channel_disconnected()

    def send(self, message: MessageClass) -> None:
        """Add a message to the order."""
        for member in tuple(self._room.members):
            member._deliver(message)

    def _ask(self, others: list[LocalChannel[Any, Any]]) -> None:
        """Ask one client after the other for a checkpoint, until one answers. Without any, begin empty."""
        if not others:
            self._begin(None)
            return
        first, rest = others[0], others[1:]
        self._waiting.clear()

        def answered(reply: Reply[Any]) -> None:
            if reply.error is None:
                self._begin(reply.value())
            else:
                self._ask([one for one in rest if one._ready])

        first.Channel.peer.checkpoint().then(answered)

    def _begin(self, checkpoint: Any) -> None:
        if not self.context.connected("Channel"):
            return
        self._ready = True
        self.Channel.peer.initialize(checkpoint)
        waiting, self._waiting = self._waiting, deque()
        for message in waiting:
            self.Channel.peer.receive(message)

    def _deliver(self, message: Any) -> None:
        if self._ready:
            self.Channel.peer.receive(message)
        elif len(self._waiting) < _WAITING_MOST:
            self._waiting.append(message)
