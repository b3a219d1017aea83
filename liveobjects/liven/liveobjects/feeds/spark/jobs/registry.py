"""The table of jobs. A row names a module with `run(context, arguments)`, so listing them imports none."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Final, cast

from liven.liveobjects.feeds.spark.jobs.job import Job

_JOBS: Final = "liven.liveobjects.feeds.spark.jobs"


@dataclass(frozen=True, slots=True)
class Row:
    """One job."""

    name: str
    module: str
    writes: bool
    """True if it changes tables, for which it holds their lock."""
    lasts: bool = False
    """True if it runs until somebody cancels it, beside other jobs."""

    def load(self) -> Job:
        """Import the job."""
        return cast(Job, import_module(self.module))


JOBS: Final = {
    row.name: row
    for row in (
        Row("ingest", f"{_JOBS}.ingest", writes=True),
        Row("compact", f"{_JOBS}.compaction", writes=True),
        Row("backfill", f"{_JOBS}.backfill", writes=True),
        Row("derive", f"{_JOBS}.derived.tables", writes=True),
        Row("sql", f"{_JOBS}.sql", writes=False),
        Row("records", f"{_JOBS}.chosen_records", writes=False),
        Row("watch", f"{_JOBS}.continuous.query", writes=False, lasts=True),
    )
}
