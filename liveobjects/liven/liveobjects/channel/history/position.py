"""Where in a history something stands."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, NamedTuple

IDENTITY_BYTES: Final = 16
CHAIN_BYTES: Final = 16


class Position(NamedTuple):
    """A place after an operation: the epoch that numbered it, its number, and the hash of all up to it.

    Numbers go on across epochs: number n has n operations before and with it, whatever its epoch.
    """

    epoch: bytes
    number: int
    chain: bytes


BEGINNING: Final = Position(bytes(IDENTITY_BYTES), 0, bytes(CHAIN_BYTES))
"""Where every history begins: nothing happened yet."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """A stretch of history in which one side of the members gave the numbers.

    A *main* epoch was given by those who may confirm; a *side* epoch by members who were cut off from
    them, and what is ordered in it is tentative.
    """

    identity: bytes
    parent: Position
    main: bool


def epoch_identity(regime: bytes, parent: Position, *, main: bool) -> bytes:
    """The name of the epoch that the members of a regime open at `parent`: all of them find the same one."""
    kind = b"main" if main else b"side"
    told = b"".join((kind, regime, parent.epoch, parent.number.to_bytes(8, "big"), parent.chain))
    return blake2b(told, digest_size=IDENTITY_BYTES, person=b"liven-epoch").digest()
