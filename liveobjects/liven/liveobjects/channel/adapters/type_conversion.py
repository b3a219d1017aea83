"""Adapters to another value class, and an adapter that limits the messages in transit."""

from __future__ import annotations

from typing import Annotated, Any, Generic, TypeVar

from liven.liveobjects.channel.adapters.base import Adapter, UnfitError
from liven.liveobjects.channel.adapters.value_conversion import Conversion, conversion
from liven.liveobjects.channel.api.endpoints import (
    BEGINS_FIRST,
    BEGUN_FIRST,
    TOTAL,
    ChannelClient,
    ChannelService,
    CheckpointClass,
    CheckpointedClient,
    MessageClass,
)
from liven.liveobjects.channel.objects.local import checkpoint_class
from liven.liveobjects.channel.session.typed_line import class_in
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, provides, proxy, requires
from liven.types.terms.value_types import OptionalOf, Record, ValueType

ChannelMessageClass = TypeVar("ChannelMessageClass")
ChannelCheckpointClass = TypeVar("ChannelCheckpointClass")
_FIFO = "exactly-once, fifo"


def _both(one: ValueType, other: ValueType) -> tuple[Conversion, Conversion]:
    """Return the conversions in both directions. Raises UnfitError if there is none in one of them."""
    there, back = conversion(one, other), conversion(other, one)
    if there is None or back is None:
        raise UnfitError("these two value classes cannot be converted to each other")
    return there, back


def _adapts(*pairs: tuple[ValueType, ValueType]) -> bool:
    differ = any(one != other for one, other in pairs)
    return differ and all(conversion(a, b) is not None and conversion(b, a) is not None for a, b in pairs)


@proxy(id="536E7BF915D3B3888DBA65C69C8D3DB3", alias="liven:convert")
class Convert(Adapter, Generic[MessageClass, ChannelMessageClass]):
    """Lets a client use a channel with another message class."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], ChannelClient[MessageClass]], provides("guarantee", _FIFO)
    ]
    below: Annotated[
        Dual[ChannelClient[ChannelMessageClass], ChannelService[ChannelMessageClass]],
        requires("guarantee", _FIFO),
    ]

    def __init__(self, context: Context) -> None:
        self.begin(context)
        above = class_in(context.external("Channel").type, "send", "message")
        below = class_in(context.external("below").type, "receive", "message")
        self.lower, self.lift = _both(above, below)  # type: ignore[method-assign, assignment]

    @staticmethod
    def adapts(above: ValueType, below: ValueType) -> bool:
        """True if the classes differ and can be converted to each other."""
        return _adapts((above, below))

    def Channel_connected(self) -> None:
        """Deliver queued messages to the client."""
        self.connected_above()

    def below_connected(self) -> None:
        """Send queued messages to the channel."""
        self.connected_below()


@proxy(id="888548D9B03AA958F2A3892F068D28E1", alias="liven:convert-replicated")
class ConvertReplicated(
    Adapter, Generic[MessageClass, CheckpointClass, ChannelMessageClass, ChannelCheckpointClass]
):
    """Lets a client use a checkpointed channel with other classes."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], CheckpointedClient[MessageClass, CheckpointClass]],
        provides("guarantee", TOTAL),
        provides("trace", BEGINS_FIRST),
    ]
    below: Annotated[
        Dual[
            CheckpointedClient[ChannelMessageClass, ChannelCheckpointClass],
            ChannelService[ChannelMessageClass],
        ],
        requires("guarantee", TOTAL),
        requires("trace", BEGUN_FIRST),
    ]

    def __init__(self, context: Context) -> None:
        self.begin(context)
        above, below = context.external("Channel").type, context.external("below").type
        message = class_in(below, "receive", "message")
        self.lower, self.lift = _both(class_in(above, "send", "message"), message)  # type: ignore[method-assign, assignment]
        states = _both(checkpoint_class(above), _state_in(below))
        self.lower_state, self.lift_state = states  # type: ignore[method-assign, assignment]

    @staticmethod
    def adapts(message: ValueType, state: ValueType, below: ValueType, below_state: ValueType) -> bool:
        """True if the classes differ and can be converted to each other."""
        return _adapts((message, below), (state, below_state))

    def Channel_connected(self) -> None:
        """Deliver queued messages to the client."""
        self.connected_above()

    def below_connected(self) -> None:
        """Send queued messages to the channel."""
        self.connected_below()


@proxy(id="7C0B3C7DE5EED9435004CA65734B727D", alias="liven:buffer")
class Buffer(Adapter, Generic[MessageClass]):
    """Queues the client's messages, and has at most one in transit until the channel delivers something.

    For channels that limit the rate of their clients.
    """

    Channel: Annotated[
        Dual[ChannelService[MessageClass], ChannelClient[MessageClass]], provides("guarantee", _FIFO)
    ]
    below: Annotated[
        Dual[ChannelClient[MessageClass], ChannelService[MessageClass]],
        requires("guarantee", _FIFO),
        provides("trace", "at most 1 out.send between two in.receive"),
    ]

    def __init__(self, context: Context) -> None:
        self.begin(context)
        self._under_way = False

    def Channel_connected(self) -> None:
        """Deliver queued messages to the client."""
        self.connected_above()

    def below_connected(self) -> None:
        """Send queued messages to the channel."""
        self._under_way = False
        self._next()

    def send(self, message: Any) -> None:
        """Queue a message of the client."""
        self.keep(message)
        self._next()

    def receive(self, message: Any) -> None:
        """Deliver a message, and send the next queued one."""
        super().receive(message)
        self._under_way = False
        self._next()

    def _next(self) -> None:
        if self._down and not self._under_way and self.context.connected("below"):
            self._under_way = True
            self.below.peer.send(self._down.popleft())


def _state_in(kind: Any) -> ValueType:
    """Return the checkpoint class of the endpoint's initialized side."""
    record = dict(kind.inputs)["initialize"]
    assert isinstance(record, Record)
    optional = dict(record.fields)["checkpoint"]
    assert isinstance(optional, OptionalOf)
    return optional.item
