"""Which records are events of an object, as a condition for Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from liven.liveobjects.feeds.record import FORK, GAP, GAP_TYPE, NOTES

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def is_event(*, controls: bool = False) -> Column:
    """Return the condition that leaves out a recorder's notes; `controls` keeps operations of the channel
    itself, which have numbers as events have."""
    from pyspark.sql import functions as f

    flags = f.col("flags")
    is_gap = (flags.bitwiseAND(GAP) != 0) & (f.col("type") == GAP_TYPE)
    return (flags.bitwiseAND(FORK if controls else NOTES) == 0) & ~is_gap


def without_branches(records: DataFrame) -> DataFrame:
    """Return the records that no later fork in the same log puts into a branch."""
    from pyspark.sql import functions as f

    forks = records.where(f.col("flags").bitwiseAND(FORK) != 0).select(
        f.col("recorder").alias("_recorder"),
        f.col("channel").alias("_channel"),
        f.col("seq").alias("_fork"),
        f.col("serial").alias("_after"),
    )
    same = (f.col("recorder") == f.col("_recorder")) & (f.col("channel") == f.col("_channel"))
    lost = (f.col("seq") < f.col("_fork")) & (f.col("serial") > f.col("_after"))
    return records.join(forks, same & lost, "left_anti")
