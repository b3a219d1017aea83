"""What a channel needs of a group transport.

A *transport* opens *lines*; a line is this member's part in one group. All that comes over a line is handed
to its receiver in batches, on the dispatcher's thread. The bridge to the multicast engine is `bridge.py`;
`hub.py` joins the lines of one process without any network.

What a receiver may rely on: the messages of one sender come in its order, without gap or duplicate, from the
first that comes on; `Joined` comes before the first message, `Left` and `Evicted` after the last. The members
of a view are told in the order of their short names. Nothing else is known of the order between messages and
what is told beside them: a view may be told more than once, and a little before or after messages of members
that it names no longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from liven.multicast.group import Delivery, GroupEvent

LINE_BUDGET = 4 * 1024 * 1024
"""Bytes that may wait on one line until the transport takes them."""
MESSAGE_MOST = 64 * 1024 * 1024
"""Bytes of the longest message."""


@dataclass(frozen=True, slots=True)
class HasRoom:
    """After a send was refused as too much: there is room again."""


LineEvent: TypeAlias = GroupEvent | HasRoom


class LineBusyError(Exception):
    """More waits on this line than its budget allows. Nothing was taken; `HasRoom` will be told."""


class LineClosedError(Exception):
    """The line was left, or its transport has ended."""


class Batch(NamedTuple):
    """What came over a line since the last batch."""

    messages: Sequence[Delivery]
    events: Sequence[LineEvent]


class Receiver(Protocol):
    """Whoever listens on a line."""

    def __call__(self, batch: Batch, /) -> None: ...


class Line(Protocol):
    """This member's part in one group."""

    @property
    def name(self) -> str:
        """The name of the group."""

    @property
    def me(self) -> int:
        """The short name by which the others know this member now; 0 until the first view came, and after an
        eviction until the next."""

    @property
    def room(self) -> int:
        """How many bytes can be sent now before the line is busy."""

    def send(self, payload: bytes) -> int:
        """Sends to all members, this one included; the ticket is what `Sent`, `Uncertain`, `Refused` and
        `Withdrawn` name. Waits in the line until it is joined. LineBusyError if too much waits there already,
        LineClosedError when it was left; MulticastError for a message that is too long."""

    def rejoin(self) -> None:
        """After `Evicted`: comes back as a new member; `Joined` follows. What had not left was withdrawn."""

    def resume(self) -> None:
        """After `Demoted`: has messages delivered again."""

    def leave(self) -> None:
        """Leaves; `Left` follows, and then nothing more."""


class Transport(Protocol):
    """What opens lines: one for a process, made by the composition root."""

    def open(self, name: str, receiver: Receiver) -> Line:
        """Joins the group called `name`; a process has one line in a group at a time."""
