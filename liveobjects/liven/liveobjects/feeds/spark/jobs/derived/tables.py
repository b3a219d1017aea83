"""Tables that are derived from the records of a feed: states as of moments, sessions, gaps and figures.

`asof` grows by the moments that it lacks. The others are computed anew and replace what was there in one
commit, so that late records and further recorders are in them, and a second run changes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from liven.liveobjects.feeds.feed_folder import FeedFolder, FeedPlace, listed_feeds, resolve
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.spark.data_source.options import dump_ranges
from liven.liveobjects.feeds.spark.jobs.attempts import attempted
from liven.liveobjects.feeds.spark.jobs.deduplication import without_duplicates
from liven.liveobjects.feeds.spark.jobs.derived.asof import states_as_of
from liven.liveobjects.feeds.spark.jobs.derived.schemas import ASOF, DERIVED, GAPS, SESSIONS, STATISTICS
from liven.liveobjects.feeds.spark.jobs.derived.sessions import gaps, sessions
from liven.liveobjects.feeds.spark.jobs.derived.statistics import statistics
from liven.liveobjects.feeds.spark.jobs.job import Arguments, JobContext, JobError
from liven.liveobjects.feeds.spark.jobs.views import file_frame
from liven.liveobjects.feeds.table.commits.commit import Commit, DataFile
from liven.liveobjects.feeds.table.commits.manifest import Manifest
from liven.liveobjects.feeds.table.commits.staged_files import Staging, delete_staging

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NAME: Final = "derive"
HOUR: Final = 3_600_000_000
PAUSE: Final = 300.0
"""Seconds without an event that end a session."""
MOMENTS_MOST: Final = 10_000
"""A longer list of moments is refused: each costs a pass over the feed."""
_TIME_OF: Final = {
    ASOF.type: "at",
    SESSIONS.type: "first_received",
    GAPS.type: "to_received",
    STATISTICS.type: "start",
}
"""The column whose day (UTC) says in which folder a row lies."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The part of the work that somebody asked for."""

    tables: tuple[str, ...]
    moments: tuple[int, ...]
    """Moments of `asof`, in microseconds since 1970."""
    every: int
    """Microseconds between moments; 0 for none but those named."""
    pause: float

    @classmethod
    def of(cls, arguments: Arguments) -> Wanted:
        """Return what the arguments say; raise JobError."""
        tables = tuple(str(name) for name in arguments.get("tables") or DERIVED)
        for name in tables:
            if name not in DERIVED:
                raise JobError(f"{name}: there is no such derived table; there are {', '.join(DERIVED)}")
        moments = tuple(sorted({int(at) for at in arguments.get("moments") or ()}))
        every = 0 if moments else int(arguments.get("every") or HOUR)
        return cls(tables, moments, every, float(arguments.get("pause") or PAUSE))


def run(context: JobContext, arguments: Arguments) -> None:
    """Derive `tables`, or all, of the feeds named in `feeds`, or of all."""
    wanted = Wanted.of(arguments)
    delete_staging(context.layout)
    named = [str(name) for name in arguments.get("feeds", ())]
    if named:
        places = [resolve(name, context.feeds) for name in named]
    else:
        places = [FeedPlace(feed) for feed in listed_feeds(context.feeds)] if context.feeds.is_dir() else []
    for place in places:
        _Derivation(context, place.feed.path, wanted).run()


