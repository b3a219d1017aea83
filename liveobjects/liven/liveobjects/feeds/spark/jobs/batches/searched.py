"""Batches of which records may be duplicates: Spark decodes the rows, leaves out those that are there
already, and writes the files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from liven.liveobjects.feeds.spark.jobs import deduplication, silver
from liven.liveobjects.feeds.spark.jobs.batches.batch import Batch, Draft, demand_rows
from liven.liveobjects.feeds.spark.jobs.job import JobContext
from liven.liveobjects.feeds.spark.jobs.views import file_frame
from liven.liveobjects.feeds.table.commits.commit import DataFile
from liven.liveobjects.feeds.table.commits.layout import NO_DAY
from liven.liveobjects.feeds.table.commits.manifest import State
from liven.liveobjects.feeds.table.commits.staged_files import Staging
from liven.liveobjects.feeds.table.decoder import ERROR
from liven.liveobjects.feeds.table.reading import Reading
from liven.liveobjects.feeds.table.schema import QUARANTINE, UNDECODABLE, UNKNOWN_TYPE
from liven.liveobjects.feeds.table.survey import Survey, forks_by_channel
from liven.liveobjects.feeds.table.typed_tables import Plan, TypedTable

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def searched_draft(
    context: JobContext, feed: str, batch: Batch, found: Survey, plan: Plan, state: State
) -> Draft:
    """Return the files of a batch, moved into their tables; raise LostRowsError, and what Spark raises."""
    made = _SearchedDraft(context, feed, batch, found, state)
    for table in plan.tables:
        made.write_table(table)
    if plan.unknown:
        made.write_unknown([Reading(type_, "", {}) for type_ in plan.unknown])
    if found.far:
        made.write_far()
    return made.draft


class _SearchedDraft:
    """A batch at work."""

    def __init__(self, context: JobContext, feed: str, batch: Batch, found: Survey, state: State) -> None:
        self._context = context
        self._layout = context.layout
        self._feed = feed
        self._batch = batch
        self._found = found
        self._state = state
        self.draft = Draft(read=found.rows)

    def write_table(self, table: TypedTable) -> None:
        """Write the rows of one table, and those that cannot be decoded to the quarantine."""
        from pyspark.sql import Observation
        from pyspark.sql import functions as f

        rows = self._source(table.readings).schema(silver.decoded_schema(table.schema)).load()
        if self._batch.opened is None:  # the readings of opened records choose them; the type is another one
            rows = rows.where(silver.is_chosen(self._batch.choice))
        rows = self._deduplicated(self._near(rows), table.name)
        seen = Observation()
        counts = f.count(f.lit(1)).alias("all"), f.count(ERROR).alias("bad")
        files = self._write(silver.good_rows(rows.observe(seen, *counts)), table.name)
        if files or self._found.rows:
            bad = int(seen.get["bad"])
            demand_rows(self._layout.root, int(seen.get["all"]) - bad, files)
            self._write_bad(rows, bad)

    def _write_bad(self, rows: DataFrame, bad: int) -> None:
        if bad:
            demand_rows(self._layout.root, bad, self._write(silver.bad_rows(rows, UNDECODABLE), QUARANTINE))
            self.draft.undecodable += bad

    def write_unknown(self, readings: list[Reading]) -> None:
        """Write the rows of types that have no table to the quarantine."""
        from pyspark.sql import functions as f

        rows = self._plain().where(f.col("type").isin([one.type for one in readings]))
        rows = self._deduplicated(self._near(rows), QUARANTINE)
        self._write(silver.quarantined(rows, UNKNOWN_TYPE, "type"), QUARANTINE)

    def write_far(self) -> None:
        """Write the rows with a time that no calendar has to the quarantine."""
        self._write(silver.far_rows(self._plain()), QUARANTINE, NO_DAY)

    def _plain(self) -> DataFrame:
        """Return the chosen records as they are."""
        rows: DataFrame = self._source(()).load()
        return rows.where(silver.is_chosen(self._batch.choice))

    def _near(self, rows: DataFrame) -> DataFrame:
        return rows.where(silver.is_near()) if self._found.far else rows

    def _source(self, readings: Iterable[Reading]) -> Any:
        options = {
            "path": str(self._batch.log.folder),
            "from": str(self._found.low),
            "to": str(self._found.high),
            "damage": "skip",
        }
        if self._context.session.partitions:
            options["partitions"] = str(self._context.session.partitions)
        chosen = tuple(readings)
        if chosen:
            options["readings"] = Reading.dump(chosen)
        return self._context.session.spark.read.format("liven").options(**options)

    def _deduplicated(self, rows: DataFrame, table: str) -> DataFrame:
        """Leave out what is in the table already, received at any time: a recorder may catch up late. The
        files say in their footers which serials they have, so Spark reads few."""
        from pyspark.sql import functions as f

        forks = forks_by_channel(self._state.forks | self._found.forks)
        rows = deduplication.without_duplicates(rows, forks)
        files = [*self._state.files_of(table), *self._state.files_of(QUARANTINE)]
        if not files or self._found.serials is None:
            return rows
        known = file_frame(self._context.session.spark, self._layout, files, deduplication.KEY_SCHEMA)
        near = known.where(f.col("serial").between(*self._found.serials))
        return deduplication.without_known(rows, near, forks)

    def _write(self, rows: DataFrame, table: str, day: str | None = None) -> list[DataFile]:
        """Have Spark write the rows to a draft, and move its files into the table: of one `day`, or of their
        own."""
        staging = Staging.make(self._layout, table, self._feed)
        if day is None and len(self._found.days) == 1:
            day = next(iter(self._found.days))
        if day is not None:
            rows.write.parquet(str(staging.folder))
        else:
            silver.with_day(rows).write.partitionBy(silver.DAY).parquet(str(staging.folder))
        files = staging.adopt(f"{self._batch.prefix}-{staging.folder.name[-8:]}", day)
        self.draft.files += files
        return files
