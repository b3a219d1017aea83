"""The columns of the records of several logs that their common order needs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from liven.liveobjects.feeds.record import CHECKPOINT, CONTROL, FORK, GAP, GAP_TYPE
from liven.liveobjects.feeds.segment.block import Block

Longs = NDArray[np.int64]
Mask = NDArray[np.bool_]


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
    is_gap: Mask
    """True for the records of gaps."""
    has_order: Mask
    """For each channel, by code."""
    nobody: int
    """The code of an author that is not known; -1 if there is none."""

    def __len__(self) -> int:
        return len(self.log)

    @property
    def is_state(self) -> Mask:
        """True for the states of channels with an order."""
        state: Mask = ((self.flags & CHECKPOINT) != 0) & self.has_order[self.channel]
        return state

    def where(self, chosen: Mask | Longs) -> Table:
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
