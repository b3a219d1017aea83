"""The order of the records that several recorders of a feed have, each record once.

Where an order numbers the operations of a channel, its numbers count. Elsewhere times count, and no record
comes before one that stands before it in the log of any recorder, or that its author numbered before. A clock
that is off by more than a second is set right by the records that it has in common with another one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liven.liveobjects.feeds.record import CHECKPOINT, CONTROL, FORK, GAP, GAP_TYPE, VALUE
from liven.liveobjects.feeds.segment.block import Block

Longs = NDArray[np.int64]
_MASK = NDArray[np.bool_]
CLOCKS_AGREE: Final = 1_000_000
"""Microseconds by which the clocks of two recorders may differ without being set right."""
_ROUNDS_VALUE: Final = 50
_ROUNDS_GROUP: Final = 6
"""Rounds in which the orders of the logs are put into times. Values have one order, which is reached; of a
group, recorders may have heard two authors in different orders, so there is none to reach."""


class Missing(NamedTuple):
    """Numbers that no recorder has."""

    channel: str
    author: str
    first: int
    last: int


class Contradiction(NamedTuple):
    """Numbers of a channel that are another history in one log than in that which reaches further."""

    channel: str
    log: int
    first: int


class LogColumns:
    """The columns of the records of all logs that an order needs, without payloads."""

    def __init__(self, by_author: Collection[str]) -> None:
        """The channels in `by_author` have no order."""
        self._by_author = by_author
        self._names: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self._parts: list[tuple[Longs, ...]] = []
        self._notes: list[tuple[int, int, int, int, int]] = []
        self.rows = 0

    @property
    def channels(self) -> list[str]:
        """The names of channels, by code."""
        return list(self._names[0])

    @property
    def authors(self) -> list[str]:
        """The names of authors, by code."""
        return list(self._names[1])

    def add(self, log: int, block: Block, mask: NDArray[np.bool_] | None = None) -> None:
        """Take the records of a block, or those that a mask chooses."""
        channel, author = (
            np.array([known.setdefault(name, len(known)) for name in names.table] or [0], np.int64)[
                names.codes
            ]
            for known, names in zip(self._names, (block.channel, block.author), strict=True)
        )
        count = len(block)
        is_note = ((block.flags & np.uint32(GAP)) != 0) & block.type.rows_of(GAP_TYPE)
        columns = (
            np.full(count, log, np.int64),
            np.asarray(block.sequences, np.int64),
            block.received,
            block.serial.view(np.int64),
            block.flags.astype(np.int64),
            channel,
            author,
            np.diff(block.ends).astype(np.int64),
            is_note.astype(np.int64),
        )
        part = columns if mask is None else tuple(column[mask] for column in columns)
        self.rows += len(part[0])
        self._parts.append(part)

    def table(self) -> Table:
        """Return all rows."""
        columns = [np.concatenate(each) for each in zip(*self._parts, strict=True)] if self._parts else None
        if columns is None:
            columns = [np.zeros(0, np.int64) for _ in range(9)]
        log, sequence, received, serial, flags, channel, author, length, note = columns
        ordered = np.zeros(len(self._names[0]) + 1, np.bool_)
        marks = (flags & (CHECKPOINT | CONTROL | FORK)) != 0
        nobody = self._names[1].get("", -1)
        ordered[channel[marks | ((note != 0) & (author == nobody))]] = True
        for name, code in self._names[0].items():
            if name in self._by_author:
                ordered[code] = False
        return Table(
            log, sequence, received, serial, flags, channel, author, length, note != 0, ordered, nobody
        )


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of all logs, those of one log after another and each in its order."""

    log: Longs
    sequence: Longs
    received: Longs
    serial: Longs
    flags: Longs
    channel: Longs
    author: Longs
    length: Longs
    is_gap: _MASK
    """True for the records of gaps."""
    has_order: _MASK
    """For each channel, by code."""
    nobody: int
    """The code of an author that is not known; -1 if there is none."""

    def __len__(self) -> int:
        return len(self.log)

    @property
    def is_state(self) -> _MASK:
        """True for the states of channels with an order."""
        state: _MASK = ((self.flags & CHECKPOINT) != 0) & self.has_order[self.channel]
        return state

    def where(self, chosen: _MASK | Longs) -> Table:
        """Return some of the rows."""
        return Table(
            self.log[chosen],
            self.sequence[chosen],
            self.received[chosen],
            self.serial[chosen],
            self.flags[chosen],
            self.channel[chosen],
            self.author[chosen],
            self.length[chosen],
            self.is_gap[chosen],
            self.has_order,
            self.nobody,
        )

    def series(self) -> Longs:
        """Return a code for the series of numbers of each row: its channel's order, or its author."""
        width = int(self.author.max(initial=0)) + 2
        own = np.where(self.has_order[self.channel], width - 1, self.author)
        return self.channel * width + own


