"""Reading a feed once, between two sequences."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pyspark.sql.datasource import (
    DataSourceReader,
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    InputPartition,
    LessThan,
    LessThanOrEqual,
)
from pyspark.sql.types import StructType

from liven.liveobjects.feeds.spark.data_source.options import ReadOptions
from liven.liveobjects.feeds.spark.data_source.ranges import Stretch, spans_of, split

if TYPE_CHECKING:
    import pyarrow as pa


def default_partitions() -> int:
    """Return the number of tasks for a read on this computer: one for each core, and never one alone.

    On two cores, 2 need a sixth less of them than 4, and 16 a third more."""
    return max(2, len(os.sched_getaffinity(0)))


class FeedReader(DataSourceReader):
    """Reads the columns of a schema from the records of a feed."""

    def __init__(self, options: ReadOptions, schema: StructType) -> None:
        self._options = options
        self._schema = schema
        self._low, self._high = 0, 2**63 - 1

    def partitions(self) -> list[InputPartition]:
        """Return the stretches to read; it must be a list, as Spark takes its length."""
        logs = self._options.logs()
        spans = {
            recorder: (max(low, self._low), min(high, self._high))
            for recorder, (low, high) in spans_of(self._options, logs).items()
        }
        return list(split(spans, self._options.partitions))

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Return the batches of one stretch. Spark turns an empty list of partitions into one partition
        None."""
        if not isinstance(partition, Stretch):
            return iter(())
        from liven.liveobjects.feeds.spark.data_source.arrow_schema import arrow_schema
        from liven.liveobjects.feeds.spark.data_source.stretch_reading import read_stretch

        return read_stretch(self._options, partition, arrow_schema(self._schema))

    def narrow(self, filters: Iterable[Filter]) -> Iterator[Filter]:
        """Take the conditions on `seq` and return the others."""
        for one in filters:
            if not self._take(one):
                yield one

    def _take(self, condition: Filter) -> bool:
        """Narrow the range by a condition; False if it is not one on `seq`."""
        if getattr(condition, "attribute", None) != ("seq",):
            return False
        match condition:
            case GreaterThan(value=value):
                self._low = max(self._low, value + 1)
            case GreaterThanOrEqual(value=value):
                self._low = max(self._low, value)
            case LessThan(value=value):
                self._high = min(self._high, value)
            case LessThanOrEqual(value=value):
                self._high = min(self._high, value + 1)
            case EqualTo(value=value):
                self._low, self._high = max(self._low, value), min(self._high, value + 1)
            case _:
                return False
        return True


class FilteredFeedReader(FeedReader):
    """The same where Spark passes conditions on.

    Spark fails every read of a source that has this method unless a session allows it, so it is a class of
    its own, chosen by the option `pushdown`."""

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        """Take the conditions on `seq` and return the others."""
        return self.narrow(filters)
