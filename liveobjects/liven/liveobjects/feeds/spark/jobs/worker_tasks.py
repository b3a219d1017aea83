"""Calls of a function in Spark's workers, one for each task.

There is no query: nothing has to be planned, no Python process has to ask for a data source, and rows do not
pass through Java."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from liven.liveobjects.feeds.spark.session import Session

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

_RESULT: Final = pa.schema([("number", pa.int64()), ("text", pa.string())])
_TRACEBACK: Final = "Traceback (most recent call last):"


class TaskError(Exception):
    """The function failed; the text is the last line of its traceback."""


def results_of(session: Session, work: Callable[[int], str], count: int) -> list[str]:
    """Return the results of `work(0)` to `work(count - 1)` in order; raise TaskError, and what Spark raises.

    A task that fails is done again, so `work` may be called more than once for a number, even at one time.
    """
    try:
        if session.context is None:  # a Spark Connect server has queries alone
            return by_query(session.spark, work, count)
        return by_tasks(session.context, work, count)
    except Exception as error:
        reason = _reason(str(error))
        if reason:
            raise TaskError(reason) from error
        raise


def by_tasks(context: SparkContext, work: Callable[[int], str], count: int) -> list[str]:
    """Call the function without SQL, which Spark need not even have started."""
    return context.parallelize(range(count), count).map(work).collect()


def by_query(spark: SparkSession, work: Callable[[int], str], count: int) -> list[str]:
    """Call the function in a query."""
    numbers = spark.range(0, count, 1, count)
    rows = numbers.mapInArrow(partial(_in_arrow, work), "number BIGINT, text STRING").collect()
    return [text for _, text in sorted((row["number"], row["text"]) for row in rows)]


def _in_arrow(work: Callable[[int], str], batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        numbers = batch.column(0)
        texts = pa.array([work(number) for number in numbers.to_pylist()], pa.string())
        yield pa.RecordBatch.from_arrays([numbers, texts], schema=_RESULT)


def _reason(text: str) -> str:
    """Return the last line of the traceback of a worker in an error of Spark's; empty without one."""
    found = ""
    _, traceback, rest = text.partition(_TRACEBACK)
    for line in rest.splitlines() if traceback else ():
        if line.startswith("\tat "):  # the stack of Java follows
            break
        found = line.strip() or found
    return found
