"""States as of a moment: for each object, its last checkpoint and the operations since.

A value of a stream is a whole state, so the last one suffices. A message on a channel changes a state, so the
messages since the last checkpoint belong to it. `fold_states` applies them with the object's own rules, which
run in the workers. Without Spark, `liven.liveobjects.feeds.asof` gives the same answer for one log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from liven.liveobjects.feeds.record import CHECKPOINT, VALUE
from liven.liveobjects.feeds.spark.jobs.derived.events import is_event, without_branches
from liven.liveobjects.feeds.spark.jobs.derived.schemas import ASOF, columns_of

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame

Fold = Callable[[bytes | None, list[bytes]], bytes]
"""Returns the state after a checkpoint (None if there was none) and the messages after it."""

OBJECT: Final = ("recorder", "object", "channel")
"""A sequence has a meaning in one log, so states are found for each recorder."""


def states_as_of(records: DataFrame, *, ends: Mapping[str, int], at: int) -> DataFrame:
    """Return the state of each object at the time `at` (microseconds), which each recorder reached with the
    sequence in `ends`. Of several recorders, the one that got the most of a channel counts."""
    from pyspark.sql import functions as f

    reached = f.create_map(*(f.lit(part) for pair in ends.items() for part in pair)) if ends else f.lit(None)
    before = records.where(f.col("seq") < f.coalesce(reached[f.col("recorder")], f.lit(0)))
    per_recorder = _states(without_branches(before).where(is_event()))
    best = per_recorder.groupBy("object", "channel").agg(
        f.max_by(f.struct(*per_recorder.columns), f.struct("serial", "recorder")).alias("best")
    )
    timed = best.select("best.*").withColumn("at", f.timestamp_micros(f.lit(at)))
    return timed.select(*columns_of(ASOF))


def _states(records: DataFrame) -> DataFrame:
    """Return the state that each log has of each object."""
    from pyspark.sql import functions as f

    is_state = f.col("flags").bitwiseAND(CHECKPOINT | VALUE) != 0
    bases = records.where(is_state).groupBy(*OBJECT).agg(f.max("seq").alias("base"))
    since = records.join(bases, list(OBJECT), "left").where("base is null or seq >= base")
    operations = f.sort_array(f.collect_list(f.when(~is_state, f.struct("seq", "payload"))))
    return since.groupBy(*OBJECT).agg(
        f.max_by("type", "seq").alias("type"),
        f.max("seq").alias("seq"),
        f.max("serial").alias("serial"),
        f.max("base").alias("base"),
        f.max("received").alias("received"),
        f.max(f.when(is_state, f.col("payload"))).alias("state"),
        operations.getField("payload").alias("operations"),
    )


def latest_values(values: DataFrame, *, before: Column) -> DataFrame:
    """Return the last row of each object of a typed table among those for which `before` is true."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    newest_first = Window.partitionBy("object", "channel").orderBy(
        f.col("received").desc(), f.col("seq").desc()
    )
    placed = values.where(before).withColumn("_place", f.row_number().over(newest_first))
    return placed.where("_place = 1").drop("_place")


def fold_states(states: DataFrame, fold: Fold) -> DataFrame:
    """Return the states with their operations applied by `fold`, which the workers import."""

    def folded(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            rows = batch.to_pylist()
            for row in rows:
                row["state"] = fold(row["state"], row["operations"])
                row["operations"] = []
            yield pa.RecordBatch.from_pylist(rows, schema=batch.schema)

    return states.mapInArrow(folded, states.schema)
