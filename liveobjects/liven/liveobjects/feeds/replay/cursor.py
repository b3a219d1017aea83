"""The cursor of a replay: reads the selected events of a source in order, a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from liven.liveobjects.feeds.replay.remap import Remap
from liven.liveobjects.feeds.replay.rows import Event, Rows
from liven.liveobjects.feeds.replay.selection import Filter
from liven.liveobjects.feeds.replay.source.source import Source

PIECE: Final = 256
"""Rows that become events at a time. As fast as possible, so many are given before a window is painted."""


class Cursor:
    """A place in the selected events between two sequences.

    Clocks are set, so recorded times may jump back. The time of an event here is the latest one up to it
    since the last `seek`: it never goes back, and no event is given before another that stands before it.
    """

    def __init__(self, source: Source, chosen: Filter, remap: Remap) -> None:
        self._source = source
        self._filter = chosen
        self._remap = remap
        self._end = 0
        self._next = 0
        self._read_to = 0
        self._batches: Iterator[Rows] = iter(())
        self._rows: Rows | None = None
        self._used = 0
        self._events: list[Event] = []
        self._times: list[int] = []
        self._at = 0
        self._latest = 0

    @property
    def end(self) -> int:
        """The sequence where it stops."""
        return self._end

    @property
    def next(self) -> int:
        """A sequence: every selected event before it was taken or skipped, and none from it on was."""
        return self._next

    def seek(self, sequence: int, end: int, time: int) -> None:
        """Go to a sequence. Events count as of `time` at least."""
        self._end, self._next, self._read_to = end, sequence, sequence
        self._batches, self._rows, self._used = iter(()), None, 0
        self._events, self._times, self._at = [], [], 0
        self._latest = time

    def extend(self, end: int) -> None:
        """Move the end, because the source has grown."""
        self._end = end

    def peek(self) -> int | None:
        """Return the time of the next event; None if there is none up to the end."""
        if self._at >= len(self._events) and not self._fill():
            return None
        return self._times[self._at]

    def take_until(self, time: int | None, most: int) -> tuple[list[Event], list[int]]:
        """Return the next events up to a time, or without regard to time, at most `most` of them, and their
        times. Events that were read are returned before more is read, so that an error loses none."""
        taken: list[Event] = []
        times: list[int] = []
        while len(taken) < most and not (taken and self._at >= len(self._events)):
            at = self.peek()
            if at is None or (time is not None and at > time):
                break
            taken.append(self._take())
            times.append(at)
        return taken, times

    def previous(self, first: int) -> Event | None:
        """Return the last selected event before this place and not before `first`, and stay here."""
        for rows in self._source.rows_back(first, self._next):
            chosen = self._filter.chosen(rows)
            if len(chosen):
                return self._remap.applied(chosen.cut(len(chosen) - 1, len(chosen))).events()[0]
        return None

    def _take(self) -> Event:
        """Return the next event, which `peek` has found."""
        event = self._events[self._at]
        self._at += 1
        self._next = event.sequence + 1
        return event

    def _fill(self) -> bool:
        """Make the next events ready; return False if there are none."""
        while True:
            rows = self._rows
            if rows is not None and self._used < len(rows):
                part = rows.cut(self._used, min(self._used + PIECE, len(rows)))
                self._used += len(part)
                self._ready(part)
                return True
            batch = next(self._batches, None)
            if batch is None:
                if self._read_to >= self._end:
                    return False
                self._batches = self._source.rows(self._read_to, self._end)
                self._read_to = self._end
                continue
            self._rows, self._used = self._remap.applied(self._filter.chosen(batch)), 0

    def _ready(self, part: Rows) -> None:
        self._events, self._at = part.events(), 0
        self._times = list(accumulate(part.received.tolist(), max, initial=self._latest))[1:]
        self._latest = self._times[-1]
