"""The interface of a group transport, as channels use it.

A *transport* opens *lines*; a line is this member's part in one group. Everything that arrives on a line goes
to its receiver in batches, on the dispatcher's thread. `engine_transport.py` uses the multicast engine, and
`local_transport.py` connects the members of one process without a network.

Guarantees for receivers: messages of one sender come in order, without gaps or duplicates from the first one
on. `Joined` comes before the first message, `Left` and `Evicted` after the last. A view lists its members in
the order of their nodes. Nothing else is guaranteed about messages relative to events: a view may be
repeated, and may come a little before or after messages of members that it no longer lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from liven.multicast.group import Delivery, GroupEvent

LINE_BUDGET = 4 * 1024 * 1024
"""Bytes that may wait on one line until the transport accepts them."""
MESSAGE_MOST = 64 * 1024 * 1024
"""Bytes of the longest message."""


@dataclass(frozen=True, slots=True)
class HasRoom:
    """There is room again after a send was refused."""


LineEvent: TypeAlias = GroupEvent | HasRoom


class LineBusyError(Exception):
    """More waits on this line than its budget allows. Nothing was accepted; `HasRoom` will follow."""


class LineClosedError(Exception):
    """The line was left, or its transport has ended."""


class Batch(NamedTuple):
    """Everything that arrived on a line since the last batch."""

    messages: Sequence[Delivery]
    events: Sequence[LineEvent]


class Receiver(Protocol):
    """A function that receives the batches of a line."""

    def __call__(self, batch: Batch, /) -> None: ...


class Line(Protocol):
    """This member's part in one group."""

    @property
    def name(self) -> str:
        """The name of the group."""

    @property
    def me(self) -> int:
        """This member's node in the view; 0 before the first view, and after an eviction until the
        next one."""

    @property
    def room(self) -> int:
        """Bytes that can be sent now before the line is busy."""

    def send(self, payload: bytes) -> int:
        """Send to all members, including this one. `Sent`, `Uncertain`, `Refused` and `Withdrawn` refer to
        the returned ticket. Messages wait in the line until it is joined. Raises LineBusyError if too many
        wait, LineClosedError after leaving, and MulticastError for a message that is too long."""

    def rejoin(self) -> None:
        """Rejoin as a new member, after `Evicted`; `Joined` follows. Unsent messages were withdrawn."""

    def resume(self) -> None:
        """Resume delivery, after `Demoted`."""

    def leave(self) -> None:
        """Leave the group. `Left` follows, and nothing after it."""


class Transport(Protocol):
    """A factory of lines. A process has one, created by the composition root."""

    def open(self, name: str, receiver: Receiver) -> Line:
        """Join the group called `name`. A process has one line in a group at a time."""
