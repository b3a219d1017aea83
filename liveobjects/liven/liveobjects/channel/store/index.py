"""The index of a channel: where its checkpoint, entries and notes are in the log.

Invariant: the same records in the order of `turn` always give the same index, wherever they are in the log. A
missing record removes at most what follows it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from sys import intern
from typing import Final

from liven.liveobjects.channel.store.records import Record, RecordKind


def turn(record: Record) -> tuple[int, int, int]:
    """Return the sort key of a channel's records when a log is read: their serials, but a checkpoint comes
    right after what it covers. Entries written while it was taken follow what it covers, which may be
    gone."""
    if record.kind is RecordKind.CHECKPOINT:
        return record.before, 1, record.serial
    return record.serial, 0, record.serial


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a record and its size in bytes."""

    segment: int
    offset: int
    size: int


_BASE: Final = "\0base"
_NAME: Final = "\0name"
"""Keys that no note has."""
_NO_ENTRIES: Final = array("Q")
"""A shared empty array for channels without entries; never changed."""
_ROW: Final = 3


class ChannelIndex:
    """The live records of one channel. Compact, because a process may have thousands: numbers are in
    arrays."""

    __slots__ = (
        "_at",
        "_keys",
        "_rows",
        "_serials",
        "_sizes",
        "broken",
        "covers",
        "entry_bytes",
        "freed",
        "top",
    )

    def __init__(self) -> None:
        self._keys: tuple[str, ...] = ()
        """The keys of notes, and `_NAME` and `_BASE` if there are such records."""
        self._rows = array("Q")
        """For each key, the serial of its record, its place, and its size."""
        self.covers = 0
        """The serial that the first entry follows."""
        self.top = 0
        """The greatest serial so far."""
        self.broken = False
        """True if an entry came whose predecessor is missing."""
        self.entry_bytes = 0
        """Bytes of the entries after the checkpoint."""
        self.freed: tuple[tuple[int, Place], ...] = ()
        """Records that are no longer needed, with their serials; whoever counts live bytes takes them."""
        self._serials = self._at = self._sizes = _NO_ENTRIES

    @property
    def base(self) -> tuple[int, Place] | None:
        """The checkpoint's serial and place."""
        return self._row(_BASE)

    @property
    def name(self) -> tuple[int, Place] | None:
        """The serial and place of the name."""
        return self._row(_NAME)

    @property
    def notes(self) -> dict[str, tuple[int, Place]]:
        """The serial and place of each note."""
        rows = self._records()
        return {key: row for key, row in zip(self._keys, rows, strict=True) if key not in (_BASE, _NAME)}

    @property
    def tip(self) -> int:
        """The serial of the last entry, or the one that the checkpoint covers."""
        return self._serials[-1] if self._serials else self.covers

    def __len__(self) -> int:
        return len(self._serials)

    def entries(self) -> Iterator[tuple[int, Place]]:
        """Return the entries after the checkpoint, oldest first."""
        for number, serial in enumerate(self._serials):
            yield serial, self._place(number)

    def living(self) -> Iterator[tuple[int, Place]]:
        """Return all records that are needed."""
        yield from self._records()
        yield from self.entries()

    def copy(self) -> ChannelIndex:
        """Return an index of its own with the same records."""
        made = ChannelIndex()
        made._keys, made._rows = self._keys, self._rows[:]
        made.covers, made.top, made.broken = self.covers, self.top, self.broken
        made.entry_bytes = self.entry_bytes
        if self._serials:
            made._serials, made._at, made._sizes = self._serials[:], self._at[:], self._sizes[:]
        return made

    def apply(self, record: Record, place: Place) -> None:
        """Add the next record."""
        self.top = max(self.top, record.serial)
        match record.kind:
            case RecordKind.NAME:
                if record.before > self.covers:
                    self._clear(record.before)  # what came before is gone, and its record may be gone, too
                    self.top = record.serial
                self._put(_NAME, record.serial, place)
            case RecordKind.ENTRY:
                self._entry(record, place)
            case RecordKind.CHECKPOINT:
                self._checkpoint(record, place)
            case RecordKind.CUT:
                self._release(record.serial, place)
                if self._cut_after(record.before):
                    self.broken = False  # an entry without its predecessor came after the cut, so it is void
            case RecordKind.NOTE:
                self._note(record, place)
            case RecordKind.FORGET:
                self._release(record.serial, place)
                self._clear(record.serial)

    def place_of(self, serial: int) -> Place | None:
        """Return the place of a live record; None if it is not needed."""
        for known, place in self._records():
            if known == serial:
                return place
        number = bisect_left(self._serials, serial)
        found = number < len(self._serials) and self._serials[number] == serial
        return self._place(number) if found else None

    def moved(self, serial: int, place: Place) -> None:
        """Record that a live record was copied to another place."""
        for key, (known, _) in zip(self._keys, self._records(), strict=True):
            if known == serial:
                self._set(key, serial, place)
                return
        self._at[bisect_left(self._serials, serial)] = _packed(place)

    def _entry(self, record: Record, place: Place) -> None:
        if record.before != self.tip and not self._cut_after(record.before):
            self.broken = True
            self._release(record.serial, place)
            return
        if self._serials is _NO_ENTRIES:
            self._serials, self._at, self._sizes = array("Q"), array("Q"), array("Q")
        self._serials.append(record.serial)
        self._at.append(_packed(place))
        self._sizes.append(place.size)
        self.entry_bytes += place.size

    def _checkpoint(self, record: Record, place: Place) -> None:
        if record.before < self.covers:
            self._release(record.serial, place)
            return
        self._put(_BASE, record.serial, place)
        keep = bisect_left(self._serials, record.before + 1)
        known = keep > 0 and self._serials[keep - 1] == record.before
        if record.before != self.covers and not known:
            keep = len(self._serials)  # the checkpoint is of a history without these entries
        self._free(0, keep)
        self.covers = record.before
        self.broken = False

    def _note(self, record: Record, place: Place) -> None:
        key, _, value = record.payload.partition(b"\0")
        text = key.decode(errors="replace")
        known = self._row(text)
        if known is not None and known[0] > record.serial:  # a later note was written ahead of this one
            self._release(record.serial, place)
        elif value or record.aside:
            self._put(text, record.serial, place)
        else:
            self._drop(text)
            self._release(record.serial, place)

    def _cut_after(self, serial: int) -> bool:
        """Drop the entries after this serial. Return False if the serial is unknown."""
        number = bisect_left(self._serials, serial)
        if number < len(self._serials) and self._serials[number] == serial:
            self._free(number + 1, len(self._serials))
        elif serial == self.covers:
            self._free(0, len(self._serials))
        else:
            return False
        return True

    def _clear(self, serial: int) -> None:
        freed = (*self.freed, *self.living())
        self.__init__()  # type: ignore[misc]  # as new, except for freed records and used serials
        self.freed, self.top, self.covers = freed, serial, serial

    def _free(self, first: int, end: int) -> None:
        if first == end:
            return
        self.freed += tuple((self._serials[number], self._place(number)) for number in range(first, end))
        self.entry_bytes -= sum(self._sizes[first:end])
        del self._serials[first:end], self._at[first:end], self._sizes[first:end]
        if not self._serials:
            self._serials = self._at = self._sizes = _NO_ENTRIES

    def _place(self, number: int) -> Place:
        return _unpacked(self._at[number], self._sizes[number])

    # Records with one per key

    def _records(self) -> Iterator[tuple[int, Place]]:
        for start in range(0, len(self._rows), _ROW):
            serial, at, size = self._rows[start : start + _ROW]
            yield serial, _unpacked(at, size)

    def _row(self, key: str) -> tuple[int, Place] | None:
        if key not in self._keys:
            return None
        start = self._keys.index(key) * _ROW
        serial, at, size = self._rows[start : start + _ROW]
        return serial, _unpacked(at, size)

    def _set(self, key: str, serial: int, place: Place) -> None:
        row = array("Q", (serial, _packed(place), place.size))
        if key in self._keys:
            start = self._keys.index(key) * _ROW
            self._rows[start : start + _ROW] = row
        else:
            self._keys += (intern(key),)
            self._rows += row

    def _put(self, key: str, serial: int, place: Place) -> None:
        """Replace the record of a key."""
        known = self._row(key)
        if known is not None:
            self._release(*known)
        self._set(key, serial, place)

    def _drop(self, key: str) -> None:
        known = self._row(key)
        if known is not None:
            self._release(*known)
            number = self._keys.index(key)
            del self._rows[number * _ROW : (number + 1) * _ROW]
            self._keys = self._keys[:number] + self._keys[number + 1 :]

    def _release(self, serial: int, place: Place) -> None:
        self.freed += ((serial, place),)


def _packed(place: Place) -> int:
    return place.segment << 32 | place.offset


def _unpacked(at: int, size: int) -> Place:
    return Place(at >> 32, at & 0xFFFFFFFF, size)
