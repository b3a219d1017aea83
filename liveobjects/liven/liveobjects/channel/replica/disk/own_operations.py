"""A replica's own operations on their way to the journal: when they are stored, and when they are removed."""

from __future__ import annotations

from typing import Final

from liven.liveobjects.channel.ordering import OrderedChannel, Phase
from liven.liveobjects.channel.replica.disk.persistence import Persistence

STORED_AFTER: Final = 0.05
"""Seconds that an operation waits for its place before it is written to disk; 0 while nobody orders."""


class StoredOwnOperations:
    """Stores submitted operations that have no place yet. An operation that gets its place soon needs no
    entry of its own, because the log holds it."""

    __slots__ = ("_channel", "_persistence", "due")

    def __init__(self, channel: OrderedChannel, persistence: Persistence) -> None:
        self._channel = channel
        self._persistence = persistence
        self.due: float | None = None
        """The time at which submitted operations are stored, unless they have their places by then."""

    @property
    def will_store_soon(self) -> bool:
        """True if operations submitted now are stored soon anyway."""
        return self.due is not None and self._channel.stage is Phase.OPEN

    def submitted(self, now: float) -> None:
        """Note that an operation was submitted."""
        if self._channel.stage is not Phase.OPEN:
            self.store()
        elif self.due is None:
            self.due = now + STORED_AFTER

    def tick(self, now: float) -> None:
        """Advance the time."""
        if self.due is not None and now >= self.due:
            self.store()

    def store(self) -> None:
        """Store submitted operations that are not on disk yet."""
        self.due = None
        channel = self._channel
        self._persistence.journal.enter(channel.own_after(self._persistence.journal.last), channel.last_own)

    def store_unsettled(self) -> None:
        """Reduce the journal to operations that are still to be ordered."""
        self.due = None
        self._persistence.settle(self._channel.own, self._channel.last_own)

    def stable(self) -> None:
        """Clean up the journal, if that is worth it, as more operations became stable."""
        journal = self._persistence.journal
        if journal.is_long or (not self._channel.unacknowledged and not journal.is_empty):
            self.store_unsettled()
