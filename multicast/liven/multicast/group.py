"""Nodes and groups: multicast as an application sees it.

The engine on real sockets and the simulation implement the same two interfaces, `Node` and `Group`; code
written against them runs on both.
"""

from __future__ import annotations

import enum
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from liven.multicast.message_batch import TakeBatch


class SlowPolicy(enum.IntEnum):
    """The reaction when the application of this member takes the messages of a group too slowly."""

    EVICT = 0
    """Report `Behind`, and beyond the bound remove this member from the group (`Expelled`): nobody waits for
    it. It may rejoin at once, and takes the state from the others."""
    THROTTLE = 1
    """Ask the senders of the group to pause: all members go as fast as the slowest."""
    DROP = 2
    """Drop the newest messages, and report how many of which sender."""
    DEMOTE = 3
    """Stop the deliveries and report it; the application may resume them."""


@dataclass(frozen=True, slots=True)
class GroupPolicy:
    """The policy of one member in one group."""

    slow: SlowPolicy = SlowPolicy.EVICT
    queue_messages: int = 131_072
    """The bound of messages delivered and not yet received by the application; 0: none. At half of it the
    application gets `Behind` or, with THROTTLE, the senders are asked to pause: messages under way then may
    fill the bound twice; beyond that, this member is demoted."""
    queue_bytes: int = 32 * 1024 * 1024
    """The same in bytes."""
    tell_stable: bool = True
    """Report to all members when a message reached all of them."""


@dataclass(frozen=True, slots=True)
class Member:
    """One incarnation of a node, as other members see it."""

    node: int
    """Its short name, which is never reused."""
    identity: int
    incarnation: int


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message. The numbers of one sender in one group are consecutive."""

    sender: int
    number: int
    payload: bytes
    at: float


@dataclass(frozen=True, slots=True)
class Joined:
    """The first view is installed; deliveries may follow."""


@dataclass(frozen=True, slots=True)
class Left:
    """The last delivery was made."""


@dataclass(frozen=True, slots=True)
class View:
    """The members of the group changed."""

    number: int
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Sent:
    """The message of this ticket got its number and was sent."""

    ticket: int
    number: int


@dataclass(frozen=True, slots=True)
class Stable:
    """The messages of `sender` up to `number` are at all members."""

    sender: int
    number: int


@dataclass(frozen=True, slots=True)
class Lost:
    """Packets of a dead sender exist nowhere any more."""

    sender: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Dropped:
    """Messages of `sender` were dropped here, from `number` on, by this member's policy."""

    sender: int
    number: int
    count: int


@dataclass(frozen=True, slots=True)
class Uncertain:
    """It is unknown if the message of this ticket arrived everywhere."""

    ticket: int


@dataclass(frozen=True, slots=True)
class Refused:
    """A request was refused."""

    ticket: int
    code: int
    reason: str


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The payload of this ticket was not supplied in time, or is not available any more."""

    ticket: int


@dataclass(frozen=True, slots=True)
class Paused:
    """A receiver asks the senders to pause."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """No receiver asks the senders to pause any more."""


@dataclass(frozen=True, slots=True)
class Demoted:
    """This member fell behind; deliveries stop until it resumes."""


@dataclass(frozen=True, slots=True)
class Lagging:
    """This node reads too slowly, and the others no longer wait for it: it catches up, or is evicted."""


@dataclass(frozen=True, slots=True)
class Behind:
    """So many messages wait for this application: half of the limit of its policy."""

    messages: int


@dataclass(frozen=True, slots=True)
class Missed:
    """This member is out of the group, as the next `Evicted` or `Expelled` says, and lacks messages of
    `sender`.

    It is reported once for each sender whose messages this member received; it lacks all messages of any
    other. A member that rejoins finds the count by the number of the next message of that sender: it lacks
    those from `first` on and before that."""

    sender: int
    first: int
    """The number of the first message that was not delivered."""
    known: int
    """The count of messages from `first` on that are known to exist; there may be more."""


@dataclass(frozen=True, slots=True)
class Expelled:
    """This member fell behind and is out of the group; it may rejoin, and takes the state from others.

    `Missed` events before it report the messages that it lacks, for each sender."""


@dataclass(frozen=True, slots=True)
class Evicted:
    """The cluster goes on without this node.

    `Missed` events before it report the messages that it lacks, for each group and sender."""

    code: int


GroupEvent = (
    Joined
    | Left
    | View
    | Sent
    | Stable
    | Lost
    | Dropped
    | Uncertain
    | Refused
    | Withdrawn
    | Paused
    | Resumed
    | Demoted
    | Lagging
    | Behind
    | Missed
    | Expelled
    | Evicted
)

Payload = bytes | Callable[[int], bytes | None]
"""The bytes, or a function that makes them when the packet is about to be sent: its argument is the room left
in that packet, and None as a result takes the message back."""


Deliver = Callable[[Delivery], None]
Tell = Callable[[GroupEvent], None]


class Group(Protocol):
    """The membership of one node in one group.

    Deliveries and events are kept until `receive` and `events` take them, for a program with a loop of its
    own; or, after `listen`, they are passed to functions one by one, for a dispatcher."""

    @property
    def name(self) -> str:
        """The name of the group in the cluster."""

    def send(self, payload: Payload) -> int:
        """Send to all members, this one included. Return the ticket that later events carry."""

    def send_many(self, block: bytes | bytearray | memoryview, lengths: array[int]) -> int:
        """Send messages that are contiguous in `block`, in order and with nothing in between: all of them or
        none. `lengths` is an array of typecode "I". All share one ticket; `Sent` reports the last."""

    def receive(self, limit: int | None = None) -> list[Delivery]:
        """Take up to `limit` deliveries, oldest first. Deliveries not taken count as unread."""

    def events(self) -> list[GroupEvent]:
        """Take the events, oldest first."""

    def listen(self, deliver: Deliver | None, tell: Tell | None = None) -> None:
        """Pass each message and event to a function when the node is polled, in the order in which they came;
        those that wait already are passed at once. None: keep them, as at first.

        A message counts as received when its function returns. The functions may send, join and leave, but
        not poll again. An exception of a function is raised after everything else was passed."""

    def listen_batches(self, batch: TakeBatch, tell: Tell | None = None) -> None:
        """Like `listen`, but messages are passed together, as they came, without copying; see `Batch`."""

    def leave(self) -> None:
        """Leave the group; `Left` follows."""


class Node(Protocol):
    """A member of the cluster."""

    def join(self, name: str, policy: GroupPolicy | None = None) -> Group:
        """Join the group called `name`; `Joined` follows."""

    def stats(self) -> Mapping[str, int]:
        """Return all measurements, by name."""
