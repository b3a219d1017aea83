"""All tables of what was recorded before: ingest, compaction and derived tables, in one session."""

from __future__ import annotations

from liven.liveobjects.feeds.feed_folder import resolve
from liven.liveobjects.feeds.spark.jobs import compaction, ingest
from liven.liveobjects.feeds.spark.jobs.derived import tables
from liven.liveobjects.feeds.spark.jobs.job import Arguments, JobContext


def run(context: JobContext, arguments: Arguments) -> None:
    """Do it for the feeds named in `feeds`, or for all. It goes on where an earlier run ended."""
    ingest.run(context, arguments)
    compaction.run(context, {"feeds": _with_tables(context, arguments)})
    tables.run(context, arguments)


def _with_tables(context: JobContext, arguments: Arguments) -> list[str]:
    """Return the named feeds that have tables now: one without a record has none."""
    known = context.layout.feeds()
    named = [resolve(str(name), context.feeds).feed.name for name in arguments.get("feeds", ())]
    return [name for name in named or known if name in known]
