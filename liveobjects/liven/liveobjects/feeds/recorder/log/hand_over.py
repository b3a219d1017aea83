"""The bounded queue between the thread of the objects, which never waits, and the thread that writes.

Rows that find no room are counted by series, and a gap takes their place as soon as there is room again.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.recorder.log.marks import gap_record

BYTES_MOST: Final = 64 << 20
"""Bytes of payloads that may wait: a few seconds of the fastest channel while a disk is slow."""
ROWS_MOST: Final = 500_000
_ROW_BYTES: Final = 100
"""An estimate of what a waiting record costs besides its payload."""
TOO_SLOW: Final = "the disk was too slow or full"


class Position(NamedTuple):
    """The last operation of a channel in some rows."""

    serial: int
    chain: bytes


class Numbered(NamedTuple):
    """One series of numbers: the order of a channel or, in a channel without one, an author's own."""

    channel: str
    author: str = ""
    """Empty for the order of the channel."""


class Rows(NamedTuple):
    """Consecutive records of one series, which the writing thread makes."""

    object: str
    channel: str
    records: Callable[[], Sequence[Record]]
    first: int
    """The first number in them; greater than the last one if they hold a state alone."""
    position: Position
    amount: int
    """The number of records."""
    size: int
    """Bytes of the payloads."""
    author: str = ""
    """The author whose numbers these are; empty if they are those of the channel's order."""

    @property
    def series(self) -> Numbered:
        """The series of the numbers."""
        return Numbered(self.channel, self.author)


class _Dropped(NamedTuple):
    """Numbers of a series that found no room."""

    object: str
    first: int
    last: Position

    def gap(self, series: Numbered) -> Rows:
        """Return the gap that takes their place."""
        channel, author = series
        record = gap_record(self.object, channel, self.first, self.last.serial, TOO_SLOW, author)
        size = len(record.payload)
        return Rows(self.object, channel, lambda: [record], self.first, self.last, 1, size, author)


class HandOver:
    """The queue. `put` belongs to the thread of the objects, everything else to the one that writes."""

    def __init__(self, *, bytes_most: int = BYTES_MOST, rows_most: int = ROWS_MOST) -> None:
        self._bytes_most, self._rows_most = bytes_most, rows_most
        self._condition = threading.Condition()
        self._queue: deque[Rows] = deque()
        self._bytes = self._count = 0
        self._dropped: dict[Numbered, _Dropped] = {}
        self._closed = False
        self.lost = 0
        """Records that found no room, in all."""

    def put(self, rows: Rows) -> bool:
        """Add rows, or count them as dropped; then return False. Never waits for the disk."""
        with self._condition:
            cost = rows.size + _ROW_BYTES * rows.amount
            over = self._bytes + cost > self._bytes_most or self._count + rows.amount > self._rows_most
            if over and self._queue:
                known = self._dropped.get(rows.series)
                first = rows.first if known is None else known.first
                if first <= rows.position.serial:  # a state alone is no number that is missing
                    self._dropped[rows.series] = _Dropped(rows.object, first, rows.position)
                self.lost += rows.amount
                return False
            dropped = self._dropped.pop(rows.series, None)
            if dropped is not None:
                self._add(dropped.gap(rows.series))
            self._add(rows)
            if len(self._queue) == 1:
                self._condition.notify()
            return True

    def take(self, seconds: float) -> list[Rows]:
        """Return all that waits, after waiting for something for at most this long."""
        with self._condition:
            if not self._queue and not self._closed:
                self._condition.wait(seconds)
            taken = [*self._queue, *(each.gap(series) for series, each in self._dropped.items())]
            self._queue.clear()
            self._dropped.clear()
            self._bytes = self._count = 0
            return taken

    def give_back(self, rows: Sequence[Rows]) -> None:
        """Put rows back that the disk did not take; they come first again."""
        with self._condition:
            later = list(self._queue)
            self._queue.clear()
            self._bytes = self._count = 0
            for each in (*rows, *later):
                self._add(each)

    def close(self) -> None:
        """Let nobody wait any longer."""
        with self._condition:
            self._closed = True
            self._condition.notify_all()

    def wait_closed(self, seconds: float) -> bool:
        """Wait until the queue is closed, for at most this long. Return True if it is."""
        with self._condition:
            return self._closed or self._condition.wait_for(lambda: self._closed, seconds)

    @property
    def is_closed(self) -> bool:
        """True once `close` was called."""
        return self._closed

    @property
    def waiting(self) -> int:
        """The number of records that wait."""
        return self._count

    def _add(self, rows: Rows) -> None:
        self._queue.append(rows)
        self._bytes += rows.size + _ROW_BYTES * rows.amount
        self._count += rows.amount
