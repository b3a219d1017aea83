"""The state of channels at a moment, out of the log: the nearest checkpoint before it, and the operations
between.

To find it, ranges of the log are read backwards, once each: a summary of every range that was read is kept,
up to a limit.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Generator, Iterator, Mapping
from enum import Enum
from typing import Final, TypeAlias

import numpy as np

from liven.liveobjects.feeds.record import CHECKPOINT
from liven.liveobjects.feeds.replay.remap import Remap
from liven.liveobjects.feeds.replay.rows import CHANNEL, Event, Rows
from liven.liveobjects.feeds.replay.selection import Filter, Selection
from liven.liveobjects.feeds.replay.source.source import Source

RANGE: Final = 65_536
"""Sequences of one summary."""
_SUMMARIES_MOST: Final = 200_000
"""Entries of all summaries, one for each channel in each range: some 30 MB."""
_PIECE: Final = 256
"""Operations that are handed over at a time."""


class Keeps(Enum):
    """The part of a channel's records that its state follows from."""

    STATE = "state"
    """A checkpoint and the operations after it."""
    VALUE = "value"
    """Its last value."""
    NOTHING = "nothing"
    """It has no state: what was sent on it is over."""


Summary: TypeAlias = dict[str, tuple[int, int]]
"""For each channel, the sequences of its last record and of its last checkpoint; -1 for none."""


class Moments:
    """The moments of one source, as a replay with this selection sees them.

    Before `begin`, the beginning of the replay's window, everything that was recorded counts. After it, only
    what is selected does. Checkpoints after it count for channels of which everything is selected.
    """

    def __init__(self, source: Source, selection: Selection, remap: Remap, begin: int) -> None:
        self._source = source
        self._filter = selection.filter()
        self._channels: Filter = Selection(channels=selection.channels, regex=selection.regex).filter()
        self._is_partial = selection.is_partial
        self._remap = remap
        self._begin = begin
        self._known: OrderedDict[int, Summary] = OrderedDict()
        self._entries = 0
        self._firsts: dict[str, int] = {}

    def find(self, wanted: Mapping[str, Keeps], at: int) -> Generator[None, None, dict[str, int]]:
        """Return for each channel the sequence of the record that its state before `at` begins with; -1 if
        it begins with nothing. Yields between parts of the work."""
        whole = {name: keeps for name, keeps in wanted.items() if not self.is_limited(name)}
        limited = {name: keeps for name, keeps in wanted.items() if name not in whole}
        found = yield from self._find(whole, at)
        found |= yield from self._find(limited, min(at, self._begin))
        for name, keeps in limited.items():
            if keeps is Keeps.STATE and found[name] < 0 and at > self._begin:
                first = yield from self._first_state(name)
                found[name] = first if first < at else -1
        if limited and at > self._begin:  # a value that was selected since then is newer
            values = {name for name, keeps in limited.items() if keeps is Keeps.VALUE}
            for rows in self._selected(self._begin, at) if values else ():
                found |= {name: last for name, (last, _) in _summary(rows).items() if name in values}
                yield
        return found

    def operations(self, bases: Mapping[str, int], at: int, since: int = 0) -> Iterator[list[Event]]:
        """Yield the records of channels that come after their bases, not before `since`, and before `at`, in
        order. A record at a base itself is yielded, too; later checkpoints are not."""
        least = max(since, self._source.begin)
        first = min((max(base, least) for base in bases.values()), default=at)
        middle = min(max(first, self._begin), at)
        for part in (self._unselected(first, middle), self._selected(middle, at)):
            for rows in part:
                yield from self._after(rows, bases)

    def _after(self, rows: Rows, bases: Mapping[str, int]) -> Iterator[list[Event]]:
        names = rows.names[CHANNEL]
        least = np.array([bases.get(name, np.iinfo(np.int64).max) for name in names.table], np.int64)
        base = least[names.codes]
        is_state = (rows.flags & CHECKPOINT) != 0
        chosen = rows.where((rows.sequence == base) | ((rows.sequence > base) & ~is_state))
        for low in range(0, len(chosen), _PIECE):
            yield chosen.cut(low, min(low + _PIECE, len(chosen))).events()

    def is_limited(self, name: str) -> bool:
        """True if some records of a channel are left out, so that later checkpoints do not count."""
        if self._is_partial:
            return True
        recorded = [old for old, new in self._remap.names if new == name] or [name]
        return not all(self._channels.takes_channel(old) for old in recorded)

    def _first_state(self, name: str) -> Generator[None, None, int]:
        """Return the sequence of a channel's first record in the window if that is a checkpoint, so that the
        recording of the channel begins with it; -1 otherwise."""
        if name not in self._firsts:
            self._firsts[name] = -1
            for rows in self._unselected(self._begin, self._source.end):
                names = rows.names[CHANNEL]
                wanted = [code for code, other in enumerate(names.table) if other == name]
                there = np.flatnonzero(names.rows_of(wanted))
                if len(there):
                    is_state = bool(rows.flags[there[0]] & CHECKPOINT)
                    self._firsts[name] = int(rows.sequence[there[0]]) if is_state else -1
                    break
                yield
        return self._firsts[name]

    def _find(self, wanted: Mapping[str, Keeps], at: int) -> Generator[None, None, dict[str, int]]:
        missing = {name: keeps for name, keeps in wanted.items() if keeps is not Keeps.NOTHING}
        found = {name: at if name not in missing else -1 for name in wanted}
        end = at
        while missing and end > self._source.begin:
            first = max((end - 1) // RANGE * RANGE, self._source.begin)
            summary = self._summary_of(first, end)
            for name in [one for one in missing if one in summary]:
                last, state = summary[name]
                place = last if missing[name] is Keeps.VALUE else state
                if place >= 0:
                    found[name] = place
                    del missing[name]
            end = first
            yield
        return found

    def _summary_of(self, first: int, end: int) -> Summary:
        """Return the summary of the records from `first` up to `end`."""
        kept = self._known.get(first)
        is_whole = end == first // RANGE * RANGE + RANGE and end <= self._source.end
        if kept is not None and is_whole:
            self._known.move_to_end(first)
            return kept
        summary: Summary = {}
        for rows in self._unselected(first, end):
            for name, (last, state) in _summary(rows).items():
                summary[name] = last, max(state, summary.get(name, (-1, -1))[1])
        if is_whole:
            self._known[first] = summary
            self._entries += len(summary) + 1
            while self._entries > _SUMMARIES_MOST:
                self._entries -= len(self._known.popitem(last=False)[1]) + 1
        return summary

    def _unselected(self, first: int, end: int) -> Iterator[Rows]:
        return (self._remap.applied(rows.for_objects()) for rows in self._source.rows(first, end))

    def _selected(self, first: int, end: int) -> Iterator[Rows]:
        rows = self._source.rows(first, end)
        return (self._remap.applied(self._filter.chosen(each.for_objects())) for each in rows)


def _summary(rows: Rows) -> Summary:
    names = rows.names[CHANNEL]
    last = np.full(len(names.table), -1, np.int64)
    last[names.codes] = rows.sequence  # of several rows with one code, the last one stays
    state = np.full(len(names.table), -1, np.int64)
    is_state = (rows.flags & CHECKPOINT) != 0
    state[names.codes[is_state]] = rows.sequence[is_state]
    there = np.flatnonzero(last >= 0).tolist()
    summary: Summary = {}
    for code in there:  # a remap may give two channels one name
        name = names.table[code]
        before = summary.get(name, (-1, -1))
        summary[name] = max(before[0], int(last[code])), max(before[1], int(state[code]))
    return summary
