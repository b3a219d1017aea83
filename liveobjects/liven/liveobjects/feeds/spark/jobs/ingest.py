"""Ingest: records become rows of typed tables, each once.

A feed is taken in batches of sequences, a small one first so that rows are seen soon. Each batch is surveyed,
decoded by Spark into drafts, and committed in one step together with the sequence up to which it went.
Whatever is killed, the next run goes on at the last commit."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from liven.liveobjects.feeds.description import TypeEntry, read_description
from liven.liveobjects.feeds.feed_folder import FeedPlace, listed_feeds, resolve
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.spark.jobs import deduplication, silver
from liven.liveobjects.feeds.spark.jobs.attempts import attempted
from liven.liveobjects.feeds.spark.jobs.job import Arguments, JobContext
from liven.liveobjects.feeds.spark.jobs.views import file_frame
from liven.liveobjects.feeds.table.commit import Commit, DataFile, Skipped
from liven.liveobjects.feeds.table.decoder import ERROR
from liven.liveobjects.feeds.table.layout import NO_DAY
from liven.liveobjects.feeds.table.manifest import BASE_EVERY, Manifest
from liven.liveobjects.feeds.table.quarantine import write_damage
from liven.liveobjects.feeds.table.reading import Reading
from liven.liveobjects.feeds.table.schema import QUARANTINE, QUARANTINE_COLUMNS, TableSchema
from liven.liveobjects.feeds.table.staged_files import (
    Staging,
    delete_removed,
    delete_staging,
    delete_unlisted,
    set_unlisted_aside,
)
from liven.liveobjects.feeds.table.survey import Survey, forks_by_channel, survey
from liven.liveobjects.feeds.table.typed_tables import TypedTable, tables_for

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NAME: Final = "ingest"
FIRST_ROWS: Final = 20_000
MOST_ROWS: Final = 1_000_000
GROWTH: Final = 4
DELETED_AFTER: Final = 86_400_000_000
"""Microseconds for which removed files stay, for readers that still have their names."""
_MILLION: Final = 1_000_000
_QUARANTINE_SCHEMA: Final = TableSchema(QUARANTINE, QUARANTINE_COLUMNS)


class LostRowsError(Exception):
    """Rows that workers wrote are not in the folder of the tables."""

    def __init__(self, folder: Path, wrote: int, here: int) -> None:
        super().__init__(
            f"the workers wrote {wrote} rows, and {here} are in {folder} here: the folder of the tables"
            " (--tables) must be one that all computers share"
        )


@dataclass(slots=True)
class Batch:
    """A stretch of one recorder's log."""

    recorder: str
    log: Log
    low: int
    high: int
    key: str
    """The name of the log in the manifest: a log that was begun anew under an old name is another one."""


@dataclass(slots=True)
class Draft:
    """The result of a batch before its commit."""

    files: list[DataFile] = field(default_factory=list)
    schemas: dict[str, TableSchema] = field(default_factory=dict)
    read: int = 0
    quarantined: int = 0

    def rows_of_tables(self) -> int:
        """Return the rows in all tables but the quarantine."""
        return sum(file.rows for file in self.files if file.table != QUARANTINE)


def run(context: JobContext, arguments: Arguments) -> None:
    """Ingest the feeds named in `feeds`, or all; raise JobError, CancelledError, FeedError or OSError.

    With `follow`, go on with what is recorded from then on, each so many seconds, until somebody cancels.
    """
    delete_staging(context.layout)
    named = [str(name) for name in arguments.get("feeds", ())]
    ingests: dict[Path, _Ingest] = {}
    seconds = float(arguments.get("follow") or 0)
    while True:
        places = [resolve(name, context.feeds) for name in named] if named else _all_places(context.feeds)
        for place in places:
            key = place.recorder or place.feed.path
            if key in ingests:
                ingests[key].go_on()
            else:
                ingests[key] = _Ingest(context, place, arguments)
                ingests[key].run()
        if not seconds:
            return
        context.cancelled.wait(seconds)
        context.check()


