"""What of a channel is where in the log: the checkpoint, the entries after it, the notes.

Its law: fed with the same records in their `turn`, in whatever order they stand in the log, it comes to the
same; a record that is missing takes away at most what follows it.
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
    """By what the records of a channel are sorted when a log is read: by their serials, and a checkpoint
    right after what it covers. Entries that came while it was taken follow what it covers, of which nothing
    may be left."""
    if record.kind is RecordKind.CHECKPOINT:
        return record.before, 1, record.serial
    return record.serial, 0, record.serial


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record is, and how many bytes it takes."""

    segment: int
    offset: int
    size: int


_BASE: Final = "\0base"
_NAME: Final = "\0name"
"""Keys that no note has."""
_NO_ENTRIES: Final = array("Q")
"""What channels without entries have in place of an array of their own; never changed."""
_ROW: Final = 3


class ChannelIndex:
    """The living records of one channel. Small: a process may have thousands, so numbers are in arrays."""

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
        """The keys of notes, `_NAME` and `_BASE`, as far as there are such records."""
        self._rows = array("Q")
        """For each key the serial of its record, where it is, and its size."""
        self.covers = 0
        """The serial that the first entry follows."""
        self.top = 0
        """The greatest serial so far."""
        self.broken = False
        """Whether an entry came whose predecessor is missing."""
        self.entry_bytes = 0
        """Bytes of the entries after the checkpoint."""
        self.freed: tuple[tuple[int, Place], ...] = ()
        """What is no longer needed, each with its serial; whoever counts living bytes takes it."""
        self._serials = self._at = self._sizes = _NO_ENTRIES

    @property
    def base(self) -> tuple[int, Place] | None:
        """The checkpoint's serial and place."""
        return self._row(_BASE)

    @property
    def name(self) -> tuple[int, Place] | None:
        """Those of the name."""
        return self._row(_NAME)

    @property
    def notes(self) -> dict[str, tuple[int, Place]]:
        """Those of each note."""
        rows = self._records()
        return {key: row for key, row in zip(self._keys, rows, strict=True) if key not in (_BASE, _NAME)}

    @property
    def tip(self) -> int:
        """The serial of the last entry, or what the checkpoint covers."""
        return self._serials[-1] if self._serials else self.covers

    def __len__(self) -> int:
        return len(self._serials)

    def entries(self) -> Iterator[tuple[int, Place]]:
        """The entries after the checkpoint, oldest first."""
        for number, serial in enumerate(self._serials):
            yield serial, self._place(number)

    def living(self) -> Iterator[tuple[int, Place]]:
        """Every record that is needed."""
        yield from self._records()
        yield from self.entries()

    def apply(self, record: Record, place: Place) -> None:
        """Takes in the next record."""
        self.top = max(self.top, record.serial)
        match record.kind:
            case RecordKind.NAME:
                if record.before > self.covers:
                    self._clear(record.before)  # what was before is forgotten, and so may be the word of that
                    self.top = record.serial
                self._put(_NAME, record.serial, place)
            case RecordKind.ENTRY:
                self._entry(record, place)
            case RecordKind.CHECKPOINT:
                self._checkpoint(record, place)
            case RecordKind.CUT:
                self._let_go(record.serial, place)
                self._cut_after(record.before)
            case RecordKind.NOTE:
                self._note(record, place)
            case RecordKind.FORGET:
                self._let_go(record.serial, place)
                self._clear(record.serial)

    def place_of(self, serial: int) -> Place | None:
        """Where the living record with this serial is; None if it is not needed."""
        for known, place in self._records():
            if known == serial:
                return place
        number = bisect_left(self._serials, serial)
        found = number < len(self._serials) and self._serials[number] == serial
        return self._place(number) if found else None

    def moved(self, serial: int, place: Place) -> None:
        """A living record was copied to another place."""
        for key, (known, _) in zip(self._keys, self._records(), strict=True):
            if known == serial:
                self._set(key, serial, place)
                return
        self._at[bisect_left(self._serials, serial)] = _packed(place)

    def _entry(self, record: Record, place: Place) -> None:
        if record.before != self.tip and not self._cut_after(record.before):
            self.broken = True
            self._let_go(record.serial, place)
            return
        if self._serials is _NO_ENTRIES:
            self._serials, self._at, self._sizes = array("Q"), array("Q"), array("Q")
        self._serials.append(record.serial)
        self._at.append(_packed(place))
        self._sizes.append(place.size)
        self.entry_bytes += place.size

    def _checkpoint(self, record: Record, place: Place) -> None:
        if record.before < self.covers:
            self._let_go(record.serial, place)
            return
        self._put(_BASE, record.serial, place)
        keep = bisect_left(self._serials, record.before + 1)
        known = keep > 0 and self._serials[keep - 1] == record.before
        if record.before != self.covers and not known:
            keep = len(self._serials)  # it stands for a history that these entries are no part of
        self._free(0, keep)
        self.covers = record.before
        self.broken = False

    def _note(self, record: Record, place: Place) -> None:
        key, _, value = record.payload.partition(b"\0")
        text = key.decode(errors="replace")
        if value or record.aside:
            self._put(text, record.serial, place)
        else:
            self._drop(text)
            self._let_go(record.serial, place)

    def _cut_after(self, serial: int) -> bool:
        """Lets go of the entries after the one with this serial; whether that is known."""
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
        self.__init__()  # type: ignore[misc]  # as new, but for what was freed and the serials given
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

    # Records of which there is one for a key

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
        """A record takes the place of the one that there was."""
        known = self._row(key)
        if known is not None:
            self._let_go(*known)
        self._set(key, serial, place)

    def _drop(self, key: str) -> None:
        known = self._row(key)
        if known is not None:
            self._let_go(*known)
            number = self._keys.index(key)
            del self._rows[number * _ROW : (number + 1) * _ROW]
            self._keys = self._keys[:number] + self._keys[number + 1 :]

    def _let_go(self, serial: int, place: Place) -> None:
        self.freed += ((serial, place),)


def _packed(place: Place) -> int:
    return place.segment << 32 | place.offset


def _unpacked(at: int, size: int) -> Place:
    return Place(at >> 32, at & 0xFFFFFFFF, size)
