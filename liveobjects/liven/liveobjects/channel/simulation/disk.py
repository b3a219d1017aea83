"""The disk of a simulated process: it survives the process, and a power cut takes what was not forced."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from liven.liveobjects.channel.simulation.world import World
from liven.liveobjects.channel.store.records import Kept

_ENTRIES_MOST: Final = 40
"""Entries after which a checkpoint is wanted: few, so that schedules come to it."""
_SYNC: Final = 0.2


@dataclass(frozen=True, slots=True)
class _Record:
    """What was done in one go, for the channel of a name."""

    name: str
    change: Callable[[Kept], None]


class SimulatedStorage:
    """What one process after the other keeps in one folder."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._records: list[_Record] = []
        self._forced = 0
        self._lives = 0

    def open(self, name: str) -> SimulatedDisk:
        """What is kept of one channel."""
        return SimulatedDisk(self, name)

    def crash(self, *, power: bool) -> None:
        """The process has ended; with the power, any number of records that were not forced is gone."""
        self._lives += 1
        if power:
            del self._records[self._world.random.randint(self._forced, len(self._records)) :]

    def write(self, record: _Record) -> None:
        """Adds a record."""
        self._records.append(record)

    def kept(self, name: str) -> Kept:
        """All that is there of one name."""
        return self._read(name, len(self._records))

    def safe(self, name: str) -> Kept:
        """What of one name would be there after a power cut, in the worst case."""
        return self._read(name, self._forced)

    @property
    def forced(self) -> int:
        """How many records no power cut takes."""
        return self._forced

    def _read(self, name: str, count: int) -> Kept:
        kept = Kept()
        for record in self._records[:count]:
            if record.name == name:
                record.change(kept)
        return kept

    def when_durable(self, callback: Callable[[], object]) -> None:
        """Calls back when all that is there now has been forced, if the process lives so long."""
        count, life = len(self._records), self._lives

        def forced() -> None:
            if life == self._lives:
                self._forced = max(self._forced, count)
                callback()

        self._world.after(self._world.random.uniform(0, _SYNC), forced)


class SimulatedDisk:
    """One channel's part."""

    def __init__(self, platter: SimulatedStorage, name: str) -> None:
        self.name = name
        self._platter = platter
        self._entries = len(platter.kept(name).entries)

    @property
    def wants_checkpoint(self) -> bool:
        """Whether the entries have become many."""
        return self._entries > _ENTRIES_MOST

    def kept(self) -> Kept:
        """All that is there."""
        return self._platter.kept(self.name)

    def append(self, entries: Iterable[bytes]) -> None:
        """Adds entries, all at once."""
        new = list(entries)
        self._entries += len(new)
        self._write(lambda kept: kept.entries.extend(new))

    def checkpoint(self, state: bytes, *, behind: int = 0) -> None:
        """Puts a state in place of all entries but the last ones."""

        def change(kept: Kept) -> None:
            kept.checkpoint = state
            del kept.entries[: len(kept.entries) - behind]

        self._entries = behind
        self._write(change)

    def start_over(self, state: bytes, entries: Iterable[bytes] = ()) -> None:
        """Puts a state and entries in place of all; notes stay."""
        new = list(entries)

        def change(kept: Kept) -> None:
            kept.checkpoint, kept.entries = state, list(new)

        self._entries = len(new)
        self._write(change)

    def note(self, **values: bytes) -> None:
        """Keeps values under their keys."""

        def change(kept: Kept) -> None:
            kept.notes.update(values)
            kept.notes = {key: value for key, value in kept.notes.items() if value}

        self._write(change)

    def forget(self) -> None:
        """Keeps nothing any more."""

        def change(kept: Kept) -> None:
            kept.checkpoint, kept.entries, kept.notes = None, [], {}

        self._entries = 0
        self._write(change)

    def when_durable(self, callback: Callable[[], object]) -> None:
        """Calls back when all that was given has been forced."""
        self._platter.when_durable(callback)

    def _write(self, change: Callable[[Kept], None]) -> None:
        self._platter.write(_Record(self.name, change))
