"""The simulated disk: it survives its process, and a power cut loses what was not forced."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from liven.liveobjects.channel.simulation.network import World
from liven.liveobjects.channel.store.records import Kept

_ENTRIES_MOST: Final = 40
"""Entries after which a checkpoint is wanted: few, so that schedules reach it."""
_SYNC: Final = 0.2


@dataclass(frozen=True, slots=True)
class _Record:
    """One atomic write for a named channel."""

    name: str
    change: Callable[[Kept], None]


class SimulatedStorage:
    """One folder, used by one process after the other."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._records: list[_Record] = []
        self._forced = 0
        self._lives = 0

    def open(self, name: str) -> SimulatedDisk:
        """Return the disk of one channel."""
        return SimulatedDisk(self, name)

    def crash(self, *, power: bool) -> None:
        """End the process. A power cut loses any number of records that were not forced."""
        self._lives += 1
        if power:
            del self._records[self._world.random.randint(self._forced, len(self._records)) :]

    def write(self, record: _Record) -> None:
        """Append a record."""
        self._records.append(record)

    def kept(self, name: str) -> Kept:
        """Return everything stored under a name."""
        return self._read(name, len(self._records))

    def safe(self, name: str) -> Kept:
        """Return what would be left of a name after a power cut, in the worst case."""
        return self._read(name, self._forced)

    @property
    def forced(self) -> int:
        """Number of records that survive a power cut."""
        return self._forced

    def _read(self, name: str, count: int) -> Kept:
        kept = Kept()
        for record in self._records[:count]:
            if record.name == name:
                record.change(kept)
        return kept

    def when_durable(self, callback: Callable[[], object]) -> None:
        """Call back when everything written so far was forced, if the process lives until then."""
        count, life = len(self._records), self._lives

        def forced() -> None:
            if life == self._lives:
                self._forced = max(self._forced, count)
                callback()

        self._world.after(self._world.random.uniform(0, _SYNC), forced)


class SimulatedDisk:
    """The disk of one channel."""

    def __init__(self, storage: SimulatedStorage, name: str) -> None:
        self.name = name
        self._storage = storage
        self._entries = len(storage.kept(name).entries)

    @property
    def wants_checkpoint(self) -> bool:
        """True if there are many entries."""
        return self._entries > _ENTRIES_MOST

    def kept(self) -> Kept:
        """Return everything that is stored."""
        return self._storage.kept(self.name)

    def append(self, entries: Iterable[bytes]) -> None:
        """Append entries atomically."""
        new = list(entries)
        self._entries += len(new)
        self._write(lambda kept: kept.entries.extend(new))

    def checkpoint(self, state: bytes, *, behind: int = 0) -> None:
        """Replace all entries except the last ones with a state."""

        def change(kept: Kept) -> None:
            kept.checkpoint = state
            del kept.entries[: len(kept.entries) - behind]

        self._entries = behind
        self._write(change)

    def start_over(self, state: bytes, entries: Iterable[bytes] = ()) -> None:
        """Replace everything except the notes with a state and entries."""
        new = list(entries)

        def change(kept: Kept) -> None:
            kept.checkpoint, kept.entries = state, list(new)

        self._entries = len(new)
        self._write(change)

    def note(self, **values: bytes) -> None:
        """Store values under their keys."""

        def change(kept: Kept) -> None:
            kept.notes.update(values)
            kept.notes = {key: value for key, value in kept.notes.items() if value}

        self._write(change)

    def forget(self) -> None:
        """Delete everything."""

        def change(kept: Kept) -> None:
            kept.checkpoint, kept.entries, kept.notes = None, [], {}

        self._entries = 0
        self._write(change)

    def when_durable(self, callback: Callable[[], object]) -> None:
        """Call back when everything written so far was forced."""
        self._storage.when_durable(callback)

    def _write(self, change: Callable[[Kept], None]) -> None:
        self._storage.write(_Record(self.name, change))
