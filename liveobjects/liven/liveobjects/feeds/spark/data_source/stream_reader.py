"""Reading a feed as it grows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxRows,
    SupportsTriggerAvailableNow,
)
from pyspark.sql.types import StructType

from liven.liveobjects.feeds.errors import BegunAnewError, FeedError, GoneError
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.spark.data_source.options import ReadOptions
from liven.liveobjects.feeds.spark.data_source.ranges import Stretch, split

if TYPE_CHECKING:
    import pyarrow as pa

DEFAULT_PARTITIONS: Final = 2
_GROWTH: Final = 4
_FULL: Final = 1_000_000


class FeedStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Returns the records of a feed in batches. An offset has the end of each recorder."""

    def __init__(self, options: ReadOptions, schema: StructType) -> None:
        self._options = options
        self._schema = schema
        self._target: dict[str, int] | None = None
        self._ramp = options.first_rows

    def initialOffset(self) -> dict[str, int]:
        """Return the beginning of each recorder, or where the options `from` and `since` say."""
        since = self._options.since
        if not since:
            return self._begins()
        return {recorder: log.sequence_at(since) for recorder, log in self._options.logs().items()}

    def getDefaultReadLimit(self) -> ReadLimit:
        """Return the option `maxrows` as a limit of each batch."""
        return ReadMaxRows(self._options.most_rows) if self._options.most_rows else ReadAllAvailable()

    def prepareForTriggerAvailableNow(self) -> None:
        """Note where a query that ends by itself has to end."""
        self._target = self._ends()

    def latestOffset(self, start: dict[str, int], limit: ReadLimit) -> dict[str, int]:
        """Return the end of the next batch."""
        ends = self._ends() if self._target is None else self._target
        self._demand_same_logs(start, ends)
        most = limit.max_rows if isinstance(limit, ReadMaxRows) else None
        if self._ramp:  # a small batch first, so that rows are seen soon
            most = self._ramp if most is None else min(most, self._ramp)
            self._ramp = 0 if self._ramp >= _FULL else self._ramp * _GROWTH
        begins = self._begins()
        starts = {recorder: start.get(recorder, begins[recorder]) for recorder in ends}  # one may be new
        return {**start, **_limited(self._options.logs(), starts, ends, most)}

    def reportLatestOffset(self) -> dict[str, int]:
        """Return the present end, which Spark reports as progress."""
        return self._ends()

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> list[InputPartition]:
        """Return the stretches between two offsets; raise GoneError."""
        logs = self._options.logs()
        spans = {}
        for recorder, high in end.items():
            begin = logs[recorder].begin
            low = start.get(recorder, begin)
            if low < begin:
                raise GoneError(logs[recorder].folder, low, begin)
            spans[recorder] = (low, high)
        return list(split(spans, self._options.partitions))

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Return the batches of one stretch."""
        if not isinstance(partition, Stretch):
            return iter(())
        from liven.liveobjects.feeds.spark.data_source.arrow_schema import arrow_schema
        from liven.liveobjects.feeds.spark.data_source.stretch_reading import read_stretch

        return read_stretch(self._options, partition, arrow_schema(self._schema))

    def _demand_same_logs(self, start: Mapping[str, int], ends: Mapping[str, int]) -> None:
        """Raise BegunAnewError for a log that ends before it was read to: it would seem to stand still."""
        for recorder, end in ends.items():
            if end < start.get(recorder, 0):
                raise BegunAnewError(self._options.path, recorder)

    def _begins(self) -> dict[str, int]:
        return {recorder: max(log.begin, self._options.low) for recorder, log in self._options.logs().items()}

    def _ends(self) -> dict[str, int]:
        return {recorder: min(log.end, self._options.high) for recorder, log in self._options.logs().items()}


def _limited(
    logs: Mapping[str, Log], starts: Mapping[str, int], ends: Mapping[str, int], most: int | None
) -> dict[str, int]:
    """Return the ends after at most `most` further records, or one of each recorder.

    Recorders of one feed are read up to the same time: if one ran ahead, the records of the others would seem
    to be late, and windows would leave them out.
    """
    rows = {recorder: end - starts[recorder] for recorder, end in ends.items() if end > starts[recorder]}
    if most is None or sum(rows.values()) <= most:
        return dict(ends)
    share = max(1, most // len(rows))
    reached = {recorder: starts[recorder] + min(share, count) for recorder, count in rows.items()}
    times = {recorder: _time_before(logs[recorder], end) for recorder, end in reached.items()}
    if len(reached) == 1 or None in times.values():
        return {**starts, **reached}
    first = min(times, key=lambda recorder: times[recorder] or 0)
    limit = (times[first] or 0) + 1
    for recorder, end in reached.items():
        if recorder != first:
            reached[recorder] = max(starts[recorder], min(end, logs[recorder].sequence_at(limit)))
    return {**starts, **reached}


def _time_before(log: Log, end: int) -> int | None:
    """Return the time of the record before a sequence; None if it is damaged."""
    try:
        return log.record(end - 1).received
    except FeedError:
        return None
