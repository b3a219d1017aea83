"""The simulated disk: it survives its process, and a power cut loses what was not forced."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from liven.liveobjects.channel.simulation.network import World
from liven.liveobjects.channel.store.records import Kept, StoreFullError

_ENTRIES_MOST: Final = 40
"""Entries after which a checkpoint is wanted: few, so that schedules reach it."""
_SYNC: Final = 0.2
KNOWN_AFTER: Final = 3.0
"""Seconds until all members know how a disk is, and a log that was incomplete is written again."""
_WAITING_MOST: Final = 25
"""Records that may wait for a full disk."""


@dataclass(frozen=True, slots=True)
class _Record:
    """One atomic write for a named channel."""

    name: str
    change: Callable[[Kept], None]
    notes: dict[str, bytes] = field(default_factory=dict)
    """The notes that it changes, if it changes notes."""


class SimulatedStorage:
    """One folder, used by one process after the other."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.place = world.random.randbytes(16)
        self._records: list[_Record] = []
        self._forced = 0
        self._lives = 0
        self.heirs: list[SimulatedStorage] = []
        """The folders of programs that took over what is here."""
        self.full = False
        """True while the disk takes nothing but what is written at once."""
        self._waiting: list[_Record] = []
        self._callbacks: list[Callable[[], object]] = []
        self._watchers: dict[str, Callable[[], object]] = {}
        self.failing = False
        self._failed_at = -KNOWN_AFTER

    @property
    def lives(self) -> int:
        """Number of processes on it that have ended."""
        return self._lives

    @property
    def failed_lately(self) -> bool:
        """True while the disk fails, and until others know that it takes data again."""
        return self.failed_until(self._world.now)

    def failed_until(self, when: float) -> bool:
        """True if the disk failed shortly before a time, so that others may not have known yet that it takes
        data again."""
        return self.failing or when < self._failed_at + KNOWN_AFTER

    def open(self, name: str) -> SimulatedDisk:
        """Return the disk of one channel."""
        return SimulatedDisk(self, name)

    def copy(self, *, moved: bool = False) -> SimulatedStorage:
        """Return a copy, as made while the process runs. In another place it is recognized as one."""
        made = SimulatedStorage(self._world)
        if not moved:
            made.place = self.place
        made._records = self._records[: self._world.random.randint(self._forced, len(self._records))]
        made._forced = len(made._records)
        return made

    def crash(self, *, power: bool) -> None:
        """End the process. A power cut loses any number of records that were not forced."""
        self._lives += 1
        self._waiting.clear()
        self._callbacks.clear()
        self._watchers.clear()
        if self.failing:
            self.failing, self._failed_at = False, self._world.now
        if power:
            del self._records[self._world.random.randint(self._forced, len(self._records)) :]

    def write(self, record: _Record) -> None:
        """Append a record, or let it wait for room. Raises StoreFullError if too many wait."""
        if self.full and not self.failing:
            self._fail(failing=True)
        if not self.failing:
            self._records.append(record)
        elif len(self._waiting) < _WAITING_MOST:
            self._waiting.append(record)
        else:
            raise StoreFullError("the disk takes no data")

    def write_at_once(self, record: _Record, done: Callable[[], object]) -> None:
        """Append a record ahead of those that wait. Waiting notes of the same keys are older."""
        for each in self._waiting:
            for key in record.notes if each.name == record.name else ():
                each.notes.pop(key, None)
        self._records.append(record)
        self._force(done)

    def free(self) -> None:
        """Let the disk take data again."""
        self.full = False
        if self.failing:
            self._records += self._waiting
            self._waiting.clear()
            self._fail(failing=False)
            callbacks, self._callbacks = self._callbacks, []
            for callback in callbacks:
                self._force(callback)

    def watch(self, name: str, watcher: Callable[[], object]) -> None:
        """Call back whenever `failing` changes."""
        self._watchers[name] = watcher

    def _fail(self, *, failing: bool) -> None:
        self.failing = failing
        self._failed_at = self._world.now
        for watcher in self._watchers.values():
            self._later(watcher)

    def _later(self, action: Callable[[], object]) -> None:
        """Run an action after this turn, if the process lives until then."""
        life = self._lives

        def act() -> None:
            if life == self._lives:
                action()

        self._world.after(0.0, act)

    def kept(self, name: str) -> Kept:
        """Return everything stored under a name, and what waits for room."""
        return self._read(name, [*self._records, *self._waiting])

    def safe(self, name: str) -> Kept:
        """Return what would be left of a name after a power cut, in the worst case."""
        return self._read(name, self._records[: self._forced])

    @property
    def with_heirs(self) -> list[SimulatedStorage]:
        """Return this folder, and all to which its content moved."""
        found = [self]
        for each in found:
            found += [heir for heir in each.heirs if heir not in found]
        return found

    @property
    def forced(self) -> int:
        """Number of records that survive a power cut."""
        return self._forced

    def _read(self, name: str, records: Sequence[_Record]) -> Kept:
        kept = Kept()
        for record in records:
            if record.name == name:
                record.change(kept)
        return kept

    def force(self) -> None:
        """Force everything to the disk now."""
        self._forced = len(self._records)

    def when_durable(self, callback: Callable[[], object]) -> None:
        """Call back when everything written so far was forced, if the process lives until then."""
        if self._waiting:
            self._callbacks.append(callback)
        else:
            self._force(callback)

    def _force(self, callback: Callable[[], object]) -> None:
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
    def place(self) -> bytes:
        """The identity of the folder: a copy has another one."""
        return self._storage.place

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
        self._storage.write(self._noted(values))

    def note_at_once(self, done: Callable[[], object], **values: bytes) -> None:
        """Store values ahead of entries that a full disk refuses."""
        self._storage.write_at_once(self._noted(values), done)

    def _noted(self, values: dict[str, bytes]) -> _Record:
        def change(kept: Kept) -> None:
            kept.notes.update(values)
            kept.notes = {key: value for key, value in kept.notes.items() if value}

        return _Record(self.name, change, values)

    @property
    def is_failing(self) -> bool:
        """True while the disk takes no data."""
        return self._storage.failing

    def watch(self, watcher: Callable[[], object]) -> None:
        """Call back whenever `is_failing` changes."""
        self._storage.watch(self.name, watcher)

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
