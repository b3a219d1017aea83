"""The logs of several recorders of a feed as one source, with each record once.

Its sequences are places in the merged order, which is found when it is opened: they hold for as long as the
logs do not grow. A bookmark therefore names the log and the sequence there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from typing import Any, Final, NamedTuple

import numpy as np

from liven.liveobjects.feeds.errors import DamagedError, FeedError
from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.rows import Names, Rows
from liven.liveobjects.feeds.replay.source.chosen_records import ChosenRecords
from liven.liveobjects.feeds.replay.source.log_columns import LogColumns, Longs
from liven.liveobjects.feeds.replay.source.merge_order import merged_order
from liven.liveobjects.feeds.replay.source.segment_log import rows_of_block
from liven.liveobjects.feeds.replay.source.source import BATCH
from liven.liveobjects.feeds.segment.reader import Log

ROWS_MOST: Final = 10_000_000
"""Records of all logs together, whose order is found in memory: some 1 GB while it is opened, and 30 MB for
each million afterwards."""
_NEAR: Final = 4096
"""Records between two wanted ones of a log that are read with them."""


class Origin(NamedTuple):
    """A record's own place."""

    recorder: str
    sequence: int


class MergedLogs:
    """The records that the logs hold when they are opened. Damaged ones are left out, and `on_damage` is
    called once for each damaged part."""

    complete = True
    failure: FeedError | None = None
    begin = 0

    def __init__(
        self,
        logs: Sequence[Log],
        by_author: Collection[str] = (),
        on_damage: Callable[[DamagedError], object] = lambda _: None,
        *,
        rows_most: int = ROWS_MOST,
        chosen: Mapping[str, ChosenRecords] | None = None,
    ) -> None:
        """Find the order; raise ReplayError for logs that are too large. The channels in `by_author` have no
        order. With `chosen`, take only these records of each recorder."""
        self._logs = sorted(logs, key=lambda log: log.folder.name)
        self._tell = on_damage
        self._told: set[tuple[int, int, int]] = set()
        if chosen is None:
            count = sum(log.end - log.begin for log in self._logs)
        else:
            count = sum(len(each) for each in chosen.values())
        if count > rows_most:
            names = ", ".join(log.folder.name for log in self._logs)
            raise ReplayError(
                f"{count:,} records of several recorders are too many to be put in one order;"
                f" {rows_most:,} are allowed",
                f"play one of the recorders ({names}), or have Spark join them with --sql",
            )
        order = merged_order(self._columns(by_author, chosen))
        self._log, self._sequence = order.log.astype(np.uint16), order.sequence
        self._received = order.received
        self._latest = np.maximum.accumulate(order.received) if len(order.received) else order.received
        self.missing = order.missing
        """Numbers that no recorder has."""
        self.contradictions = order.contradictions
        """Parts of logs that are another history than the one that is played."""
        self.end = len(order.log)
        self.span = (int(order.received.min()), int(order.received.max())) if self.end else (0, 0)

    def twin(self) -> MergedLogs:
        """Return the same records in the same order, for another thread."""
        made = copy(self)
        made._logs = [Log(log.folder) for log in self._logs]  # a log is read by one thread
        made._told = set(self._told)
        return made

    @property
    def recorders(self) -> list[str]:
        """The names of the recorders, as `Contradiction.log` counts them."""
        return [log.folder.name for log in self._logs]

    def origin(self, sequence: int) -> Origin:
        """Return the own place of the record at a sequence, or of the last one."""
        if not self.end:
            return Origin(self.recorders[0], 0)
        at = min(max(sequence, 0), self.end - 1)
        return Origin(self.recorders[int(self._log[at])], int(self._sequence[at]))

    def sequence_of(self, origin: Origin) -> int:
        """Return the sequence of a record by its own place; that of the next one in its log if it is there
        in another log's place."""
        number = self.recorders.index(origin.recorder)
        mine = np.flatnonzero((self._log == number) & (self._sequence >= origin.sequence))
        return int(mine[np.argmin(self._sequence[mine])]) if len(mine) else self.end

    def rows(self, first: int, end: int) -> Iterator[Rows]:
        first, end = max(first, 0), min(end, self.end)
        for low in range(first, end, BATCH):
            rows = self._rows(low, min(low + BATCH, end))
            if len(rows):
                yield rows

    def rows_back(self, first: int, end: int) -> Iterator[Rows]:
        first, end = max(first, 0), min(end, self.end)
        while end > first:
            low = max(first, end - BATCH)
            rows = self._rows(low, end)
            if len(rows):
                yield rows
            end = low

    def sequence_at(self, time: int) -> int:
        return int(np.searchsorted(self._latest, time, side="left"))

    def close(self) -> None:
        """Do nothing: a log keeps no file open."""

    def _columns(self, by_author: Collection[str], chosen: Mapping[str, ChosenRecords] | None) -> LogColumns:
        columns = LogColumns(by_author)
        for number, log in enumerate(self._logs):
            mine = None if chosen is None else chosen[log.folder.name]
            first = log.begin if mine is None else max(log.begin, mine.first)
            end = log.end if mine is None else min(log.end, mine.end)
            for block in log.blocks(first, end, self._damaged(number)) if first < end else ():
                columns.add(number, block, None if mine is None else mine.mask(block))
        return columns

    def _rows(self, low: int, high: int) -> Rows:
        """Return the rows from place `low` up to place `high`."""
        parts: list[tuple[Longs, Rows]] = []
        for number in np.unique(self._log[low:high]).tolist():
            places = low + np.flatnonzero(self._log[low:high] == number)
            places = places[np.argsort(self._sequence[places], kind="stable")]
            parts += self._parts(number, places)
        return _joined(parts, self._received)

    def _parts(self, number: int, places: Longs) -> Iterator[tuple[Longs, Rows]]:
        """Yield the records of one log at these places, which are in the order of that log."""
        wanted = self._sequence[places]
        breaks = np.flatnonzero(np.diff(wanted) > _NEAR) + 1
        for run in np.split(np.arange(len(wanted)), breaks):
            sequences = wanted[run]
            first, last, damaged = int(sequences[0]), int(sequences[-1]), self._damaged(number)
            for block in self._logs[number].blocks(first, last + 1, damaged):
                held = run[(sequences >= block.first) & (sequences < block.end)]
                if len(held):
                    rows = rows_of_block(block)
                    chosen = np.zeros(len(rows), np.bool_)
                    chosen[wanted[held] - block.first] = True
                    yield places[held], rows.where(chosen)

    def _damaged(self, number: int) -> Callable[[DamagedError], None]:
        def damaged(error: DamagedError) -> None:
            part = number, error.first, error.end
            if part not in self._told:
                self._told.add(part)
                self._tell(error)

        return damaged