class MergedOrder(NamedTuple):
    """The result: for each record in its place, the log, the sequence there, and its time."""

    log: Longs
    sequence: Longs
    received: Longs
    missing: list[Missing]
    contradictions: list[Contradiction]


def merged_order(columns: LogColumns) -> MergedOrder:
    """Return the order of all records, each once."""
    table = columns.table()
    table = table.where(_lives(table))
    notes, table = table.where(table.is_gap), table.where(~table.is_gap)
    table, found = _without_contradictions(table, columns.channels)
    received = _right_times(table)
    chosen, times = _once(table, received)
    once = table.where(chosen)
    order = _placed(table, once, chosen, times)
    missing = [*_missing_numbers(once, columns.channels), *_missing_of_authors(table, notes, columns)]
    rows = once.where(order)
    return MergedOrder(rows.log, rows.sequence, times[order], missing, found)


def _lives(table: Table) -> _MASK:
    """Return which rows are in no branch, and tell of none."""
    is_fork = (table.flags & FORK) != 0
    lives: _MASK = ~is_fork
    for fork in np.flatnonzero(is_fork).tolist():
        gone = (table.log == table.log[fork]) & (table.channel == table.channel[fork])
        gone[fork:] = False
        lives &= ~(gone & (table.serial > table.serial[fork]) & ~table.is_gap)
    return lives


def _without_contradictions(table: Table, channels: Sequence[str]) -> tuple[Table, list[Contradiction]]:
    """Leave out what is another history in one log than in the one that reaches further."""
    found: list[Contradiction] = []
    while True:
        at = _contradiction(table)
        if at is None:
            return table, found
        channel, serial = at
        here = (table.channel == channel) & ~table.is_state
        logs = np.unique(table.log[here & (table.serial == serial)]).tolist()
        reach = {log: int(table.serial[here & (table.log == log)].max()) for log in logs}
        best = max(logs, key=lambda log: (reach[log], -log))
        winner = _row(here & (table.log == best) & (table.serial == serial))
        gone = np.zeros(len(table), np.bool_)
        for log in logs:
            if _differs(table, winner, _row(here & (table.log == log) & (table.serial == serial))):
                found.append(Contradiction(channels[channel], log, serial))
                gone |= (table.log == log) & (table.channel == channel) & (table.serial >= serial)
        table = table.where(~gone)


def _row(rows: _MASK) -> Longs:
    return np.flatnonzero(rows)[:1]


def _differs(table: Table, one: Longs, other: Longs) -> bool:
    return bool(_different(table, one, other).any())


def _different(table: Table, one: Longs, other: Longs) -> _MASK:
    """Return which pairs of rows are different operations. The author may be unknown in one log."""
    authors, others = table.author[one], table.author[other]
    known = (authors != table.nobody) & (others != table.nobody)
    different: _MASK = (known & (authors != others)) | (table.length[one] != table.length[other])
    return different


