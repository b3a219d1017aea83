"""Rows: a run of records as columns, which is the form in which every source hands them over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from liven.liveobjects.feeds.record import GAP, GAP_TYPE, NOTES, Record

Ints: TypeAlias = NDArray[np.int64]
Places: TypeAlias = NDArray[np.integer[Any]]
NAMES: Final = ("object", "channel", "author", "type")
"""The columns of names, each stored as codes into a table."""
OBJECT, CHANNEL, AUTHOR, TYPE = range(4)


class Event(NamedTuple):
    """One record with its place in the feed."""

    sequence: int
    record: Record


def is_for_objects(record: Record) -> bool:
    """Return True for an event of an object, False for a note of the recorder."""
    return not record.flags & NOTES and not (record.flags & GAP and record.type == GAP_TYPE)


@dataclass(frozen=True, slots=True)
class Names:
    """One column of names: a code for each row, and the table of the names."""

    codes: Places
    table: tuple[str, ...]

    def rows_of(self, wanted: Iterable[int]) -> NDArray[np.bool_]:
        """Return a mask of the rows whose code is `wanted`."""
        chosen = np.zeros(len(self.table) + 1, dtype=np.bool_)
        chosen[list(wanted)] = True
        return chosen[self.codes]


@dataclass(frozen=True, slots=True)
class Rows:
    """Records in the order of their sequences. Columns are never changed."""

    sequence: Ints
    received: Ints
    sent: Ints
    serial: NDArray[np.uint64]
    flags: Places
    names: tuple[Names, Names, Names, Names]
    starts: Places
    """The place in `payload` where each payload begins."""
    stops: Places
    payload: memoryview

    def __len__(self) -> int:
        return len(self.sequence)

    @property
    def first(self) -> int:
        """The sequence of the first row."""
        return int(self.sequence[0])

    @property
    def last(self) -> int:
        """The sequence of the last row."""
        return int(self.sequence[-1])

    def between(self, first: int, end: int) -> Rows:
        """Return the rows with a sequence of at least `first` and below `end`."""
        low, high = np.searchsorted(self.sequence, (first, end))
        return self if low == 0 and high == len(self) else self.cut(int(low), int(high))

    def cut(self, low: int, high: int) -> Rows:
        """Return the rows from place `low` up to place `high`, without copying."""
        return self._picked(np.s_[low:high])

    def where(self, mask: NDArray[np.bool_]) -> Rows:
        """Return the rows that a mask chooses."""
        return self if bool(mask.all()) else self._picked(np.flatnonzero(mask))

    def ordered(self) -> Rows:
        """Return the rows in the order of their sequences."""
        return self._picked(np.argsort(self.sequence, kind="stable"))

    def for_objects(self) -> Rows:
        """Return the rows that are events of objects, without the notes of the recorder."""
        noted = (self.flags & (NOTES | GAP)) != 0
        if not noted.any():
            return self
        types = self.names[TYPE]
        gaps = types.rows_of([code for code, name in enumerate(types.table) if name == GAP_TYPE])
        return self.where(((self.flags & NOTES) == 0) & ~(((self.flags & GAP) != 0) & gaps))

    def events(self) -> list[Event]:
        """Return the rows as events."""
        named = [[names.table[code] for code in names.codes.tolist()] for names in self.names]
        view = self.payload
        payloads = [
            bytes(view[start:stop])
            for start, stop in zip(self.starts.tolist(), self.stops.tolist(), strict=True)
        ]
        columns = zip(
            self.received.tolist(),
            self.sent.tolist(),
            *named,
            self.serial.tolist(),
            self.flags.tolist(),
            payloads,
            strict=True,
        )
        return list(map(Event, self.sequence.tolist(), map(Record._make, columns)))

    def _picked(self, which: Places | slice) -> Rows:
        object_, channel, author, type_ = (Names(one.codes[which], one.table) for one in self.names)
        return Rows(
            self.sequence[which],
            self.received[which],
            self.sent[which],
            self.serial[which],
            self.flags[which],
            (object_, channel, author, type_),
            self.starts[which],
            self.stops[which],
            self.payload,
        )


def rows_of(events: Sequence[Event]) -> Rows:
    """Return events as rows. They have to be in the order of their sequences."""
    records = [event.record for event in events]
    stops = np.cumsum([len(record.payload) for record in records], dtype=np.int64)
    starts = np.concatenate((np.zeros(1, np.int64), stops[:-1])) if records else stops
    object_, channel, author, type_ = (
        _names([getattr(record, name) for record in records]) for name in NAMES
    )
    return Rows(
        np.array([event.sequence for event in events], np.int64),
        np.array([record.received for record in records], np.int64),
        np.array([record.sent for record in records], np.int64),
        np.array([record.serial for record in records], np.uint64),
        np.array([record.flags for record in records], np.int64),
        (object_, channel, author, type_),
        starts,
        stops,
        memoryview(b"".join(record.payload for record in records)),
    )


def _names(words: Sequence[str]) -> Names:
    table = {word: code for code, word in enumerate(dict.fromkeys(words))}
    return Names(np.array([table[word] for word in words], np.int64), tuple(table))
