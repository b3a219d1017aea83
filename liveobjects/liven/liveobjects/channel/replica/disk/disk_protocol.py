"""The interface that a replica needs of a channel's store. `store.ChannelStore` implements it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from liven.liveobjects.channel.store.records import Kept


class Disk(Protocol):
    """A checkpoint, the entries after it, and notes by key."""

    @property
    def name(self) -> str:
        """The channel's name."""

    @property
    def place(self) -> bytes:
        """The identity of the folder, as long as it stays where it is: a copy has another one."""

    def forget(self) -> None:
        """Delete everything."""

    @property
    def wants_checkpoint(self) -> bool:
        """True if there are many entries."""

    def kept(self) -> Kept:
        """Return everything that is stored."""

    def append(self, entries: Iterable[bytes]) -> None:
        """Append entries atomically."""

    def checkpoint(self, state: bytes, *, behind: int = 0) -> None:
        """Replace all entries except the last `behind` with a state."""

    def start_over(self, state: bytes, entries: Iterable[bytes] = ()) -> None:
        """Replace everything except the notes with a state and entries."""

    def note(self, **values: bytes) -> None:
        """Store values under their keys."""

    def note_at_once(self, done: Callable[[], object], **values: bytes) -> None:
        """Store values ahead of entries that a full disk refuses, and call back when they are on disk."""

    @property
    def is_failing(self) -> bool:
        """True while the disk refuses data."""

    def watch(self, watcher: Callable[[], object]) -> None:
        """Call back whenever `is_failing` changes."""

    def when_durable(self, callback: Callable[[], object]) -> None:
        """Call back when everything written so far is on disk."""
