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

from liven.liveobjects.feeds.errors import GoneError
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
        """Return the beginning of each recorder, or the option `from`."""
        return self._begins()

    def getDefaultReadLimit(self) -> ReadLimit:
        """Return the option `maxrows` as a limit of each batch."""
        return ReadMaxRows(self._options.most_rows) if self._options.most_rows else ReadAllAvailable()

    def prepareForTriggerAvailableNow(self) -> None:
        """Note where a query that ends by itself has to end."""
        self._target = self._ends()

    def latestOffset(self, start: dict[str, int], limit: ReadLimit) -> dict[str, int]:
        """Return the end of the next batch."""
        ends = self._ends() if self._target is None else self._target
        most = limit.max_rows if isinstance(limit, ReadMaxRows) else None
        if self._ramp:  # a small batch first, so that rows are seen soon
            most = self._ramp if most is None else min(most, self._ramp)
            self._ramp = 0 if self._ramp >= _FULL else self._ramp * _GROWTH
        return _limited(start, self._begins(), ends, most)

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

    def _begins(self) -> dict[str, int]:
        return {recorder: max(log.begin, self._options.low) for recorder, log in self._options.logs().items()}

    def _ends(self) -> dict[str, int]:
        return {recorder: min(log.end, self._options.high) for recorder, log in self._options.logs().items()}


def _limited(
    start: Mapping[str, int], begins: Mapping[str, int], ends: Mapping[str, int], most: int | None
) -> dict[str, int]:
    """Return the ends after at most `most` further records, shared by the recorders in their order."""
    found = dict(start)
    for recorder, end in ends.items():
        low = start.get(recorder, begins[recorder])  # it may have begun after the query
        rows = max(0, end - low)
        if most is not None:
            rows = min(rows, most)
            most -= rows
        found[recorder] = low + rows
    return found
