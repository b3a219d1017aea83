"""Which records are events of an object, as a condition for Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from liven.liveobjects.feeds.record import FORK, GAP, GAP_TYPE, NOTES

if TYPE_CHECKING:
    from pyspark.sql import Column


def is_event(*, controls: bool = False) -> Column:
    """Return the condition that leaves out a recorder's notes; `controls` keeps operations of the channel
    itself, which have numbers as events have."""
    from pyspark.sql import functions as f

    flags = f.col("flags")
    is_gap = (flags.bitwiseAND(GAP) != 0) & (f.col("type") == GAP_TYPE)
    return (flags.bitwiseAND(FORK if controls else NOTES) == 0) & ~is_gap
