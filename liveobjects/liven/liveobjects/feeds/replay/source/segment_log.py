"""The log of one recorder as a source."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy

from liven.liveobjects.feeds.errors import DamagedError, FeedError
from liven.liveobjects.feeds.replay.rows import Names, Rows
from liven.liveobjects.feeds.replay.source.source import BATCH
from liven.liveobjects.feeds.segment.block import Block
from liven.liveobjects.feeds.segment.reader import Log


class SegmentLog:
    """The records that a log holds when it is opened; what is recorded later is not played.

    Damaged records are left out, and `on_damage` is called once for each damaged part.
    """

    complete = True
    failure: FeedError | None = None

    def __init__(self, log: Log, on_damage: Callable[[DamagedError], object] = lambda _: None) -> None:
        self._log = log
        self._tell = on_damage
        self._told: set[tuple[int, int]] = set()
        self.begin = log.begin
        self.end = log.end
        self.span = log.earliest or 0, log.latest or 0

    def twin(self) -> SegmentLog:
        """Return the same records, for another thread."""
        made = copy(self)
        made._log, made._told = Log(self._log.folder), set(self._told)
        return made

    def rows(self, first: int, end: int) -> Iterator[Rows]:
        for block in self._log.blocks(max(first, self.begin), min(end, self.end), self._damaged):
            for low in range(0, len(block), BATCH):
                yield rows_of_block(block.slice(low, min(low + BATCH, len(block))))

    def rows_back(self, first: int, end: int) -> Iterator[Rows]:
        first, end = max(first, self.begin), min(end, self.end)
        while end > first:
            low = max(first, end - BATCH)
            yield from reversed(list(self.rows(low, end)))
            end = low

    def sequence_at(self, time: int) -> int:
        return min(max(self._log.sequence_at(time), self.begin), self.end)

    def close(self) -> None:
        """Do nothing: a log keeps no file open."""

    def _damaged(self, error: DamagedError) -> None:
        part = error.first, error.end
        if part not in self._told:
            self._told.add(part)
            self._tell(error)


def rows_of_block(block: Block) -> Rows:
    """Return a block as rows, without copying."""
    object_, channel, author, type_ = (
        Names(names.codes, tuple(names.table))
        for names in (block.object, block.channel, block.author, block.type)
    )
    return Rows(
        block.sequences,
        block.received,
        block.sent,
        block.serial,
        block.flags,
        (object_, channel, author, type_),
        block.ends[:-1],
        block.ends[1:],
        block.payload,
    )
