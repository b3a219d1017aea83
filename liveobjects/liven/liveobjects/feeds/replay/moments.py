"""The state of channels at a moment, out of the log: the nearest checkpoint before it, and the operations
between.

To find it, ranges of the log are read backwards, once each: a summary of every range that was read is kept,
up to a limit.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Generator, Iterator, Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from liven.liveobjects.feeds.record import CHECKPOINT, FORK
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


class Fork(NamedTuple):
    """A place where another history of a channel won: records of it before this place and with a greater
    number than `after` are in a branch, and count no more."""

    sequence: int
    after: int


class ChannelSummary(NamedTuple):
    """The records of one channel in a range."""

    last: int
    """The sequence of the last event; -1 for none."""
    state: int
    """The sequence of the last checkpoint; -1 for none."""
    forks: tuple[Fork, ...] = ()


Summary: TypeAlias = dict[str, ChannelSummary]
_NONE: Final = ChannelSummary(-1, -1)


class Bases(dict[str, int]):
    """The sequences of the records that the states of channels begin with, by channel; -1 for nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.forks: dict[str, list[Fork]] = {}
        """The forks after those records."""


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

    def find(self, wanted: Mapping[str, Keeps], at: int) -> Generator[None, None, Bases]:
        """Return the records that the states of channels before `at` begin with. Yields between parts of the
        work."""
        whole = {name: keeps for name, keeps in wanted.items() if not self.is_limited(name)}
        limited = {name: keeps for name, keeps in wanted.items() if name not in whole}
        bases = Bases()
        yield from self._find(whole, at, bases)
        yield from self._find(limited, min(at, self._begin), bases)
        for name, keeps in limited.items():
            if keeps is Keeps.STATE and bases[name] < 0 and at > self._begin:
                first = yield from self.first_state(name)
                bases[name] = first if first < at else -1
        if limited and at > self._begin:  # a value that was selected since then is newer
            values = {name for name, keeps in limited.items() if keeps is Keeps.VALUE}
            for rows in self._selected(self._begin, at) if values else ():
                bases |= {name: one.last for name, one in _summary(rows).items() if name in values}
                yield
        return bases

    def operations(self, bases: Bases, at: int, since: int = 0) -> Iterator[list[Event]]:
        """Yield the records of channels that come after their bases, not before `since`, and before `at`, in
        order. A record at a base itself is yielded, too; later checkpoints are not."""
        least = max(since, self._source.begin)
        first = min((max(base, least) for base in bases.values()), default=at)
        middle = min(max(first, self._begin), at)
        for part in (self._unselected(first, middle), self._selected(middle, at)):
            for rows in part:
                yield from self._after(rows, bases)

    def _after(self, rows: Rows, bases: Bases) -> Iterator[list[Event]]:
        names = rows.names[CHANNEL]
        nowhere = np.iinfo(np.int64).max
        least = np.array([bases.get(name, nowhere) for name in names.table], np.int64)
        base = least[names.codes]
        is_state = (rows.flags & CHECKPOINT) != 0
        counts = (rows.sequence == base) | ((rows.sequence > base) & ~is_state)
        for name, forks in bases.forks.items():
            codes = [code for code, other in enumerate(names.table) if other == name]
            for fork in forks if codes else ():
                gone = (rows.sequence < fork.sequence) & (rows.serial > fork.after) & ~is_state
                counts &= ~(gone & names.rows_of(codes))
        chosen = rows.where(counts)
        for low in range(0, len(chosen), _PIECE):
            yield chosen.cut(low, min(low + _PIECE, len(chosen))).events()

    def is_limited(self, name: str) -> bool:
        """True if some records of a channel are left out, so that later checkpoints do not count."""
        if self._is_partial:
            return True
        recorded = [old for old, new in self._remap.names if new == name] or [name]
        return not all(self._channels.takes_channel(old) for old in recorded)

    def first_state(self, name: str) -> Generator[None, None, int]:
        """Return the sequence of a channel's first record in the window if that is a checkpoint, so that the
        recording of the channel begins with it; -1 otherwise. Yields between parts of the work."""
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

    def _find(self, wanted: Mapping[str, Keeps], at: int, bases: Bases) -> Generator[None, None, None]:
        missing = {name: keeps for name, keeps in wanted.items() if keeps is not Keeps.NOTHING}
        bases |= {name: -1 if name in missing else at for name in wanted}
        end = at
        while missing and end > self._source.begin:
            first = max((end - 1) // RANGE * RANGE, self._source.begin)
            summary = self._summary_of(first, end)
            for name in [one for one in missing if one in summary]:
                forks = bases.forks.get(name, [])
                place = summary[name].last
                if missing[name] is Keeps.STATE:
                    place = summary[name].state
                    if forks or summary[name].forks:
                        bases.forks[name] = [*summary[name].forks, *forks]
                        place = self._state_before_forks(name, first, end, bases.forks[name])
                if place >= 0:
                    bases[name] = place
                    del missing[name]
            end = first
            yield

    def _state_before_forks(self, name: str, first: int, end: int, forks: Sequence[Fork]) -> int:
        """Return the last checkpoint of a channel in a range that no later fork puts into a branch; -1 for
        none. Its serial is the number of the last operation in it."""
        found = -1
        for rows in self._unselected(first, end):
            names = rows.names[CHANNEL]
            codes = [code for code, other in enumerate(names.table) if other == name]
            there = names.rows_of(codes) & ((rows.flags & CHECKPOINT) != 0)
            for sequence, serial in zip(
                rows.sequence[there].tolist(), rows.serial[there].tolist(), strict=True
            ):
                if all(sequence > fork.sequence or serial <= fork.after for fork in forks):
                    found = sequence
        return found

    def _summary_of(self, first: int, end: int) -> Summary:
        """Return the summary of the records from `first` up to `end`."""
        kept = self._known.get(first)
        is_whole = end == first // RANGE * RANGE + RANGE and end <= self._source.end
        if kept is not None and is_whole:
            self._known.move_to_end(first)
            return kept
        summary: Summary = {}
        for rows in map(self._remap.applied, self._source.rows(first, end)):
            for name, one in _summary(rows.for_objects(), rows).items():
                before = summary.get(name, _NONE)
                last, state = max(one.last, before.last), max(one.state, before.state)
                summary[name] = ChannelSummary(last, state, before.forks + one.forks)
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


def _summary(rows: Rows, noted: Rows | None = None) -> Summary:
    """Return the summary of events, and of the forks in rows with the notes of the recorder."""
    names = rows.names[CHANNEL]
    last = np.full(len(names.table), -1, np.int64)
    last[names.codes] = rows.sequence  # of several rows with one code, the last one stays
    state = np.full(len(names.table), -1, np.int64)
    is_state = (rows.flags & CHECKPOINT) != 0
    state[names.codes[is_state]] = rows.sequence[is_state]
    summary: Summary = {}
    for code in np.flatnonzero(last >= 0).tolist():  # a remap may give two channels one name
        name = names.table[code]
        before = summary.get(name, _NONE)
        summary[name] = ChannelSummary(max(before.last, int(last[code])), max(before.state, int(state[code])))
    forked = None if noted is None else noted.where((noted.flags & FORK) != 0)
    for event in () if forked is None or not len(forked) else forked.events():
        before = summary.get(event.record.channel, _NONE)
        forks = (*before.forks, Fork(event.sequence, event.record.serial))
        summary[event.record.channel] = before._replace(forks=forks)
    return summary