def _joined(parts: Sequence[tuple[Longs, Rows]], received: Longs) -> Rows:
    """Return rows of several blocks as one, at their places in the merged order."""
    places = np.concatenate([at for at, _ in parts]) if parts else np.zeros(0, np.int64)
    rows = [each for _, each in parts]
    names = []
    for column in range(4):
        known: dict[str, int] = {}
        codes = [
            np.array([known.setdefault(name, len(known)) for name in one.names[column].table] or [0])[
                one.names[column].codes
            ]
            for one in rows
        ]
        names.append(Names(_all(codes), tuple(known)))
    offsets = np.cumsum([0, *(len(one.payload) for one in rows)])
    joined = Rows(
        places,
        received[places],
        _all([one.sent for one in rows]),
        _all([one.serial for one in rows]).astype(np.uint64),
        _all([one.flags for one in rows]),
        (names[0], names[1], names[2], names[3]),
        _all([one.starts + at for one, at in zip(rows, offsets, strict=False)]),
        _all([one.stops + at for one, at in zip(rows, offsets, strict=False)]),
        memoryview(b"".join(one.payload for one in rows)),
    )
    return joined.ordered()


def _all(columns: Sequence[Any]) -> Any:
    return np.concatenate(columns) if columns else np.zeros(0, np.int64)
