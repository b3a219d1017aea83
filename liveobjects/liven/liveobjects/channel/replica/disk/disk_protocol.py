"""What a replica asks of the store of its channel; `store.ChannelStore` is one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from liven.liveobjects.channel.store.records import Kept


class Disk(Protocol):
    """A checkpoint, the entries after it, and notes by key."""

    @property
    def name(self) -> str:
        """The channel's name."""

    def forget(self) -> None:
        """Keeps nothing any more."""

    @property
    def wants_checkpoint(self) -> bool:
        """Whether the entries have become many."""

    def kept(self) -> Kept:
        """All that is there."""

    def append(self, entries: Iterable[bytes]) -> None:
        """Adds entries, all at once."""

    def checkpoint(self, state: bytes, *, behind: int = 0) -> None:
        """Puts a state in place of all entries but the last `behind`."""

    def start_over(self, state: bytes, entries: Iterable[bytes] = ()) -> None:
        """Puts a state and entries in place of all; notes stay."""

    def note(self, **values: bytes) -> None:
        """Keeps values under their keys."""

    def when_durable(self, callback: Callable[[], object]) -> None:
        """Calls back when all that was given is on the disk."""
