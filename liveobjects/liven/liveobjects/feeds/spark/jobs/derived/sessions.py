"""When objects were active, and which numbers nobody recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from liven.liveobjects.feeds.record import CHECKPOINT
from liven.liveobjects.feeds.spark.jobs.derived.events import is_event
from liven.liveobjects.feeds.spark.jobs.derived.schemas import GAPS, SESSIONS, columns_of
from liven.liveobjects.feeds.table.survey import UNNUMBERED

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def sessions(records: DataFrame, *, pause: float) -> DataFrame:
    """Return the times of activity of each object; a pause of more than `pause` seconds ends one."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    in_order = Window.partitionBy("object", "channel").orderBy("received", "recorder", "seq")
    since_last = _seconds(f.col("received")) - f.lag(_seconds(f.col("received"))).over(in_order)
    parted = (
        records.where(is_event())
        .withColumn("_gap", since_last)
        .withColumn("_session", f.sum(f.when(f.col("_gap") > pause, 1).otherwise(0)).over(in_order))
    )
    within = f.when(f.col("_gap") <= pause, f.col("_gap"))
    found = parted.groupBy("object", "channel", "_session").agg(
        f.min("received").alias("first_received"),
        f.max("received").alias("last_received"),
        f.count("*").alias("events"),
        f.sum(f.length("payload")).cast("bigint").alias("bytes"),
        f.coalesce(f.max(within), f.lit(0.0)).alias("longest_gap"),
    )
    return found.select(*columns_of(SESSIONS))


def gaps(records: DataFrame) -> DataFrame:
    """Return the numbers that no recorder got: of the order of a channel, and of each author elsewhere.

    Checkpoints repeat the number of the operation before them, so they are left out. Only channels with one
    order have any, so they also tell these channels, of which `author` is empty.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    is_numbered = (f.col("flags").bitwiseAND(CHECKPOINT) == 0) & (f.col("serial") != UNNUMBERED)
    is_state = f.col("flags").bitwiseAND(CHECKPOINT) != 0
    ordered = records.where(is_state).select("channel").distinct().withColumn("_ordered", f.lit(True))
    events = (
        records.where(is_numbered & is_event(controls=True))
        .join(f.broadcast(ordered), "channel", "left")
        .withColumn("author", f.when(f.col("_ordered"), f.lit("")).otherwise(f.col("author")))
    )
    numbered = events.groupBy("channel", "author", "serial").agg(f.min("received").alias("received"))
    in_order = Window.partitionBy("channel", "author").orderBy("serial")
    pairs = numbered.select(
        "channel",
        "author",
        f.lag("serial").over(in_order).alias("after_serial"),
        f.col("serial").alias("before_serial"),
        f.lag("received").over(in_order).alias("from_received"),
        f.col("received").alias("to_received"),
    )
    missing = pairs.withColumn("missing", f.col("before_serial") - f.col("after_serial") - 1)
    return missing.where("missing > 0").select(*columns_of(GAPS))


def _seconds(time: Column) -> Column:
    """Return a time as seconds with microseconds."""
    from pyspark.sql import functions as f

    return f.unix_micros(time) / f.lit(1e6)