def _contradiction(table: Table) -> tuple[int, int] | None:
    """Return the first number of a channel under which two logs have different operations; None for none."""
    rows = table.where(table.has_order[table.channel] & ~table.is_state)
    order = np.lexsort((rows.log, rows.serial, rows.channel))
    channel, serial = rows.channel[order], rows.serial[order]
    same = (channel[1:] == channel[:-1]) & (serial[1:] == serial[:-1])
    other = same & _different(rows, order[1:], order[:-1])
    if not other.any():
        return None
    first = int(np.flatnonzero(other)[0])
    return int(channel[first]), int(serial[first])


def _right_times(table: Table) -> Longs:
    """Return the times of all rows by the clock of the first log, as far as logs have records in common."""
    received = table.received.copy()
    logs = np.unique(table.log).tolist()
    known, rest = logs[:1], logs[1:]
    while rest:
        best: tuple[int, int, int] | None = None
        for log in rest:
            shared = _shared(table, received, known, log)
            if len(shared) and (best is None or len(shared) > best[0]):
                best = len(shared), log, int(np.median(shared))
        if best is None:
            return received
        _, log, ahead = best
        if abs(ahead) > CLOCKS_AGREE:
            received[table.log == log] -= ahead
        known.append(log)
        rest.remove(log)
    return received


def _shared(table: Table, received: Longs, known: Sequence[int], log: int) -> Longs:
    """Return by how much a log is ahead of the known ones, for each record that both have."""
    inside = np.isin(table.log, [*known, log]) & (table.serial != 0) & ~table.is_state
    rows, times = table.where(inside), received[inside]
    series, is_new = rows.series(), rows.log == log
    order = np.lexsort((is_new, rows.serial, series))
    series, serial, is_new = series[order], rows.serial[order], is_new[order]
    same = (series[1:] == series[:-1]) & (serial[1:] == serial[:-1]) & is_new[1:] & ~is_new[:-1]
    pairs = np.flatnonzero(same)
    ordered = times[order]
    ahead: Longs = ordered[pairs + 1] - ordered[pairs]
    return ahead


def _once(table: Table, received: Longs) -> tuple[Longs, Longs]:
    """Return one row for each record, the earliest one, and its time."""
    series = table.series()
    order = np.lexsort((table.log, received, table.is_state, table.serial, series))
    series, serial, state = series[order], table.serial[order], table.is_state[order]
    same = np.zeros(len(order), np.bool_)
    same[1:] = (series[1:] == series[:-1]) & (serial[1:] == serial[:-1]) & (state[1:] == state[:-1])
    same &= (serial != 0) | table.has_order[table.channel[order]]
    chosen = order[~same]
    return chosen, received[chosen]


def _placed(table: Table, once: Table, chosen: Longs, times: Longs) -> Longs:
    """Return the places of the records, in their order."""
    key = times.copy()
    ordered = once.has_order[once.channel]
    _chain(key, np.flatnonzero(ordered), once.channel, (once.is_state, once.serial))
    is_value = np.zeros(len(once.has_order), np.bool_)
    is_value[once.channel[(once.flags & VALUE) != 0]] = True
    places = _places(table, chosen)
    for rows, rounds in (
        (~ordered & is_value[once.channel], _ROUNDS_VALUE),
        (~ordered & ~is_value[once.channel], _ROUNDS_GROUP),
    ):
        _relax(key, rows, table, once, places, rounds)
    placed: Longs = np.lexsort((once.serial, once.author, once.channel, key))
    return placed


def _places(table: Table, chosen: Longs) -> Longs:
    """Return for each row of the logs the place of its record among those that are there once."""
    is_chosen = np.zeros(len(table), np.bool_)
    is_chosen[chosen] = True
    # each row follows the one that was chosen for its record
    order = np.lexsort((~is_chosen, table.is_state, table.serial, table.series()))
    place_of = np.full(len(table), -1, np.int64)
    place_of[chosen] = np.arange(len(chosen))
    follows = np.maximum.accumulate(np.where(is_chosen[order], np.arange(len(order)), -1))
    found = np.empty(len(table), np.int64)
    found[order] = place_of[order[follows]]
    return np.where(place_of >= 0, place_of, found)


