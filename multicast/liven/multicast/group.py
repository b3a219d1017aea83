"""What an application sees of multicast: nodes, groups, deliveries and what is told beside them.

The real engine and the simulation offer the same two interfaces, `Node` and `Group`; what is written
against them runs on both.
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
    """What happens when this member's application takes a group's messages too slowly."""

    EVICT = 0
    """It is told (`Behind`), and past the bound this member is out of the group (`Expelled`): nobody waits
    for it. It may join again at once, and takes the state from the others."""
    THROTTLE = 1
    """The group's senders are asked to pause: all members go as fast as the slowest."""
    DROP = 2
    """The newest messages are dropped, and it is told how many of whom."""
    DEMOTE = 3
    """Delivery stops and is told; the application may resume it."""


@dataclass(frozen=True, slots=True)
class GroupPolicy:
    """How one member takes part in one group."""

    slow: SlowPolicy = SlowPolicy.EVICT
    queue_messages: int = 131_072
    """The bound of messages delivered and not yet received by the application; 0 is none. At half of it the
    application is told, and where it throttles its senders are asked to pause: what is under way then may
    fill the bound twice; beyond, this member is demoted."""
    queue_bytes: int = 32 * 1024 * 1024
    """The same in bytes."""
    tell_stable: bool = True
    """Whether all members are told when a message reached all of them."""


@dataclass(frozen=True, slots=True)
class Member:
    """One life of a node, as others name it."""

    node: int
    """Its short name; never given twice."""
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
    """Who is in the group."""

    number: int
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Sent:
    """The message of this ticket got its number and left."""

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
    """It is not known whether the message of this ticket arrived everywhere."""

    ticket: int


@dataclass(frozen=True, slots=True)
class Refused:
    """A request cannot be done."""

    ticket: int
    code: int
    reason: str


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The payload of this ticket was not supplied in time, or there was none any more."""

    ticket: int


@dataclass(frozen=True, slots=True)
class Paused:
    """A receiver asks the senders to wait."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """… no longer."""


@dataclass(frozen=True, slots=True)
class Demoted:
    """This member fell behind; nothing more is delivered until it resumes."""


@dataclass(frozen=True, slots=True)
class Lagging:
    """This node takes in too little, and the others wait for it no longer: it catches up, or is evicted."""


@dataclass(frozen=True, slots=True)
class Behind:
    """So many messages wait for this application: half of what its policy allows."""

    messages: int


@dataclass(frozen=True, slots=True)
class Missed:
    """This member is out of the group, as `Evicted` or `Expelled` says next, and lacks what `sender` said.

    It is told once of each sender of whom it was handed messages; of any other it lacks all. Whoever joins
    again finds by the number of the next message of that sender how many there were: those from `first` on
    and before it."""

    sender: int
    first: int
    """The number of the first message that was not handed over."""
    known: int
    """How many are known to exist, from `first` on: at least so many. How many there are altogether is not
    known here."""


@dataclass(frozen=True, slots=True)
class Expelled:
    """This member fell behind and is out of the group; it may join again, and takes the state from others.

    What it lacks was told before, sender by sender: `Missed`."""


@dataclass(frozen=True, slots=True)
class Evicted:
    """The cluster goes on without this node.

    What it lacks was told before in each group, sender by sender: `Missed`."""

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
"""The bytes, or a function that makes them when the packet is about to leave: it is given the room
left in that packet and may answer None, which takes the message back."""


Deliver = Callable[[Delivery], None]
Tell = Callable[[GroupEvent], None]


class Group(Protocol):
    """One member's part in one group.

    What comes is kept until it is taken by `receive` and `events`, for who has a loop of its own; or it is
    handed over one by one, for a dispatcher, once `listen` was called."""

    @property
    def name(self) -> str:
        """The name by which the cluster knows the group."""

    def send(self, payload: Payload) -> int:
        """Sends to all members, this one included; returns the ticket that later events name."""

    def send_many(self, block: bytes | bytearray | memoryview, lengths: array[int]) -> int:
        """Sends messages that lie side by side in `block`, in their order and with nothing in between: all of
        them or none. `lengths` is an array of typecode "I". One ticket names them all; `Sent` is told of the
        last."""

    def receive(self, limit: int | None = None) -> list[Delivery]:
        """Takes what was delivered, oldest first, at most `limit`. What is not taken counts as unread."""

    def events(self) -> list[GroupEvent]:
        """Takes what was told beside messages, oldest first."""

    def listen(self, deliver: Deliver | None, tell: Tell | None = None) -> None:
        """Has each message, and each event, handed to a function while the node files what came, in the order
        in which they came; what waits already is handed over at once. None: keep them, as at first.

        A message counts as received when its function returns. The functions may send, join and leave, but
        not file again from within. What one raises is told after everything else was handed over."""

    def listen_batches(self, batch: TakeBatch, tell: Tell | None = None) -> None:
        """As `listen`, but messages are handed over together, as they came, where they lie; see `Batch`."""

    def leave(self) -> None:
        """Leaves; `Left` follows."""


class Node(Protocol):
    """A member of the cluster."""

    def join(self, name: str, policy: GroupPolicy | None = None) -> Group:
        """Joins the group called `name`; `Joined` follows."""

    def stats(self) -> Mapping[str, int]:
        """Everything that was measured, by name."""
