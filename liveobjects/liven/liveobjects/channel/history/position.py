"""Positions in a history, and the epochs that number it."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, NamedTuple

IDENTITY_BYTES: Final = 16
CHAIN_BYTES: Final = 16
"""Bytes of a chain hash: 128 bits rule out accidental collisions."""


class Position(NamedTuple):
    """A place right after an operation: its epoch, its number, and the hash of everything up to it.

    Numbers continue across epochs: operation n is the n-th of the history, whatever its epoch.
    """

    epoch: bytes
    number: int
    chain: bytes


BEGINNING: Final = Position(bytes(IDENTITY_BYTES), 0, bytes(CHAIN_BYTES))
"""The position before the first operation of any history."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """A stretch of history in which one side of the members numbered the operations.

    A *main* epoch belongs to members who may confirm operations. A *side* epoch belongs to members who were
    cut off from them; its operations are tentative.
    """

    identity: bytes
    parent: Position
    main: bool
    certain: int | None = None
    """The last operation before it that others cannot have confirmed differently; None if that is the parent.
    Operations from there to the parent count as this epoch's: members elsewhere may have continued the former
    epoch with others in their places."""

    @property
    def after(self) -> int:
        """The last number that counts as an earlier epoch's."""
        return self.parent.number if self.certain is None else self.certain


def epoch_identity(view_id: bytes, parent: Position, *, main: bool) -> bytes:
    """Return the identity of the epoch that a view opens at `parent`. All members compute the same one."""
    kind = b"main" if main else b"side"
    told = b"".join((kind, view_id, parent.epoch, parent.number.to_bytes(8, "big"), parent.chain))
    return blake2b(told, digest_size=IDENTITY_BYTES, person=b"liven-epoch").digest()
