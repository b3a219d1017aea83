"""What an ordered channel tells the one who runs it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from liven.liveobjects.channel.history import Epoch, Position, Recovery, Session
from liven.liveobjects.channel.ordering.decision import Seat
from liven.liveobjects.channel.ordering.delivered_log import Run


class Send(NamedTuple):
    """To be sent to all members of the group, this one included, in this order."""

    payload: bytes


class Delivered(NamedTuple):
    """Operations got their numbers; all members get the same ones."""

    run: Run
    epoch: bytes
    ticket: int | None
    """The ticket of the first, if they were submitted here in this life; those of the others follow it."""


@dataclass(frozen=True, slots=True)
class Stable:
    """All operations up to this number are in the log of every member, and the epoch is a main one."""

    number: int
    ticket: int | None
    """The last own ticket that is acknowledged by it, if there is one."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A view is agreed on, and ordering begins in it; deliveries before and after it are on its two sides."""

    regime: bytes
    seats: tuple[Seat, ...]
    me: int
    """The place of this member among the seats."""
    position: Position
    """The cut: those who begin need the state after exactly this."""
    main: bool
    """Whether what is ordered is confirmed; tentative if not."""
    epochs: tuple[Epoch, ...]
    marks: dict[bytes, int]
    begins: bool
    """This member needs the state at the cut, and keeps its own until that is complete. If not, its state, or
    what it waits for, is of this history, and what was delivered leads to the cut."""
    recovery: Recovery
    """What becomes of what it had before."""
    included: range
    """Own tickets that are in this history already."""
    branched: range
    """Own tickets that stay in the branch."""


@dataclass(frozen=True, slots=True)
class Anew:
    """Nobody here has a state: this member begins with nothing, whatever it had or waited for."""


@dataclass(frozen=True, slots=True)
class TakenUp:
    """Whoever had the state that this member waited for is gone: the one that it kept goes on from here."""

    position: Position


@dataclass(frozen=True, slots=True)
class SessionsChanged:
    """To be kept on disk with the log, before anything more is sent."""

    stable: Session
    attempts: tuple[Session, ...]


@dataclass(frozen=True, slots=True)
class Heard:
    """Bytes of the layer above at another member, or at this one."""

    node: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something is wrong and was contained."""

    text: str
    rejoin: bool
    """The line must be left and joined again: this member missed messages."""

    @property
    def what_now(self) -> str:
        """What a person is told that becomes of it."""
        return (
            "it comes in anew by itself and takes what others have; open the object again if it stays empty"
            if self.rejoin
            else "it goes on without that"
        )


@dataclass(frozen=True, slots=True)
class MayLeave:
    """The others will not wait for this member, nor count it."""


Output: TypeAlias = (
    Send | Delivered | Stable | Installed | Anew | TakenUp | SessionsChanged | Heard | Trouble | MayLeave
)
