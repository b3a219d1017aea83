"""The store of one channel: its latest checkpoint, the entries after it, and notes by key.

Entries and checkpoints are bytes that the channel encodes. After a crash, a prefix of what was written is
left: writes survive in order, and what was written at once survives as a whole or not at all.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol

from liven.liveobjects.channel.store.index import ChannelIndex, Place
from liven.liveobjects.channel.store.large_payloads import LONG
from liven.liveobjects.channel.store.records import Kept, Record, RecordKind
from liven.liveobjects.channel.store.shared_log import SharedLog

_ENTRIES_MOST: Final = 1000
_BYTES_LEAST: Final = 64 * 1024
_WAITING: Final = 0xFFFFFFFF
"""The segment of records that are not in the log yet; a log never has so many."""
_NO_SERIALS: Final = array("Q")
"""A shared empty array for channels without entries; never changed."""


class StoreWriter(Protocol):
    """The functions of the store that a channel uses."""

    @property
    def place(self) -> bytes: ...

    def write(self, records: Sequence[Record]) -> None: ...

    def flush(self) -> None: ...

    def waiting(self, channel: bytes) -> list[Record]: ...

    def when_durable(self, callback: Callable[[], object]) -> None: ...

    def write_at_once(self, records: Sequence[Record], done: Callable[[], object]) -> None: ...

    @property
    def failing(self) -> bool: ...

    def put_aside(self, job: Callable[[bool], bytes], done: Callable[[bytes | None], object], /) -> None: ...


class ChannelStore:
    """The store of one channel, returned by `Store.open`."""

    __slots__ = (
        "_bytes",
        "_covers",
        "_key",
        "_log",
        "_named",
        "_serials",
        "_state",
        "_store",
        "_top",
        "_watcher",
        "name",
    )

    def __init__(self, store: StoreWriter, log: SharedLog, key: bytes, name: str) -> None:
        self._store = store
        self._log = log
        self._key = key
        index = log.channels.get(key, ChannelIndex())
        # Includes entries not yet written; the index has only written ones.
        self._serials = array("Q", [serial for serial, _ in index.entries()]) or _NO_SERIALS
        self._top = index.top
        self._covers = index.covers
        self._bytes = index.entry_bytes
        self._state = 0
        self._named = index.name is not None
        self._watcher: Callable[[], object] | None = None
        self.name = name

    def __len__(self) -> int:
        """Return the number of entries after the checkpoint."""
        return len(self._serials)

    @property
    def place(self) -> bytes:
        """The identity of the folder, as long as it stays where it is: a copy has another one."""
        return self._store.place

    @property
    def wants_checkpoint(self) -> bool:
        """True if enough was written since the last checkpoint for a new one to save space."""
        return len(self._serials) > _ENTRIES_MOST or self._bytes > max(_BYTES_LEAST, 2 * self._state)

    def kept(self) -> Kept:
        """Read everything, as a channel opens: what is on disk, and what waits for a full disk."""
        self._store.flush()
        waiting = self._store.waiting(self._key)
        index = self._log.channels.get(self._key)
        if waiting:
            index = ChannelIndex() if index is None else index.copy()
            for number, record in enumerate(waiting):
                index.apply(record, Place(_WAITING, number, 0))
        if index is None:
            return Kept()
        kept = Kept(damage="an entry is missing" if index.broken else "")
        self._read_notes(index, waiting, kept)
        if self._read_checkpoint(index, waiting, kept):
            self._read_entries(index, waiting, kept)
        self._state = len(kept.checkpoint or b"")
        return kept

    def append(self, entries: Iterable[bytes]) -> None:
        """Append entries atomically."""
        records, tip = self._opening(), self._tip
        for payload in entries:
            records.append(Record(self._key, RecordKind.ENTRY, self._next(records), tip, payload))
            tip = records[-1].serial
        self._write_records(records)

    def checkpoint(
        self, state: bytes, *, behind: int = 0, done: Callable[[bool], object] | None = None
    ) -> None:
        """Replace all entries except the last `behind` with a state. A worker writes a long state. `done` is
        called with True when it is stored, or with False if that failed."""
        covers = self._serial_at(len(self._serials) - behind)
        records = self._opening()
        serial = self._next(records)
        tell = done or (lambda _: None)
        if len(state) <= LONG:
            self._write_records([*records, Record(self._key, RecordKind.CHECKPOINT, serial, covers, state)])
            self._covered(covers, len(state))
            tell(True)
            return
        self._top = serial  # reserve the serial before the file is written

        def written(pointer: bytes | None) -> None:
            known = covers == self._covers or covers in self._serials
            if pointer is not None and known:
                told = Record(self._key, RecordKind.CHECKPOINT, serial, covers, pointer, aside=True)
                self._write_records([*records, told])
                self._covered(covers, len(state))
            tell(pointer is not None and known)

        self._store.put_aside(
            lambda sync: self._log.aside.put(self._key, serial, (state,), sync=sync), written
        )

    def start_over(self, state: bytes, entries: Iterable[bytes] = ()) -> None:
        """Replace everything except the notes with another history."""
        records = self._opening()
        base = self._next(records)
        records.append(Record(self._key, RecordKind.CHECKPOINT, base, base, state))
        tip = base
        for payload in entries:
            records.append(Record(self._key, RecordKind.ENTRY, self._next(records), tip, payload))
            tip = records[-1].serial
        self._write_records(records, fresh=True)
        self._covers, self._state = base, len(state)

    def drop_last(self, count: int) -> None:
        """Remove the last `count` entries."""
        if count <= 0:
            return
        keep = len(self._serials) - count
        last = self._serial_at(keep)
        self._write_records([Record(self._key, RecordKind.CUT, self._top + 1, last, b"")])
        del self._serials[keep:]

    def note(self, **values: bytes) -> None:
        """Store values under their keys, atomically. An empty value removes its key."""
        self._write_records(self._noted(values))

    def _noted(self, values: Mapping[str, bytes]) -> list[Record]:
        records = self._opening()
        for key, value in values.items():
            payload = key.encode() + b"\0" + value
            records.append(Record(self._key, RecordKind.NOTE, self._next(records), 0, payload))
        return records

    def note_at_once(self, done: Callable[[], object], **values: bytes) -> None:
        """Store values like `note`, ahead of entries that a full disk refuses. `done` is called when they are
        on disk."""
        records = self._noted(values)
        self._store.write_at_once(records, done)
        self._top = max(self._top, records[-1].serial)
        self._named = True

    @property
    def is_failing(self) -> bool:
        """True while the disk refuses data."""
        return self._store.failing

    def watch(self, watcher: Callable[[], object]) -> None:
        """Call back whenever `is_failing` changes. A later watcher replaces this one."""
        self._watcher = watcher

    def disk_changed(self) -> None:
        """Pass on that `is_failing` changed."""
        if self._watcher is not None:
            self._watcher()

    def forget(self) -> None:
        """Remove everything of this channel."""
        self._write_records([Record(self._key, RecordKind.FORGET, self._top + 1, 0, b"")], fresh=True)
        self._covers, self._state, self._named = self._top, 0, False

    def when_durable(self, callback: Callable[[], object]) -> None:
        """Call back when everything written so far is on disk, as the store's policy requires."""
        self._store.when_durable(callback)

    @property
    def _tip(self) -> int:
        return self._serials[-1] if self._serials else self._covers

    def _serial_at(self, count: int) -> int:
        """Return the serial of the last of the first `count` entries."""
        if not 0 <= count <= len(self._serials):
            raise ValueError(f"{self.name} has {len(self._serials)} entries; there is no such one")
        return self._serials[count - 1] if count else self._covers

    def _opening(self) -> list[Record]:
        if self._named:
            return []
        return [Record(self._key, RecordKind.NAME, self._top + 1, self._covers, self.name.encode())]

    def _next(self, records: Sequence[Record]) -> int:
        return (records[-1].serial if records else self._top) + 1

    def _write_records(self, records: Sequence[Record], *, fresh: bool = False) -> None:
        """Write records. Nothing changes here if the store refuses them."""
        if not records:
            return
        self._store.write(records)
        if fresh:
            del self._serials[:]
            self._bytes = 0
        for record in records:
            if record.kind is RecordKind.ENTRY:
                if self._serials is _NO_SERIALS:
                    self._serials = array("Q")
                self._serials.append(record.serial)
                self._bytes += len(record.payload)
        self._named = True
        self._top = max(self._top, records[-1].serial)

    def _covered(self, covers: int, size: int) -> None:
        gone = bisect_left(self._serials, covers + 1)
        self._bytes -= self._bytes * gone // max(1, len(self._serials))
        del self._serials[:gone]
        self._serials = self._serials or _NO_SERIALS
        self._covers, self._state = covers, size

    def _read_notes(self, index: ChannelIndex, waiting: Sequence[Record], kept: Kept) -> None:
        rows = index.notes
        for key, record in zip(rows, self._read(rows.values(), waiting), strict=True):
            if record is None:
                kept.damage = f"the note {key!r} is damaged"
            else:
                kept.notes[key] = record.payload.partition(b"\0")[2]

    def _read_checkpoint(self, index: ChannelIndex, waiting: Sequence[Record], kept: Kept) -> bool:
        if index.base is None:
            return True
        record = next(self._read([index.base], waiting))
        state = None if record is None else record.payload
        if record is not None and record.aside:
            state = self._log.aside.get(self._key, record.serial, record.payload)
        if state is None:
            kept.damage = "the checkpoint is damaged"
        kept.checkpoint = state
        return state is not None

    def _read_entries(self, index: ChannelIndex, waiting: Sequence[Record], kept: Kept) -> None:
        for record in self._read(index.entries(), waiting):
            if record is None:
                kept.damage = f"the entry after the first {len(kept.entries)} is damaged"
                return
            kept.entries.append(record.payload)

    def _read(self, rows: Iterable[tuple[int, Place]], waiting: Sequence[Record]) -> Iterator[Record | None]:
        """Read records in their order, from the log or from those that wait."""
        wanted = list(rows)
        written = self._log.read(self._key, [row for row in wanted if row[1].segment != _WAITING])
        for _, place in wanted:
            yield waiting[place.offset] if place.segment == _WAITING else next(written)