def _relax(key: Longs, rows: _MASK, table: Table, once: Table, places: Longs, rounds: int) -> None:
    """Move keys on until the records of each channel stand as in every log, and as their authors numbered
    them."""
    if not rows.any():
        return
    inside = rows[places]
    chains = []
    for log in np.unique(table.log).tolist():
        mine = np.flatnonzero(inside & (table.log == log))
        chains.append((places[mine], table.channel[mine], table.sequence[mine]))
    numbered = np.flatnonzero(rows & (once.serial != 0))
    chains.append((numbered, once.series()[numbered], once.serial[numbered]))
    for _ in range(rounds):
        before = key.copy()
        for members, group, by in chains:
            order = np.lexsort((by, group))
            key[members[order]] = _rising(key[members[order]], group[order])
        if np.array_equal(before, key):
            return


def _chain(key: Longs, members: Longs, group: Longs, by: Sequence[NDArray[np.generic]]) -> None:
    """Move keys on so that they rise along the members of each group."""
    order = members[np.lexsort((*(column[members] for column in by), group[members]))]
    key[order] = _rising(key[order], group[order])


def _rising(values: Longs, group: Longs) -> Longs:
    """Return the least values, not below the given ones, that rise within each run of one group."""
    count = np.arange(len(values), dtype=np.int64)
    level = values - count
    step = 1
    longest = _longest_run(group)
    while step < longest:
        same = group[step:] == group[:-step]
        level[step:] = np.where(same, np.maximum(level[step:], level[:-step]), level[step:])
        step *= 2
    risen: Longs = level + count
    return risen


def _longest_run(group: Longs) -> int:
    if not len(group):
        return 0
    bounds = np.flatnonzero(np.concatenate(([True], group[1:] != group[:-1], [True])))
    return int(np.diff(bounds).max())


def _missing_numbers(once: Table, channels: Sequence[str]) -> list[Missing]:
    """Return the numbers of orders that are missing after the first operation that was recorded."""
    rows = once.where(once.has_order[once.channel] & ~once.is_state)
    order = np.lexsort((rows.serial, rows.channel))
    channel, serial = rows.channel[order], rows.serial[order]
    jumps = np.flatnonzero((channel[1:] == channel[:-1]) & (serial[1:] > serial[:-1] + 1))
    return [
        Missing(channels[int(channel[at])], "", int(serial[at]) + 1, int(serial[at + 1]) - 1)
        for at in jumps.tolist()
    ]


def _missing_of_authors(table: Table, notes: Table, columns: LogColumns) -> list[Missing]:
    """Return the gaps of authors in a log that no other log covers: with numbers of the author on both sides,
    and no gap of its own between."""
    rows = notes.where(~notes.has_order[notes.channel])
    gaps = {
        (int(log), int(channel), int(author), int(last))
        for log, channel, author, last in zip(rows.log, rows.channel, rows.author, rows.serial, strict=True)
    }
    found = []
    for log, channel, author, last in sorted(gaps):
        mine = (table.channel == channel) & (table.author == author)
        before = table.serial[mine & (table.log == log) & (table.serial < last)]
        first = int(before.max(initial=0)) + 1
        covered = False
        for other in np.unique(table.log[mine]).tolist():
            theirs = table.serial[mine & (table.log == other)]
            own = [end for who, where, whose, end in gaps if (who, where, whose) == (other, channel, author)]
            within = int(theirs.min()) < first and int(theirs.max()) > last
            covered |= other != log and within and not any(end >= first for end in own)
        if not covered:
            found.append(Missing(columns.channels[channel], columns.authors[author], first, last))
    return found
