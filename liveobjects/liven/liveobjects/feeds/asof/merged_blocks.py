"""The records of several recorders as blocks in their common order, for questions about a moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np

from liven.liveobjects.feeds.errors import DamagedError
from liven.liveobjects.feeds.replay.rows import Rows
from liven.liveobjects.feeds.replay.source.merged_logs import MergedLogs
from liven.liveobjects.feeds.segment.block import Block, Names


class Blocks(Protocol):
    """Records in blocks, by sequence: one log, or several together."""

    @property
    def begin(self) -> int:
        """The sequence of the first record."""

    @property
    def end(self) -> int:
        """The sequence after the last record."""

    def blocks(
        self,
        low: int | None = None,
        high: int | None = None,
        on_damage: Callable[[DamagedError], None] | None = None,
    ) -> Iterator[Block]:
        """Yield the records from `low` up to `high`, in order."""


class MergedBlocks:
    """The records of merged logs, which say themselves what is damaged."""

    def __init__(self, logs: MergedLogs) -> None:
        self._logs = logs
        self.begin, self.end = logs.begin, logs.end

    def blocks(
        self,
        low: int | None = None,
        high: int | None = None,
        on_damage: Callable[[DamagedError], None] | None = None,
    ) -> Iterator[Block]:
        del on_damage
        begin, end = self.begin if low is None else low, self.end if high is None else high
        for rows in self._logs.rows(begin, end):
            yield _block(rows)


def _block(rows: Rows) -> Block:
    """Return consecutive rows as a block."""
    names = [Names(one.codes.astype(np.uint32), list(one.table)) for one in rows.names]
    payloads = [rows.payload[start:stop] for start, stop in zip(rows.starts, rows.stops, strict=True)]
    ends = np.cumsum([0, *map(len, payloads)]).astype(np.int32)
    return Block(
        rows.first,
        rows.received,
        rows.sent,
        rows.serial,
        names[0],
        names[1],
        names[2],
        names[3],
        rows.flags.astype(np.uint32),
        ends,
        memoryview(b"".join(payloads)),
    )