def _all_places(root: Path) -> list[FeedPlace]:
    return [FeedPlace(feed) for feed in listed_feeds(root)] if root.is_dir() else []


class _Ingest:
    """The ingest of one feed."""

    def __init__(self, context: JobContext, place: FeedPlace, arguments: Arguments) -> None:
        self._context = context
        self._place = place
        self._feed = place.feed.name
        self._layout = context.layout
        self._manifest = Manifest(context.layout, self._feed)
        aside = self._manifest.set_damage_aside() if arguments.get("repair") else []
        for path in aside:
            context.tell("warning", text=f"{path} was set aside; its records are ingested again")
        self._state = self._manifest.state()
        if aside:
            files = set_unlisted_aside(context.layout, self._feed, self._state)
            context.tell("warning", text=f"their files are below {context.layout.damaged}: {len(files)}")
        self._first = int(arguments.get("first_rows") or FIRST_ROWS)
        self._most = int(arguments.get("most_rows") or MOST_ROWS)
        self._total = self._done = 0

    def run(self) -> None:
        """Take everything that is on the disk now."""
        delete_unlisted(self._layout, self._feed, self._state)
        self._delete_old()
        logs = self._logs()
        self._total = sum(log.end - low for _, log, low, _ in logs)
        self._context.tell("plan", feed=self._feed, rows=self._total, number=self._state.number + 1)
        begun = time.monotonic()
        self._take_all(logs)
        seconds = time.monotonic() - begun
        self._context.tell("done", feed=self._feed, rows=self._done, seconds=round(seconds, 3))
        self._first = self._most

    def go_on(self) -> None:
        """Take what came since."""
        logs = self._logs()
        self._total = self._done + sum(log.end - low for _, log, low, _ in logs)
        self._take_all(logs)

    def _take_all(self, logs: Iterable[tuple[str, Log, int, str]]) -> None:
        for batch in self._batches(logs):
            self._context.check()
            attempted(self._context, lambda one=batch: self._take(one))  # type: ignore[misc]
            if self._state.number % BASE_EVERY == 0:
                self._delete_old()

    def _delete_old(self) -> None:
        """Delete files and commits that nobody needs any more."""
        old = _now() - DELETED_AFTER
        delete_removed(self._layout, self._state, old)
        self._manifest.drop_history(old)

    def _logs(self) -> list[tuple[str, Log, int, str]]:
        """Return each recorder with its log, the sequence to go on with, and its key in the manifest."""
        found = []
        for folder in self._place.recorders():
            log = Log(folder)
            key = f"{folder.name}/{log.log or 0:016x}"
            low = self._state.ends.get(key, 0)
            found.append((folder.name, log, low, key))
        return found

    def _batches(self, logs: Iterable[tuple[str, Log, int, str]]) -> Iterator[Batch]:
        rows = self._first
        for recorder, log, start, key in logs:
            low, end = start, log.end
            while low < end:
                high = min(end, low + rows)
                yield Batch(recorder, log, low, high, key)
                low, rows = high, min(self._most, rows * GROWTH)

    def _take(self, batch: Batch) -> None:
        """Ingest one batch, whole or not at all."""
        begun = time.monotonic()
        begin = batch.log.begin
        gone = (
            [Skipped(batch.recorder, batch.low, min(begin, batch.high), _GONE)] if batch.low < begin else []
        )
        low = min(max(batch.low, begin), batch.high)
        found = survey(batch.log, batch.recorder, low, batch.high, self._state.marks, self._state.forks)
        draft = self._drafted(batch, found)
        skipped = [*gone, *found.skipped]
        for one in skipped:
            self._context.tell("warning", feed=self._feed, text=_skipped_text(one))
        if skipped:
            self._add_damage(draft, batch, found, skipped)
        duplicates = max(0, draft.read - draft.rows_of_tables() - draft.quarantined)
        self._state = self._manifest.commit(
            self._state, self._commit(batch, found, draft, skipped, duplicates)
        )
        self._done += batch.high - batch.low
        self._context.tell(
            "batch",
            feed=self._feed,
            rows=batch.high - batch.low,
            done=self._done,
            total=self._total,
            seconds=round(time.monotonic() - begun, 3),
            duplicates=duplicates,
            quarantined=draft.quarantined,
        )

    def _drafted(self, batch: Batch, found: Survey) -> Draft:
        described: Mapping[str, TypeEntry] = {}
        if found.types:
            described = read_description(self._place.feed.path).types
        plan = tables_for(found.types, described, self._state.schemas)
        draft = Draft(read=found.rows)
        for table in plan.tables:
            self._write_table(batch, found, table, draft)
        if plan.unknown:
            readings = [Reading(type_, "", {}) for type_ in plan.unknown]
            self._write_unknown(batch, found, readings, draft)
            for type_, why in plan.unknown.items():
                if not type_:
                    continue  # notes of the channel itself, such as who records: no values of an object
                count = found.types[type_]
                text = (
                    f"records of the type {type_} are in the quarantine, as it is not known: {count} ({why})"
                )
                self._context.tell("warning", feed=self._feed, text=text)
        if found.far:
            text = f"records with a time before the year 1 or after 9999 are in the quarantine: {found.far}"
            self._context.tell("warning", feed=self._feed, text=text)
            rows = silver.far_rows(self._source(batch, found, ()).load())
            self._add_quarantined(draft, self._write(rows, QUARANTINE, batch, found, NO_DAY))
        return draft

    def _write_table(self, batch: Batch, found: Survey, table: TypedTable, draft: Draft) -> None:
        from pyspark.sql import Observation
        from pyspark.sql import functions as f

        rows = self._source(batch, found, table.readings).schema(silver.decoded_schema(table.schema)).load()
        if found.far:
            rows = rows.where(silver.is_near())
        if not found.fresh:
            rows = self._deduplicated(rows, table.name, found)
        seen = Observation()
        counts = f.count(f.lit(1)).alias("all"), f.count(ERROR).alias("bad")
        files = self._write(silver.good_rows(rows.observe(seen, *counts)), table.name, batch, found)
        draft.files += files
        if table.schema != self._state.schemas.get(table.name):
            draft.schemas[table.name] = table.schema
        if files or found.rows:
            bad = int(seen.get["bad"])
            self._demand(int(seen.get["all"]) - bad, files)
            self._write_bad(rows, bad, batch, found, draft)

    def _write_bad(self, rows: DataFrame, bad: int, batch: Batch, found: Survey, draft: Draft) -> None:
        if bad:
            text = f"records that could not be decoded are in the quarantine: {bad}"
            self._context.tell("warning", feed=self._feed, text=text)
            files = self._write(silver.bad_rows(rows, silver.UNDECODABLE), QUARANTINE, batch, found)
            self._demand(bad, files)
            self._add_quarantined(draft, files)

    def _demand(self, rows: int, files: Iterable[DataFile]) -> None:
        """Raise LostRowsError unless the files have as many rows as Spark wrote."""
        here = sum(file.rows for file in files)
        if here != rows:
            raise LostRowsError(self._layout.root, rows, here)

    def _write_unknown(self, batch: Batch, found: Survey, readings: list[Reading], draft: Draft) -> None:
        from pyspark.sql import functions as f

        rows = self._source(batch, found, ()).load().where(f.col("type").isin([one.type for one in readings]))
        if found.far:
            rows = rows.where(silver.is_near())
        if not found.fresh:
            rows = self._deduplicated(rows, QUARANTINE, found)
        rows = silver.quarantined(rows, silver.UNKNOWN_TYPE, "type")
        self._add_quarantined(draft, self._write(rows, QUARANTINE, batch, found))

    def _add_quarantined(self, draft: Draft, files: list[DataFile]) -> None:
        draft.files += files
        draft.quarantined += sum(file.rows for file in files)
        if QUARANTINE not in self._state.schemas:
            draft.schemas[QUARANTINE] = _QUARANTINE_SCHEMA

    def _add_damage(self, draft: Draft, batch: Batch, found: Survey, skipped: list[Skipped]) -> None:
        staging = Staging.make(self._layout, QUARANTINE, self._feed)
        write_damage(staging.folder, batch.recorder, skipped, silver.DAMAGED, _now())
        files = staging.adopt(f"{self._prefix(batch)}-damage", max(found.days, default=None) or _today())
        if QUARANTINE not in self._state.schemas:
            draft.schemas[QUARANTINE] = _QUARANTINE_SCHEMA
        draft.files += files

    def _source(self, batch: Batch, found: Survey, readings: Iterable[Reading]) -> Any:
        options = {
            "path": str(batch.log.folder),
            "from": str(found.low),
            "to": str(found.high),
            "damage": "skip",
        }
        if self._context.session.partitions:
            options["partitions"] = str(self._context.session.partitions)
        chosen = tuple(readings)
        if chosen:
            options["readings"] = Reading.dump(chosen)
        return self._context.session.spark.read.format("liven").options(**options)

    def _deduplicated(self, rows: DataFrame, table: str, found: Survey) -> DataFrame:
        """Leave out what is in the table already, received at any time: a recorder may catch up late. The
        files say in their footers which serials they have, so Spark reads few."""
        from pyspark.sql import functions as f

        forks = forks_by_channel(self._state.forks | found.forks)
        rows = deduplication.without_duplicates(rows, forks)
        files = [*self._state.files_of(table), *self._state.files_of(QUARANTINE)]
        if not files or found.serials is None:
            return rows
        known = file_frame(self._context.session.spark, self._layout, files, deduplication.KEY_SCHEMA)
        near = known.where(f.col("serial").between(*found.serials))
        return deduplication.without_known(rows, near, forks)

    def _write(
        self, rows: DataFrame, table: str, batch: Batch, found: Survey, day: str | None = None
    ) -> list[DataFile]:
        """Have Spark write the rows to a draft, and move its files into the table: of one `day`, or of their
        own."""
        staging = Staging.make(self._layout, table, self._feed)
        if day is None and len(found.days) == 1:
            day = next(iter(found.days))
        if day is not None:
            rows.write.parquet(str(staging.folder))
        else:
            silver.with_day(rows).write.partitionBy(silver.DAY).parquet(str(staging.folder))
        return staging.adopt(f"{self._prefix(batch)}-{staging.folder.name[-8:]}", day)

    def _prefix(self, batch: Batch) -> str:
        return f"{self._state.number + 1:08d}-{batch.low:x}"

    def _commit(
        self, batch: Batch, found: Survey, draft: Draft, skipped: list[Skipped], duplicates: int
    ) -> Commit:
        days = [file.day for file in self._state.files.values() if file.day != NO_DAY]
        latest = max(days, default="")
        return Commit(
            number=self._state.number + 1,
            job=NAME,
            at=_now(),
            ends={batch.key: batch.high},
            add=tuple(draft.files),
            schemas=draft.schemas,
            marks=found.marks,
            forks=found.forks,
            skipped=tuple(skipped),
            late=tuple(sorted(day for day in found.days if day < latest)),
            duplicates=duplicates,
        )


_GONE: Final = "the limits of the recording deleted them before they were ingested"


def _skipped_text(one: Skipped) -> str:
    return f"{one.recorder}: records {one.first} to {one.end - 1} were skipped: {one.why}"


def _now() -> int:
    return time.time_ns() // 1000


def _today() -> str:
    from liven.liveobjects.feeds.table.layout import day_of

    return day_of(_now())
