"""Histories of one channel that contradict each other in several logs: the longest one counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from liven.liveobjects.feeds.record import FORK
from liven.liveobjects.feeds.replay.source.log_columns import Longs, Mask, Table


class Contradiction(NamedTuple):
    """Numbers of a channel that are another history in one log than in that which reaches further."""

    channel: str
    log: int
    first: int


def lives(table: Table) -> Mask:
    """Return which rows are in no branch, and tell of none."""
    is_fork = (table.flags & FORK) != 0
    lives: Mask = ~is_fork
    for fork in np.flatnonzero(is_fork).tolist():
        gone = (table.log == table.log[fork]) & (table.channel == table.channel[fork])
        gone[fork:] = False
        lives &= ~(gone & (table.serial > table.serial[fork]) & ~table.is_gap)
    return lives


def without_contradictions(table: Table, channels: Sequence[str]) -> tuple[Table, list[Contradiction]]:
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


def _row(rows: Mask) -> Longs:
    return np.flatnonzero(rows)[:1]


def _differs(table: Table, one: Longs, other: Longs) -> bool:
    return bool(_different(table, one, other).any())


def _different(table: Table, one: Longs, other: Longs) -> Mask:
    """Return which pairs of rows are different operations. The author may be unknown in one log."""
    authors, others = table.author[one], table.author[other]
    known = (authors != table.nobody) & (others != table.nobody)
    different: Mask = (known & (authors != others)) | (table.length[one] != table.length[other])
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
