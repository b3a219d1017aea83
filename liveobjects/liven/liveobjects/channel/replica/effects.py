"""What a replica asks of the one who runs it, in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from liven.liveobjects.channel.replica.control_operations import Control


@dataclass(frozen=True, slots=True)
class Begin:
    """The objects here begin with this state; None is the beginning of all. It comes again when another
    history than theirs goes on."""

    state: bytes | None


class Apply(NamedTuple):
    """The next operations."""

    payloads: list[bytes]


@dataclass(frozen=True, slots=True)
class TakeState:
    """The state after exactly what was applied so far is wanted; `Replica.taken` gets it."""

    request: int


@dataclass(frozen=True, slots=True)
class Arriving:
    """How much of a state has come."""

    got: int
    size: int


@dataclass(frozen=True, slots=True)
class Tell:
    """People should know."""

    what: str
    advice: str


@dataclass(frozen=True, slots=True)
class Branched:
    """The history that was here does not go on, and is kept under a name of its own: a person decides."""

    name: str


@dataclass(frozen=True, slots=True)
class Controlled:
    """An operation of the channel itself was delivered."""

    author: bytes
    control: Control


@dataclass(frozen=True, slots=True)
class TakeDigest:
    """What can be seen of the state after exactly what was applied so far is wanted as a hash;
    `Replica.digested` gets it."""

    number: int


@dataclass(frozen=True, slots=True)
class Replay:
    """The log is to be gone over, and the state that it makes compared with the one that is here;
    `Replica.replayed` gets the outcome."""

    number: int


Effect: TypeAlias = Begin | Apply | TakeState | Arriving | Tell | Branched | Controlled | TakeDigest | Replay
