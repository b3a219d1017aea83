"""Figures of windows of time: how much happened, and the range of each numeric column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from liven.liveobjects.feeds.spark.jobs.derived.events import is_event
from liven.liveobjects.feeds.spark.jobs.derived.schemas import STATISTICS, columns_of
from liven.liveobjects.feeds.table.columns import RECORD_COLUMNS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MINUTE: Final = "1 minute"
_NOT_VALUES: Final = frozenset({name for name, _ in RECORD_COLUMNS} | {"feed", "day"})


def statistics(records: DataFrame, *, window: str = MINUTE) -> DataFrame:
    """Return how much each object did in each window."""
    from pyspark.sql import functions as f

    grouped = records.where(is_event()).groupBy(
        "object", "channel", "type", f.window("received", window).alias("_window")
    )
    counted = grouped.agg(
        f.count("*").alias("events"),
        f.sum(f.length("payload")).cast("bigint").alias("bytes"),
        f.count_distinct("author").alias("authors"),
    )
    return counted.withColumn("start", f.col("_window.start")).select(*columns_of(STATISTICS))


def ranges(values: DataFrame, *, window: str = MINUTE) -> DataFrame:
    """Return the least, mean and greatest of each numeric column of a typed table in each window."""
    from pyspark.sql import functions as f
    from pyspark.sql.types import NumericType

    aggregates = [f.count("*").alias("events")]
    for field in values.schema.fields:
        if isinstance(field.dataType, NumericType) and field.name not in _NOT_VALUES:
            column = f.col(f"`{field.name}`")
            aggregates += [
                f.min(column).alias(f"{field.name}_min"),
                f.avg(column).alias(f"{field.name}_mean"),
                f.max(column).alias(f"{field.name}_max"),
            ]
    found = values.groupBy("object", f.window("received", window).alias("_window")).agg(*aggregates)
    return found.withColumn("start", f.col("_window.start")).drop("_window")
