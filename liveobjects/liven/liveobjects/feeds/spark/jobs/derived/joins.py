"""Joins of feeds by time: to each row the last row of another feed that was there by then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def join_latest(
    left: DataFrame, right: DataFrame, *, on: Sequence[str], within: float, prefix: str = "right_"
) -> DataFrame:
    """Return each row of `left` with the last row of `right` that has equal columns `on` and was received at
    most `within` seconds before. Columns of `right` get the prefix; they are null where there is no such row.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    brought = [name for name in right.columns if name not in on]
    nothing_left = f.lit(None).cast(_struct(left, left.columns))
    nothing_right = f.lit(None).cast(_struct(right, brought))
    lefts = left.withColumns({"_left": f.struct(*left.columns), "_right": nothing_right})
    rights = right.withColumns({"_right": f.struct(*brought), "_left": nothing_left})
    shared = [*on, "received", "_left", "_right"]
    # Of a left and a right row of one time, the right one comes first, so that it is there by then.
    up_to_now = (
        Window.partitionBy(*on)
        .orderBy("received", f.col("_left").isNotNull())
        .rowsBetween(Window.unboundedPreceding, Window.currentRow)
    )
    both = lefts.select(*shared).unionByName(rights.select(*shared))
    met = both.withColumn("_met", f.last("_right", ignorenulls=True).over(up_to_now)).where(
        "_left is not null"
    )
    age = (f.unix_micros("_left.received") - f.unix_micros("_met.received")) / f.lit(1e6)
    fresh = met.withColumn("_met", f.when(age <= within, f.col("_met")))
    return fresh.select("_left.*", *(f.col(f"_met.`{name}`").alias(f"{prefix}{name}") for name in brought))


def _struct(frame: DataFrame, columns: Sequence[str]) -> str:
    """Return the type of a struct of some columns of a table."""
    from pyspark.sql import functions as f

    return frame.select(f.struct(*columns).alias("all")).schema["all"].dataType.simpleString()
