"""The types of channels: interfaces as in the original program, and object types with their guarantees.

The interfaces have no ids: a channel is recognized by its structure, that of the catalogue's
`liven:communication-channel-1` and `liven:checkpointed-channel`. The object types here have constraints; two
of them have the same events and differ only in their guarantees.
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
    """The events that a client sends to a channel."""

    def send(self, message: Message) -> None:
        """Send a message to all connected clients, including this one."""


@interface
class ChannelClient(Protocol[Message]):
    """The events that a channel sends to its client."""

    def receive(self, message: Message) -> None:
        """Receive a message."""


@interface
class CheckpointedClient(Protocol[Message, State]):
    """The events that a checkpointed channel sends to its client."""

    def receive(self, message: Message) -> None:
        """Receive the next message of the total order."""

    def initialize(self, checkpoint: State | None) -> None:
        """Begin with this state; None is the empty state."""

    def checkpoint(self) -> State:
        """Return the state after exactly the messages received so far."""


@interface
class Value(Protocol[Item]):
    """The events that a client sends to a value stream."""

    def get(self) -> Item:
        """Return the latest value. The call fails while there is none."""

    def set(self, value: Item) -> None:
        """Make this the latest value."""


@interface
class ValueClient(Protocol[ItemIn]):
    """The events that a value stream sends to its client."""

    def set(self, value: ItemIn) -> None:
        """Receive a new latest value."""


FIFO = "exactly-once, fifo"
TOTAL = "atomic, fifo, virtually-synchronous"
REPLICATED = "at most one out.initialize; no out.receive before out.initialize"
"""The replication contract, as far as one connection shows it."""
BEGINS_FIRST = "no out.receive before out.initialize"
"""The part of the replication contract that holds even when histories meet."""
BEGUN_FIRST = "no in.receive before in.initialize"
"""The same as a client requires it."""


@object_type(id="80131410478BA24B2BA7237E7A90E45D", alias="liven:fifo-channel")
class FifoChannel(Generic[MessageClass]):
    """A channel that delivers each sender's messages once and in order."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], ChannelClient[MessageClass]], provides("guarantee", FIFO)
    ]


@object_type(id="2CF2CE143AA059CB9426EC6B5C549256", alias="liven:ordered-channel")
class OrderedChannel(Generic[MessageClass]):
    """A channel that delivers all messages to all clients in one order."""

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
