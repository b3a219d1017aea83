"""The messages of an ordered channel. `message_codec.py` has their encoding.

All members compute the same identity for a view, and messages of older views are ignored.

| message | content                                                                       |
|---------|-------------------------------------------------------------------------------|
| Work    | operations of the sender, perhaps an order, and the sender's progress         |
| Report  | what the sender had when it saw the view                                      |
| Verdict | which of the reported histories are part of the sender's                      |
| Plan    | which operations of members that are gone come first, and who has them        |
| Start   | where members begin that do not have this history                             |
| Fill    | numbered operations, for members that lack them                               |
| Open    | returning members have waited long enough                                     |
| LeftOut | members of the view without which the sender goes on                          |
| Doubt   | members that the sender cannot understand                                     |
| Beside  | a message of the layer above: FIFO from each sender, but not ordered          |
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from liven.liveobjects.channel.history import Claim, Epoch, Position, Session, Voter, founding

VIEW_ID_BYTES: Final = 16
OPERATION_MOST: Final = 16 * 1024 * 1024
"""Bytes of the longest operation."""
BATCH_MOST: Final = 4096
"""Operations in one message."""


class HistorySource(enum.IntEnum):
    """The origin of the history that a member brings into a view."""

    FRESH = 0
    """No history."""
    RETURNED = 1
    """A history from its store, of an earlier incarnation."""
    LIVE = 2
    """A history of this incarnation."""


class Progress(NamedTuple):
    """A member's progress."""

    number: int
    """The number up to which its log is complete."""
    serial: int
    """The latest session that it has recorded."""
    complete: bool
    """True if it has the state, and not only the operations since it joined."""
    leaving: bool
    chain: bytes = b""
    """The chain hash at that number; empty if the sender no longer knows it."""
    stores: bool = True
    """False while its disk takes no data: it is a reader, who has no vote and holds nobody back."""


class Order(NamedTuple):
    """The next numbers: runs of operations by member, each in its sender's order."""

    sequence: int
    """Consecutive in a view, whoever orders."""
    runs: tuple[int, ...]
    """Alternating member and count; members by their place in the view."""
    successor: int | None = None
    """The member that orders from here on."""
    session: Session | None = None
    """A session that begins here."""


class Work(NamedTuple):
    """Operations of the sender, and its other messages while the view is open."""

    view_id: bytes
    first: int
    payloads: list[bytes]
    order: Order | None
    progress: Progress | None


@dataclass(frozen=True, slots=True)
class Held:
    """Operations of a member that is gone: received, but never ordered."""

    author: bytes
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Report:
    """The data of a member at the moment it saw a view. It accepts nothing more from older views
    afterwards."""

    view_id: bytes
    author: bytes
    voter: Voter
    history: HistorySource
    from_disk: bool
    """True if its history came from a disk, and no epoch began since."""
    complete: bool
    turn: bytes
    """The view in which it was last. Within one turn, the history with the lower number is a prefix."""
    turns: int
    """Number of views in its history."""
    since: int
    """The ordinal of the view in which it joined the history."""
    claim: Claim | None
    """The history that it offers, with its state."""
    following: Position | None
    """Its position in a history whose state it does not have yet."""
    kept_from: int
    """The first number that it can send to others."""
    held: tuple[Held, ...]
    stable_session: Session
    attempts: tuple[Session, ...]
    stores: bool = True
    """False while its disk takes no data."""
    history_founding: bytes | None = None
    """The founding of the history that it offers, if that is not the one of its sessions: it was about to
    follow a history with another founding. The state of that one did not come yet."""

    @property
    def founding(self) -> bytes:
        """The founding of its sessions."""
        return founding(self.stable_session, self.attempts)

    @property
    def offered_founding(self) -> bytes:
        """The founding of the history that it offers."""
        return self.founding if self.history_founding is None else self.history_founding


@dataclass(frozen=True, slots=True)
class Judged:
    """The relation of one reported history to a judge's own."""

    tip: bool
    stable: bool
    following: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """One member's judgement of each report, in the order of the view."""

    view_id: bytes
    judged: tuple[Judged, ...]


@dataclass(frozen=True, slots=True)
class Tail:
    """Operations of an absent author that are numbered first, and the member that sends them to all."""

    author: bytes
    first: int
    last: int
    holder: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The operations between the tip and the first order, announced by the donor."""

    view_id: bytes
    tails: tuple[Tail, ...]


@dataclass(frozen=True, slots=True)
class Start:
    """The starting position of members without this history."""

    view_id: bytes
    position: Position
    stable: Position
    epochs: tuple[Epoch, ...]
    marks: tuple[tuple[bytes, int], ...]


@dataclass(frozen=True, slots=True)
class Fill:
    """Numbered operations: the first number, then runs of (author, the author's first number, payloads)."""

    view_id: bytes
    number: int
    runs: tuple[tuple[bytes, int, list[bytes]], ...]
    epochs: tuple[Epoch, ...] = ()
    """The epochs that begin among them."""


@dataclass(frozen=True, slots=True)
class Open:
    """The end of the wait for returning members."""

    view_id: bytes


@dataclass(frozen=True, slots=True)
class Unordered:
    """A message of the layer above."""

    payload: bytes


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The sender goes on without these members of a view, because they did not answer."""

    view_id: bytes
    """The view as the transport named it."""
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Doubt:
    """The sender votes to go on without these members of a view: it cannot understand them, or they have
    another history."""

    view_id: bytes
    """The view as the transport named it."""
    nodes: tuple[int, ...]


Message: TypeAlias = Work | Report | Verdict | Plan | Start | Fill | Open | LeftOut | Doubt | Unordered