class _Derivation:
    """The derived tables of one feed."""

    def __init__(self, context: JobContext, feed: Path, wanted: Wanted) -> None:
        self._context = context
        self._wanted = wanted
        self._feed = feed
        self._manifest = Manifest(context.layout, feed.name)
        self._logs = {folder.name: Log(folder) for folder in FeedFolder(feed).recorders()}
        self._rows = 0
        self._spans = {name: (log.begin, log.end) for name, log in self._logs.items()}

    def run(self) -> None:
        """Derive each table, each in a commit of its own."""
        begun = time.monotonic()
        steps: list[str | int] = [*self._moments()] if ASOF.type in self._wanted.tables else []
        steps += [name for name in self._wanted.tables if name != ASOF.type]
        total = len(steps)
        number = self._manifest.state().number + 1
        self._context.tell("plan", feed=self._feed.name, rows=total, number=number, unit="table")
        for done, step in enumerate(steps, 1):
            table = step if isinstance(step, str) else ASOF.type
            before = self._rows
            attempted(self._context, partial(self._derive, step))
            rows = self._rows - before
            self._context.tell("batch", feed=self._feed.name, table=table, rows=rows, done=done, total=total)
        seconds = round(time.monotonic() - begun, 3)
        self._context.tell("done", feed=self._feed.name, rows=self._rows, seconds=seconds, unit="row")

    def _derive(self, step: str | int) -> None:
        """Write one table, or the states of one moment."""
        if isinstance(step, int):
            ends = {name: log.sequence_at(step) for name, log in self._logs.items()}
            records = self._records({name: (log.begin, ends[name]) for name, log in self._logs.items()})
            self._write(ASOF.type, states_as_of(records, ends=ends, at=step), replaces=False)
            return
        rows = without_duplicates(self._records(self._spans))
        if step == SESSIONS.type:
            self._write(step, sessions(rows, pause=self._wanted.pause))
        else:
            self._write(step, gaps(rows) if step == GAPS.type else statistics(rows))

    def _records(self, spans: dict[str, tuple[int, int]]) -> DataFrame:
        ranges = dump_ranges((name, low, high) for name, (low, high) in spans.items())
        options = {"path": str(self._feed), "damage": "skip", "ranges": ranges}
        return self._context.session.spark.read.format("liven").options(**options).load()

    def _write(self, table: str, rows: DataFrame, *, replaces: bool = True) -> None:
        """Write the rows and commit them, in place of the table's rows if `replaces`."""
        from pyspark.sql import functions as f

        state = self._manifest.state()
        staging = Staging.make(self._context.layout, table, self._feed.name)
        dated = rows.withColumn("day", f.date_format(_TIME_OF[table], "yyyy-MM-dd")).coalesce(1)
        dated.write.partitionBy("day").parquet(str(staging.folder))
        files = staging.adopt(f"{state.number + 1:08d}-{NAME}-{staging.folder.name[-8:]}", None)
        old = state.files_of(table) if replaces else []
        known = state.schemas.get(table)
        commit = Commit(
            number=state.number + 1,
            job=NAME,
            at=time.time_ns() // 1000,
            add=tuple(files),
            remove=tuple(file.path for file in old),
            schemas={} if known == DERIVED[table] else {table: DERIVED[table]},
        )
        self._manifest.commit(state, commit)
        self._rows += sum(file.rows for file in files)

    def _moments(self) -> Iterable[int]:
        """Return the moments that are asked for and not in the table, in order."""
        there = self._moments_there()
        wanted = self._wanted.moments or self._regular_moments()
        missing = [at for at in wanted if at not in there]
        if len(missing) > MOMENTS_MOST:
            raise JobError(
                f"{self._feed.name}: {len(missing):,} moments are more than the {MOMENTS_MOST:,} of one run;"
                " choose a longer distance, such as --every 1d"
            )
        return missing

    def _regular_moments(self) -> list[int]:
        """Return the moments between the first record and the last one, and the first moment behind."""
        earliest = min((at for log in self._logs.values() if (at := log.earliest) is not None), default=None)
        latest = max((at for log in self._logs.values() if (at := log.latest) is not None), default=None)
        if earliest is None or latest is None:
            return []
        every = self._wanted.every
        return list(range(earliest // every * every + every, latest // every * every + 1, every))

    def _moments_there(self) -> set[int]:
        from pyspark.sql import functions as f

        files: list[DataFile] = self._manifest.state().files_of(ASOF.type)
        if not files:
            return set()
        frame = file_frame(self._context.session.spark, self._context.layout, files, ASOF.ddl)
        rows = frame.select(f.unix_micros("at").alias("at")).distinct().collect()
        return {row["at"] for row in rows}
