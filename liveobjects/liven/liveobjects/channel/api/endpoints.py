"""The types of channels: interfaces as the original has them, and object types that say what is promised.

The interfaces have no ids: a channel is known by its structure, which is that of the catalogue's
`liven:communication-channel-1` and `liven:checkpointed-channel`. The object types here are those with
constraints; two of them are equal in events and differ in nothing but what they promise.
"""

from __future__ import annotations

from typing import Annotated, Generic, Protocol, TypeVar

from liven.types.declare import Dual, interface, object_type, provides

MessageClass = TypeVar("MessageClass")
CheckpointClass = TypeVar("CheckpointClass")
ValueClass = TypeVar("ValueClass")
Message = TypeVar("Message", contravariant=True)
State = TypeVar("State")
Item = TypeVar("Item")
ItemIn = TypeVar("ItemIn", contravariant=True)


@interface
class ChannelService(Protocol[Message]):
    """What one can ask of a channel."""

    def send(self, message: Message) -> None:
        """Sends a message to all who are connected, this client included."""


@interface
class ChannelClient(Protocol[Message]):
    """What a channel tells its client."""

    def receive(self, message: Message) -> None:
        """A message has come."""


@interface
class CheckpointedClient(Protocol[Message, State]):
    """What a checkpointed channel tells its client, and asks of it."""

    def receive(self, message: Message) -> None:
        """The next message in the one order."""

    def initialize(self, checkpoint: State | None) -> None:
        """The state to begin with; None for the beginning of all."""

    def checkpoint(self) -> State:
        """The state after exactly the messages received so far."""


@interface
class Value(Protocol[Item]):
    """What one can ask of a value stream."""

    def get(self) -> Item:
        """The latest value; the call fails while there is none."""

    def set(self, value: Item) -> None:
        """Makes this the latest value."""


@interface
class ValueClient(Protocol[ItemIn]):
    """What a value stream tells its client."""

    def set(self, value: ItemIn) -> None:
        """The latest value has changed."""


FIFO = "exactly-once, fifo"
TOTAL = "atomic, fifo, virtually-synchronous"
REPLICATED = "at most one out.initialize; no out.receive before out.initialize"
"""The replication contract, as far as one connection shows it."""
BEGINS_FIRST = "no out.receive before out.initialize"
"""The part of the replication contract that holds also where histories met."""
BEGUN_FIRST = "no in.receive before in.initialize"
"""The same, as its client demands it."""


@object_type(id="80131410478BA24B2BA7237E7A90E45D", alias="liven:fifo-channel")
class FifoChannel(Generic[MessageClass]):
    """A channel on which each sender's messages come in its order, once each."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], ChannelClient[MessageClass]], provides("guarantee", FIFO)
    ]


@object_type(id="2CF2CE143AA059CB9426EC6B5C549256", alias="liven:ordered-channel")
class OrderedChannel(Generic[MessageClass]):
    """A channel on which all messages come to all in one order."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], ChannelClient[MessageClass]], provides("guarantee", TOTAL)
    ]


@object_type(id="2CC9CC3828EC8E862150595A38DDC6F1", alias="liven:replicated-channel")
class ReplicatedChannel(Generic[MessageClass, CheckpointClass]):
    """A checkpointed channel that keeps the replication contract."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], CheckpointedClient[MessageClass, CheckpointClass]],
        provides("guarantee", TOTAL),
        provides("trace", REPLICATED),
    ]
