"""An index of a log by object: the last record and the last checkpoint of each, for any sequence.

One pass over the log builds it, and records that come later are added. Every few blocks it keeps what it
knows, so that an answer reads only the blocks behind the nearest of these marks.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from liven.liveobjects.feeds.asof.merged_blocks import Blocks
from liven.liveobjects.feeds.record import CHECKPOINT, FORK, GAP, GAP_TYPE, NOTES, VALUE
from liven.liveobjects.feeds.segment.block import Block

Sequences = npt.NDArray[np.int64]
MARK_ROWS: Final = 32_768
"""Records between two marks, at first: an answer reads at most this many."""
MARKS_BYTES: Final = 64 << 20
"""Marks that take more are thinned out: every second one goes, and the others stand twice as far apart."""
_DENSE: Final = 1 << 16
"""Pairs of names in a block up to which a table of all pairs is quicker than sorting."""
_NONE: Final = -1


class ObjectKey(NamedTuple):
    """The object that has a state, and the channel of that."""

    object: str
    channel: str


class Place(NamedTuple):
    """Where the state of an object is found."""

    key: ObjectKey
    base: int | None
    """The sequence of the last checkpoint, or of the last value of a stream; None if there is none."""
    last: int
    """The sequence of the last record."""


class Branch(NamedTuple):
    """The branch that a fork left behind: the records before its sequence with a serial above `after`."""

    fork: int
    after: int


Branches = Mapping[str, Sequence[Branch]]
"""The branches of each channel that has forks."""


@dataclass(slots=True)
class _Latest:
    """The last record and the last checkpoint of each known object."""

    last: Sequences
    base: Sequences

    @property
    def size(self) -> int:
        """Bytes that it takes."""
        return self.last.nbytes + self.base.nbytes

    def copy(self) -> _Latest:
        return _Latest(self.last.copy(), self.base.copy())

    def grow(self, size: int) -> None:
        """Make room for more objects."""
        missing = size - len(self.last)
        if missing > 0:
            more = np.full(max(missing, len(self.last)), _NONE, np.int64)
            self.last = np.concatenate((self.last, more))
            self.base = np.concatenate((self.base, more))


def _empty() -> _Latest:
    return _Latest(np.full(0, _NONE, np.int64), np.full(0, _NONE, np.int64))


class MomentIndex:
    """The index of one log. It is built by the first question, or by `refresh` in a worker."""

    def __init__(self, log: Blocks, *, mark_rows: int = MARK_ROWS, marks_bytes: int = MARKS_BYTES) -> None:
        self._log = log
        self._first_mark_rows, self._marks_bytes = mark_rows, marks_bytes
        self._numbers: dict[ObjectKey, int] = {}
        self._keys: list[ObjectKey] = []
        self._marks: list[int] = []
        self._kept: list[_Latest] = []
        self._mark_rows = mark_rows
        self._now = _empty()
        self._begin = self._end = log.begin
        self._clear(log.begin)

    @property
    def end(self) -> int:
        """The sequence up to which the index knows the log."""
        return self._end

    @property
    def memory(self) -> int:
        """Bytes of all marks."""
        return sum(kept.size for kept in self._kept)

    def refresh(self) -> None:
        """Add the records that came since the last time; begin anew if the first ones were deleted."""
        if self._log.begin != self._begin:
            self._clear(self._log.begin)
        for block in self._log.blocks(self._end, None, lambda _: None):
            self._add(self._now, block)
            self._note_forks(block)
            self._end = block.end
            if self._end - self._marks[-1] >= self._mark_rows:
                self._mark()

    def places(self, at: int) -> list[Place]:
        """Return where the state of each object after all records below `at` is, in the order of keys."""
        self.refresh()
        at = min(at, self._end)
        number = bisect_right(self._marks, at) - 1
        if number < 0:
            return []
        latest = self._kept[number].copy()
        for block in self._log.blocks(self._marks[number], at, lambda _: None):
            self._add(latest, block)
        known = np.flatnonzero(latest.last != _NONE).tolist()
        found = [
            Place(self._keys[each], None if base == _NONE else base, last)
            for each, base, last in zip(
                known, latest.base[known].tolist(), latest.last[known].tolist(), strict=True
            )
        ]
        branches = self.branches(at)
        return sorted(self._outside(found, branches, at) if branches else found)

    def branches(self, at: int) -> Branches:
        """Return the branches that forks below `at` left behind."""
        found = {
            channel: [one for one in forks if one.fork < at] for channel, forks in self._branches.items()
        }
        return {channel: forks for channel, forks in found.items() if forks}

    def _outside(self, places: list[Place], branches: Branches, at: int) -> list[Place]:
        """Return the places with those on channels that have forks found anew, outside of branches. That
        reads the log from its begin; forks are rare."""
        latest = _empty()
        latest.grow(len(self._keys))
        for block in self._log.blocks(self._begin, at, lambda _: None):
            self._add(latest, block, outside_branches(block, branches))
        found = [place for place in places if place.key.channel not in branches]
        for number in np.flatnonzero(latest.last != _NONE).tolist():
            if self._keys[number].channel in branches:
                base, last = int(latest.base[number]), int(latest.last[number])
                found.append(Place(self._keys[number], None if base == _NONE else base, last))
        return found

    def _note_forks(self, block: Block) -> None:
        for row in np.flatnonzero((block.flags & np.uint32(FORK)) != 0).tolist():
            branch = Branch(block.first + row, int(block.serial[row]))
            self._branches.setdefault(block.channel[row], []).append(branch)

    def _clear(self, begin: int) -> None:
        self._begin = self._end = begin
        self._now = _empty()
        self._branches: dict[str, list[Branch]] = {}
        self._mark_rows = self._first_mark_rows
        self._marks = [begin]
        self._kept = [self._now.copy()]

    def _mark(self) -> None:
        """Keep what is known now; thin out the marks if they take too much memory."""
        self._marks.append(self._end)
        self._kept.append(self._now.copy())
        while len(self._kept) > 2 and self.memory > self._marks_bytes:
            self._marks, self._kept = self._marks[::2], self._kept[::2]
            self._mark_rows *= 2

    def _add(self, latest: _Latest, block: Block, counts: npt.NDArray[np.bool_] | None = None) -> None:
        """Take the records of a block into account, or those that count."""
        width = len(block.channel.table)
        pairs = block.object.codes.astype(np.int64) * width + block.channel.codes
        has_state = events_of(block) if counts is None else events_of(block) & counts
        is_whole = has_state & ((block.flags & np.uint32(CHECKPOINT | VALUE)) != 0)
        size = len(block.object.table) * width
        for into, rows in (("last", np.flatnonzero(has_state)), ("base", np.flatnonzero(is_whole))):
            seen, sequences = _last_of_each(pairs[rows], rows + block.first, size)
            numbers = [self._number(block, pair, width) for pair in seen.tolist()]
            latest.grow(len(self._keys))
            getattr(latest, into)[numbers] = sequences

    def _number(self, block: Block, pair: int, width: int) -> int:
        """Return the number of an object, a new one if it was not seen before."""
        key = ObjectKey(block.object.table[pair // width], block.channel.table[pair % width])
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._keys)
            self._keys.append(key)
        return number


def events_of(block: Block) -> npt.NDArray[np.bool_]:
    """Return for each row whether it is an event of an object, and no note of the recorder."""
    is_note: npt.NDArray[np.bool_] = (block.flags & np.uint32(NOTES)) != 0
    is_gap: npt.NDArray[np.bool_] = (block.flags & np.uint32(GAP)) != 0
    if is_gap.any():
        is_note |= is_gap & block.type.rows_of(GAP_TYPE)
    return ~is_note


def outside_branches(block: Block, branches: Branches) -> npt.NDArray[np.bool_]:
    """Return for each row whether no fork puts it into a branch."""
    counts = np.ones(len(block), np.bool_)
    sequences = block.sequences
    for channel in set(block.channel.table) & branches.keys():
        here = block.channel.rows_of(channel)
        for fork, after in branches[channel]:
            counts &= ~(here & (sequences < fork) & (block.serial > np.uint64(after)))
    return counts


def _last_of_each(pairs: Sequences, sequences: Sequences, size: int) -> tuple[Sequences, Sequences]:
    """Return each pair once, with the last of its sequences."""
    if size <= _DENSE:
        table = np.full(size, _NONE, np.int64)
        table[pairs] = sequences  # of repeated places, numpy keeps the last value
        seen = np.flatnonzero(table != _NONE)
        return seen, table[seen]
    seen, places = np.unique(pairs[::-1], return_index=True)
    return seen, sequences[::-1][places]
