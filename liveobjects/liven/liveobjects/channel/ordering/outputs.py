"""The outputs of an ordered channel, which its caller carries out in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from liven.liveobjects.channel.history import Epoch, Position, Recovery, Session
from liven.liveobjects.channel.ordering.opening.decision import Seat
from liven.liveobjects.channel.ordering.operations.delivered_log import Run


class Send(NamedTuple):
    """Send this to all members of the group, including this one, in this order."""

    payload: bytes


class Delivered(NamedTuple):
    """Operations received their numbers, the same at all members."""

    run: Run
    epoch: bytes
    ticket: int | None
    """The ticket of the first, if this incarnation submitted them; the other tickets follow it."""


@dataclass(frozen=True, slots=True)
class Stable:
    """Operations up to this number are in the log of every member, in a main epoch."""

    number: int
    ticket: int | None
    """The last own ticket that this acknowledges, if any."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A view is agreed on and ordering begins in it. It separates the deliveries before from those
    after it."""

    view_id: bytes
    seats: tuple[Seat, ...]
    me: int
    """The place of this member among the seats."""
    position: Position
    """The cut: newcomers need the state after exactly this position."""
    main: bool
    """True if operations are confirmed; false if they are tentative."""
    epochs: tuple[Epoch, ...]
    marks: dict[bytes, int]
    begins: bool
    """True if this member needs the state at the cut, and keeps its own until that is complete. If false, its
    state, or the state that it waits for, is of this history."""
    recovery: Recovery
    """The treatment of this member's previous history."""
    included: range
    """Own tickets that this history includes already."""
    branched: range
    """Own tickets that stay in the branch."""
    takes_over: bool = False
    """True if an epoch begins here that has operations of the former one. It exists with its own first."""

    @property
    def orderer(self) -> bytes:
        """The author that orders first."""
        return next((each.author for each in self.seats if each.complete), b"")


@dataclass(frozen=True, slots=True)
class BeginEmpty:
    """Nobody here has a state: this member begins empty, whatever it had or waited for."""


@dataclass(frozen=True, slots=True)
class HistoryRestored:
    """The members whose state this one waited for are gone: the history that was set aside continues here."""

    position: Position


@dataclass(frozen=True, slots=True)
class SessionsChanged:
    """Store these sessions with the log before sending anything more."""

    stable: Session
    attempts: tuple[Session, ...]
    history_founding: bytes | None = None
    """The founding of the history in the log, if that is not the one of these sessions."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message of the layer above arrived from a member, or from this one."""

    node: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Trouble:
    """An error that was contained."""

    text: str
    rejoin: bool
    """True if this member missed messages and must leave the line and rejoin."""

    @property
    def consequence(self) -> str:
        """The consequence, as people read it."""
        return (
            "this computer rejoins by itself and gets what it missed; open the object again if it stays empty"
            if self.rejoin
            else "it continues without that"
        )


@dataclass(frozen=True, slots=True)
class OtherVersion:
    """A member runs another version of Liven, so this one cannot read what it sends."""

    node: int


@dataclass(frozen=True, slots=True)
class Unanswered:
    """Members did not answer, and the others go on without them."""

    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Readers:
    """Other members whose disks take no data: they have no vote meanwhile, and nobody waits for them. It
    follows every change."""

    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MayLeave:
    """The others neither wait for this member nor count on it."""


Output: TypeAlias = (
    Send
    | Delivered
    | Stable
    | Installed
    | BeginEmpty
    | HistoryRestored
    | SessionsChanged
    | Heard
    | Trouble
    | OtherVersion
    | Unanswered
    | Readers
    | MayLeave
)
