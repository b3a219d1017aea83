"""The values of the store: records as in the log, and the data that a channel gets.

A record names its channel by 16 bytes and has a *serial*, unique and increasing within the channel. `before`
is the serial that an entry follows, or up to which a checkpoint covers.
"""

from __future__ import annotations

import enum
import hashlib
from dataclasses import dataclass, field


class Sync(enum.Enum):
    """When written data is forced to disk."""

    EACH = "each"
    """At once: data reported as durable survives a power cut."""
    SOON = "soon"
    """Within 0.2 seconds, for all channels together."""
    NEVER = "never"
    """When the system decides; a crash of the process alone loses nothing."""


class RecordKind(enum.IntEnum):
    """The meaning of a record."""

    NAME = 1
    """The channel's name, as text."""
    ENTRY = 2
    """The entry after the one that `before` names. Earlier followers of that one are void."""
    CHECKPOINT = 3
    """The state after all entries up to `before`."""
    CUT = 4
    """Entries after `before` are void."""
    NOTE = 5
    """A value under a key. An empty value removes the key."""
    FORGET = 6
    """The channel is removed."""


@dataclass(frozen=True, slots=True)
class Record:
    """One record."""

    channel: bytes
    kind: RecordKind
    serial: int
    before: int
    payload: bytes
    aside: bool = False
    """True if the payload is a pointer to a file beside the log."""


@dataclass(slots=True)
class Kept:
    """The stored data of one channel."""

    checkpoint: bytes | None = None
    entries: list[bytes] = field(default_factory=list)
    """Those after the checkpoint, oldest first."""
    notes: dict[str, bytes] = field(default_factory=dict)
    damage: str = ""
    """The reason why something could not be read; empty if all could. Entries end before the first damaged
    one."""

    @property
    def empty(self) -> bool:
        """True if nothing is stored."""
        return self.checkpoint is None and not self.entries and not self.notes


class StoreFullError(Exception):
    """The disk takes no data and no more may wait. Nothing of this write was stored."""


def key_of(name: str) -> bytes:
    """Return the 16 bytes by which records name a channel."""
    return hashlib.blake2b(name.encode(), digest_size=16, person=b"liven-channel").digest()
