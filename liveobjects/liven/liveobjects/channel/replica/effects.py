"""The effects of a replica, which its caller carries out in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from liven.liveobjects.channel.history import BEGINNING, Position
from liven.liveobjects.channel.replica.control_operations import Control


@dataclass(frozen=True, slots=True)
class Begin:
    """Initialize the objects with this state; None is the empty state. This comes again when another history
    wins."""

    state: bytes | None
    position: Position = BEGINNING
    """The last operation in it and in `after`."""
    after: Sequence[bytes] = ()
    """The last operations up to there, which the state does not contain; `Apply` brings them to objects."""


class Apply(NamedTuple):
    """Apply the next operations."""

    payloads: list[bytes]


@dataclass(frozen=True, slots=True)
class TakeState:
    """Take the state after exactly the operations applied so far, and pass it to `Replica.taken`."""

    request: int


@dataclass(frozen=True, slots=True)
class Arriving:
    """Part of a state has arrived."""

    got: int
    size: int


@dataclass(frozen=True, slots=True)
class Notify:
    """Show this to people."""

    what: str
    advice: str


@dataclass(frozen=True, slots=True)
class Branched:
    """The previous history lost and is kept as a branch of this name; a person decides about it."""

    name: str


@dataclass(frozen=True, slots=True)
class Controlled:
    """A control operation was delivered."""

    author: bytes
    control: Control


@dataclass(frozen=True, slots=True)
class TakeDigest:
    """Take the digest of the state after exactly the operations applied so far, and pass it to
    `Replica.digested`."""

    number: int


@dataclass(frozen=True, slots=True)
class Replay:
    """Replay the log, compare the result with the present state, and pass the outcome to
    `Replica.replayed`."""

    number: int


Effect: TypeAlias = (
    Begin | Apply | TakeState | Arriving | Notify | Branched | Controlled | TakeDigest | Replay
)
