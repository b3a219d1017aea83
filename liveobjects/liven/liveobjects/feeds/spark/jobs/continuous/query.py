"""A continuous query: SQL over one feed as it grows. Each new result is one event."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from liven.liveobjects.feeds.feed_folder import FeedPlace, resolve
from liven.liveobjects.feeds.spark.jobs.attempts import ATTEMPTS
from liven.liveobjects.feeds.spark.jobs.continuous.columns import WideResultError, told_columns
from liven.liveobjects.feeds.spark.jobs.continuous.results import (
    MOST_ROWS,
    KeyedResult,
    Result,
    RollingResult,
    WholeResult,
    shortened,
)
from liven.liveobjects.feeds.spark.jobs.continuous.safe_query import SETTINGS, demand_safe
from liven.liveobjects.feeds.spark.jobs.continuous.streams import Reach, register_streams
from liven.liveobjects.feeds.spark.jobs.job import Arguments, JobContext, JobError
from liven.liveobjects.feeds.spark.session import first_line

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

EVERY: Final = 1.0
ROWS: Final = 1000
LATENESS: Final = 10.0
_FIRST_BATCH: Final = 20_000
_LARGEST_BATCH: Final = 100_000
"""Records of a batch whose rows Python takes one by one."""
_LARGEST_WHOLE: Final = 1_000_000
_LOOK_EVERY: Final = 0.1
_STEADY: Final = 60.0
"""Seconds after which the next failure is a new one."""
_PAUSE: Final = 1.0
_CONF: Final = {
    **SETTINGS,
    "spark.sql.streaming.noDataMicroBatches.enabled": "false",  # they double the work of each result
    "spark.sql.streaming.forceDeleteTempCheckpointLocation": "true",
    "spark.sql.streaming.minBatchesToRetain": "2",
    "spark.sql.streaming.numRecentProgressUpdates": "2",
}


@dataclass(frozen=True, slots=True)
class ContinuousQuery:
    """A query and the way to tell its result."""

    feed: str
    query: str
    every: float = EVERY
    """Seconds from one result to the next, at least."""
    keys: tuple[str, ...] = ()
    """The columns that tell rows apart, if only changed rows are to be computed."""
    since: float = 0.0
    """Seconds: how far the result reaches back; 0 for the beginning of the feed."""
    rows: int = ROWS
    lateness: float = LATENESS

    @classmethod
    def of(cls, arguments: Arguments) -> ContinuousQuery:
        """Return the query that a command gave; raise JobError."""
        found = cls(
            feed=str(arguments["feed"]),
            query=str(arguments["query"]).strip().rstrip(";"),
            every=float(arguments.get("every", EVERY)),
            keys=tuple(str(key) for key in arguments.get("keys", ())),
            since=float(arguments.get("since") or 0.0),
            rows=int(arguments.get("rows") or ROWS),
            lateness=float(arguments.get("lateness", LATENESS)),
        )
        if not 1 <= found.rows <= MOST_ROWS:
            raise JobError(f"a result has 1 to {MOST_ROWS:,} rows, not {found.rows:,}")
        return found


def run(context: JobContext, arguments: Arguments) -> None:
    """Tell the result of a query until somebody cancels; raise JobError, CancelledError or FeedError.

    A query that fails for a dead process of Spark's, or because another job was cancelled, is begun again.
    """
    asked = ContinuousQuery.of(arguments)
    if context.session.machine is None:
        raise JobError("a Spark Connect server runs no continuous queries; name a master, or none")
    spark = _own_session(context)
    failures = 0
    while True:
        stream = _Stream(context, asked, resolve(asked.feed, context.feeds), spark)
        begun = time.monotonic()
        why = _followed(context, stream, stream.start())
        failures = 1 if time.monotonic() - begun > _STEADY else failures + 1
        if failures == ATTEMPTS:
            raise JobError(f"{asked.feed}: the query failed {ATTEMPTS} times: {why}")
        context.tell("retry", attempt=failures, text=f"the query is begun again: {why}")
        context.cancelled.wait(_PAUSE)


def _followed(context: JobContext, stream: _Stream, query: StreamingQuery) -> str:
    """Wait for the end of a query and return its reason; raise CancelledError or
    VirtualMachineEndedError."""
    try:
        while not context.cancelled.wait(_LOOK_EVERY) and not stream.failure and query.isActive:
            context.check()
        context.check()
        error = query.exception()
        return stream.failure or ("it ended by itself" if error is None else first_line(error))
    finally:
        with suppress(Exception):  # Java may have ended
            query.stop()


def _own_session(context: JobContext) -> SparkSession:
    """Return a session with views and settings of its own: other queries may run beside this one."""
    from pyspark.sql import SparkSession

    shared = context.session.spark  # newSession() would not know our data source
    spark = SparkSession(shared.sparkContext, shared._jsparkSession.cloneSession())
    for name, value in _CONF.items():
        spark.conf.set(name, value)
    if context.session.settings.local:
        spark.conf.set("spark.sql.shuffle.partitions", "1")  # results are small, and each task costs time
    return spark


class _Stream:
    """The running query."""

    def __init__(
        self, context: JobContext, asked: ContinuousQuery, place: FeedPlace, spark: SparkSession
    ) -> None:
        self._context = context
        self._asked = asked
        self._place = place
        self._spark = spark
        self._since = (time.time_ns() // 1000 - round(asked.since * 1e6)) if asked.since else 0
        self._columns: list[tuple[str, str]] = []
        self._result: Result = WholeResult(asked.rows)
        self._last: list[list[Any]] | None = None
        self.failure = ""
        """The reason why a result could not be taken."""

    def start(self) -> StreamingQuery:
        """Start it in the mode that its result needs; raise JobError."""
        from pyspark.errors import AnalysisException

        if self._asked.keys:
            return self._started("update", _LARGEST_BATCH)
        try:
            return self._started("complete", _LARGEST_WHOLE)
        except AnalysisException:
            self._result = RollingResult(self._asked.rows)
            return self._started("append", _LARGEST_BATCH)

    def _started(self, mode: str, most_rows: int) -> StreamingQuery:
        from pyspark.errors import AnalysisException, ParseException

        reach = Reach(self._since, self._asked.lateness, _FIRST_BATCH, most_rows)
        names = register_streams(self._spark, self._place, reach)
        try:
            demand_safe(self._spark, self._asked.query)
            frame = self._spark.sql(self._asked.query)
            self._columns, expressions = told_columns(frame)
        except (ParseException, AnalysisException) as error:
            raise JobError(f"{first_line(error)}; the views are: {', '.join(names)}") from None
        except WideResultError as error:
            raise JobError(str(error)) from None
        if not frame.isStreaming:
            raise JobError(f"the query reads nothing of the feed; its views are: {', '.join(names)}")
        if self._asked.keys:
            self._result = KeyedResult(self._asked.rows, self._places())
        told = frame.toDF(*(name for name, _ in self._columns)).selectExpr(*expressions)
        writer = told.writeStream.outputMode(mode).foreachBatch(self._take)
        try:
            return writer.trigger(processingTime=f"{round(self._asked.every * 1000)} milliseconds").start()
        except AnalysisException as error:
            if mode == "complete":
                raise  # it may be one that only appends
            raise JobError(first_line(error)) from None

    def _places(self) -> tuple[int, ...]:
        names = [name.lower() for name, _ in self._columns]
        missing = [key for key in self._asked.keys if key.lower() not in names]
        if missing:
            raise JobError(
                f"the result has no column {missing[0]!r}; it has: {', '.join(n for n, _ in self._columns)}"
            )
        return tuple(names.index(key.lower()) for key in self._asked.keys)

    def _take(self, frame: DataFrame, _number: int) -> None:
        """Take a batch. Spark calls it in a thread of its own, and overflows Java's stack at an error that is
        raised here, as each has the stacks of both languages in its text."""
        if self._context.cancelled.is_set() or self.failure:
            return
        try:
            whole = isinstance(self._result, WholeResult)
            rows = (frame.limit(self._asked.rows + 1) if whole else frame).collect()
            self._result.take([list(row) for row in rows])
            self._tell(from_end=not whole)
        except Exception as error:
            self.failure = first_line(error)

    def _tell(self, *, from_end: bool) -> None:
        every = self._result.rows()
        rows = shortened(every, from_end=from_end)
        if rows == self._last:
            return
        self._last = rows
        cut = self._result.is_cut or len(rows) < len(every)
        columns = [list(column) for column in self._columns]
        self._context.tell("table", columns=columns, rows=rows, cut=cut, at=time.time_ns() // 1000)
