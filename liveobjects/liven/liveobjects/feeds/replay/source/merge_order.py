"""The order of the records that several recorders of a feed have, each record once.

Where an order numbers the operations of a channel, its numbers count. Elsewhere times count, and no record
comes before one that stands before it in the log of any recorder, or that its author numbered before. A clock
that is off by more than a second is set right by the records that it has in common with another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liven.liveobjects.feeds.record import VALUE
from liven.liveobjects.feeds.replay.source.contradictions import Contradiction, lives, without_contradictions
from liven.liveobjects.feeds.replay.source.log_columns import LogColumns, Longs, Mask, Table
from liven.liveobjects.feeds.replay.source.missing_numbers import Missing, missing_numbers, missing_of_authors

CLOCKS_AGREE: Final = 1_000_000
"""Microseconds by which the clocks of two recorders may differ without being set right."""
_ROUNDS_VALUE: Final = 50
_ROUNDS_GROUP: Final = 6
"""Rounds in which the orders of the logs are put into times. Values have one order, which is reached; of a
group, recorders may have heard two authors in different orders, so there is none to reach."""


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
    table = table.where(lives(table))
    notes, table = table.where(table.is_gap), table.where(~table.is_gap)
    table, found = without_contradictions(table, columns.channels)
    received = _right_times(table)
    chosen, times = _once(table, received)
    once = table.where(chosen)
    order = _placed(table, once, chosen, times)
    missing = [*missing_numbers(once, columns.channels), *missing_of_authors(table, notes, columns)]
    rows = once.where(order)
    return MergedOrder(rows.log, rows.sequence, times[order], missing, found)


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


def _relax(key: Longs, rows: Mask, table: Table, once: Table, places: Longs, rounds: int) -> None:
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
