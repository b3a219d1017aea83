"""The values of the store: records as the log holds them, and what is handed to a channel.

A record belongs to one channel, which it names by 16 bytes, and has a *serial*: no two of a channel have the
same, and a later one has a greater. `before` is the serial that an entry follows, or up to which a checkpoint
covers.
"""

from __future__ import annotations

import enum
import hashlib
from dataclasses import dataclass, field


class Sync(enum.Enum):
    """When what was written is forced to the disk."""

    EACH = "each"
    """At once; what is told as durable has survived a power cut."""
    SOON = "soon"
    """Within a fifth of a second, for all channels together."""
    NEVER = "never"
    """When the system likes; a crash of the process alone loses nothing."""


class RecordKind(enum.IntEnum):
    """What a record says."""

    NAME = 1
    """The channel's name, as text."""
    ENTRY = 2
    """The next entry, after the one that `before` names; what followed that one before is gone."""
    CHECKPOINT = 3
    """The state after all entries up to `before`."""
    CUT = 4
    """Entries after `before` are gone."""
    NOTE = 5
    """A value under a key; an empty one takes the key away."""
    FORGET = 6
    """The channel is kept no longer."""


@dataclass(frozen=True, slots=True)
class Record:
    """One record."""

    channel: bytes
    kind: RecordKind
    serial: int
    before: int
    payload: bytes
    aside: bool = False
    """Whether the payload only tells in which file beside the log it is."""


@dataclass(slots=True)
class Kept:
    """What the store has of one channel."""

    checkpoint: bytes | None = None
    entries: list[bytes] = field(default_factory=list)
    """Those after the checkpoint, oldest first."""
    notes: dict[str, bytes] = field(default_factory=dict)
    damage: str = ""
    """What could not be read; empty when all could. Entries end before the first that is damaged."""

    @property
    def empty(self) -> bool:
        """Whether nothing is kept."""
        return self.checkpoint is None and not self.entries and not self.notes


class StoreFullError(Exception):
    """The disk takes nothing and no more may wait. Nothing was kept of what was given."""


def key_of(name: str) -> bytes:
    """The 16 bytes by which records name the channel called `name`."""
    return hashlib.blake2b(name.encode(), digest_size=16, person=b"liven-channel").digest()
