"""The numbers that no recorder of a feed has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from liven.liveobjects.feeds.replay.source.log_columns import LogColumns, Table


class Missing(NamedTuple):
    """Numbers that no recorder has."""

    channel: str
    author: str
    first: int
    last: int


def missing_numbers(once: Table, channels: Sequence[str]) -> list[Missing]:
    """Return the numbers of orders that are missing after the first operation that was recorded."""
    rows = once.where(once.has_order[once.channel] & ~once.is_state)
    order = np.lexsort((rows.serial, rows.channel))
    channel, serial = rows.channel[order], rows.serial[order]
    jumps = np.flatnonzero((channel[1:] == channel[:-1]) & (serial[1:] > serial[:-1] + 1))
    return [
        Missing(channels[int(channel[at])], "", int(serial[at]) + 1, int(serial[at + 1]) - 1)
        for at in jumps.tolist()
    ]


def missing_of_authors(table: Table, notes: Table, columns: LogColumns) -> list[Missing]:
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
