"""Batches of which no record can be a duplicate: workers write the files of tables themselves.

Spark gives each task a stretch of the log. Its worker decodes it and writes the files, in one pass for all
tables and the quarantine; only their names come back. That is several times as fast as rows that pass through
Java to Spark's own writer. A file of a task that was killed or done twice has a name that nobody returns, so
no commit has it."""

from __future__ import annotations

import json
from functools import partial

from liven.liveobjects.feeds.spark.data_source.batch_reader import default_partitions
from liven.liveobjects.feeds.spark.data_source.ranges import split
from liven.liveobjects.feeds.spark.jobs.batches.batch import Batch, Draft, demand_rows
from liven.liveobjects.feeds.spark.jobs.job import JobContext
from liven.liveobjects.feeds.spark.jobs.worker_tasks import results_of
from liven.liveobjects.feeds.table.commits.staged_files import adopt_files
from liven.liveobjects.feeds.table.files.stretch import Work, Written, task_result
from liven.liveobjects.feeds.table.survey import Survey
from liven.liveobjects.feeds.table.typed_tables import Plan


def direct_draft(context: JobContext, feed: str, batch: Batch, found: Survey, plan: Plan) -> Draft:
    """Return the files of a batch, moved into their tables; raise LostRowsError, and what Spark raises."""
    if not found.rows:
        return Draft()
    folder = context.layout.draft()
    unknown = frozenset(plan.unknown)
    work = Work(batch.log.folder, batch.recorder, plan.tables, unknown, folder, batch.choice)
    partitions = context.session.partitions or default_partitions()
    stretches = [(one.low, one.high) for one in split({batch.recorder: (found.low, found.high)}, partitions)]
    results = results_of(context.session, partial(task_result, work, stretches), len(stretches))
    written = [Written.of(json.loads(text)) for text in results]
    files = adopt_files(
        context.layout, feed, folder, batch.prefix, [file for one in written for file in one.files]
    )
    demand_rows(context.layout.root, found.rows, files)
    return Draft(files, read=found.rows, undecodable=sum(one.undecodable for one in written))
