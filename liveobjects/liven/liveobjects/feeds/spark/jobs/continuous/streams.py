"""The tables of one feed as they grow, as views for SQL.

`records` has the records as they are, and each type of the feed has a view with the name and the columns of
its table. `received` is the time of events: windows over it are forgotten when no record
can change them any more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from liven.liveobjects.feeds.description import read_description
from liven.liveobjects.feeds.feed_folder import FeedPlace
from liven.liveobjects.feeds.record import CHECKPOINT
from liven.liveobjects.feeds.spark.data_source.source import PLAIN_SCHEMA
from liven.liveobjects.feeds.spark.jobs import silver
from liven.liveobjects.feeds.table.columns import quoted
from liven.liveobjects.feeds.table.reading import Reading
from liven.liveobjects.feeds.table.schema import RECORDS
from liven.liveobjects.feeds.table.typed_tables import tables_for

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_KEY = "_key"


@dataclass(frozen=True, slots=True)
class Reach:
    """The part of a feed to read, and the pace."""

    since: int
    """The time of the first record, in microseconds; 0 for the beginning."""
    lateness: float
    """Seconds by which a record may come after later ones."""
    first_rows: int
    most_rows: int
    """The records of the first batch and of the largest."""


def register_streams(spark: SparkSession, place: FeedPlace, reach: Reach) -> list[str]:
    """Make the views and return their names; raise FeedError."""
    described = read_description(place.feed.path).types
    plan = tables_for(described, described, {})
    for table in plan.tables:
        schema = silver.decoded_schema(table.schema)
        decoded = _stream(spark, place, reach, schema, {"readings": Reading.dump(table.readings)})
        _register(silver.good_rows(decoded), table.name, place, reach)
    _register(_stream(spark, place, reach, PLAIN_SCHEMA, {}), RECORDS, place, reach)
    return sorted([*(table.name for table in plan.tables), RECORDS])


def _stream(
    spark: SparkSession, place: FeedPlace, reach: Reach, schema: str, more: Mapping[str, str]
) -> DataFrame:
    options = {
        "path": str(place.recorder or place.feed.path),
        "firstrows": str(reach.first_rows),
        "maxrows": str(reach.most_rows),
        "since": str(reach.since),
        "damage": "skip",
        **more,
    }
    return spark.readStream.format("liven").options(**options).schema(schema).load()


def _register(rows: DataFrame, name: str, place: FeedPlace, reach: Reach) -> None:
    found = rows.withWatermark("received", f"{round(reach.lateness * 1000)} milliseconds")
    if len(place.recorders()) > 1:
        found = _without_duplicates(found)
    found.createOrReplaceTempView(quoted(name))


def _without_duplicates(rows: DataFrame) -> DataFrame:
    """Return each numbered record once, whichever recorder had it first."""
    from pyspark.sql import functions as f

    own = f.concat_ws("/", "recorder", "seq")
    state = f.col("flags").bitwiseAND(CHECKPOINT) != 0  # a state has the number of the event before it
    numbered = f.concat_ws("/", "channel", "author", "serial", state.cast("string"))
    key = f.when(f.col("serial") == 0, own).otherwise(numbered)
    return rows.withColumn(_KEY, key).dropDuplicatesWithinWatermark([_KEY]).drop(_KEY)
