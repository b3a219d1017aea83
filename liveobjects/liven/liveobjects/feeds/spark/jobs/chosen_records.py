"""Records of a feed that a named selection chooses and orders, for a replay.

A selection takes a DataFrame of the records of one feed, with the columns `recorder` and `seq`, and returns
one with the columns of records, in the order in which they are played. One of your own is named by its module
and function.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from liven.liveobjects.feeds.feed_folder import resolve
from liven.liveobjects.feeds.record import CHECKPOINT, CONTROL, VALUE
from liven.liveobjects.feeds.spark.jobs.deduplication import without_duplicates
from liven.liveobjects.feeds.spark.jobs.derived.events import is_event, without_branches
from liven.liveobjects.feeds.spark.jobs.job import Arguments, JobContext, JobError
from liven.liveobjects.feeds.spark.jobs.sql import tell_rows
from liven.liveobjects.feeds.spark.session import first_line

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

Selection = Callable[["DataFrame"], "DataFrame"]
COLUMNS: Final = ("object", "channel", "author", "type", "serial", "flags", "payload")
"""The columns of the result after the times, which are numbers of microseconds."""


def run(context: JobContext, arguments: Arguments) -> None:
    """Report the records that the selection `name` chooses from the feed `feed`; raise JobError."""
    from pyspark.errors import PySparkException
    from pyspark.sql import functions as f

    selection = selection_of(str(arguments["name"]))
    place = resolve(str(arguments["feed"]), context.feeds)
    records = context.session.spark.read.format("liven").option("path", str(place.feed.path)).load()
    if place.recorder is not None:
        records = records.where(f.col("recorder") == place.recorder.name)
    try:
        chosen = selection(records)
        times = [f.unix_micros(name).alias(name) for name in ("received", "sent")]
        frame = chosen.select(*times, *COLUMNS)
    except PySparkException as error:
        raise JobError(f"the job {arguments['name']!r} does not give records: {first_line(error)}") from None
    tell_rows(context, frame)


def selection_of(name: str) -> Selection:
    """Return a selection by its name, or by `MODULE:FUNCTION`; raise JobError."""
    if name in SELECTIONS:
        return SELECTIONS[name]
    module, colon, function = name.partition(":")
    if not colon:
        known = ", ".join(SELECTIONS)
        raise JobError(f"there is no job {name!r}; there are {known}, or name yours as MODULE:FUNCTION")
    try:
        found: Any = getattr(import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise JobError(f"the job {name!r} cannot be imported: {error}") from None
    if not callable(found):
        raise JobError(f"the job {name!r} is not a function")
    selection: Selection = found
    return selection


def once(records: DataFrame) -> DataFrame:
    """Return each event once, of all recorders, in the order of its channel and of time."""
    events = without_duplicates(without_branches(records).where(is_event(controls=True)), forks={})
    timed = events.where(is_event()).withColumn("_moment", _moment())
    return timed.orderBy("_moment", "channel", "serial", "recorder", "seq")


def states(records: DataFrame) -> DataFrame:
    """Return the states and values alone: a fast film of a long recording."""
    from pyspark.sql import functions as f

    return once(records).where(f.col("flags").bitwiseAND(CHECKPOINT | VALUE) != 0)


def seconds(records: DataFrame) -> DataFrame:
    """Return of each stream's object the last value of each second, for streams with many values."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    newest_first = Window.partitionBy("object", "channel", "_second").orderBy(
        f.col("received").desc(), f.col("serial").desc(), f.col("seq").desc()
    )
    values = without_duplicates(records.where(f.col("flags").bitwiseAND(VALUE) != 0), forks={})
    timed = values.withColumn("_second", f.date_trunc("second", "received"))
    last = timed.withColumn("_place", f.row_number().over(newest_first)).where("_place = 1")
    return last.orderBy("received", "recorder", "seq")


def _moment() -> Column:
    """Return the time at which a record is played: on a channel with an order, none before the one with a
    smaller number."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    is_state = f.col("flags").bitwiseAND(CHECKPOINT) != 0
    up_to_here = (
        Window.partitionBy("channel")
        .orderBy("serial", is_state)
        .rowsBetween(Window.unboundedPreceding, Window.currentRow)
    )
    marks = f.max(f.col("flags").bitwiseAND(CHECKPOINT | CONTROL)).over(Window.partitionBy("channel"))
    return f.when(marks > 0, f.max("received").over(up_to_here)).otherwise(f.col("received"))


SELECTIONS: Final[dict[str, Selection]] = {"once": once, "states": states, "seconds": seconds}
"""The selections by name."""
