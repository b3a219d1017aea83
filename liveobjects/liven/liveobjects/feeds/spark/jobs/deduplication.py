"""Rows that several recorders of a feed have are kept once.

The key of a record is (channel, author, serial). A record without a number is never a duplicate. Of several,
the one that was received first stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from liven.liveobjects.feeds.table.survey import UNNUMBERED

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

KEY = ("channel", "author", "serial")
KEY_SCHEMA = "channel STRING, author STRING, serial BIGINT"


def without_duplicates(rows: DataFrame) -> DataFrame:
    """Return the rows with each key once."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    number = f.row_number().over(Window.partitionBy(*KEY).orderBy("received", "recorder", "seq"))
    kept = (f.col("_number") == 1) | (f.col("serial") == UNNUMBERED)
    return rows.withColumn("_number", number).where(kept).drop("_number")


def without_known(rows: DataFrame, known: DataFrame) -> DataFrame:
    """Return the rows whose key is not among those of `known`."""
    from pyspark.sql import functions as f

    keys = known.select(*KEY).where(f.col("serial") != UNNUMBERED)
    return rows.join(keys, list(KEY), "left_anti")
