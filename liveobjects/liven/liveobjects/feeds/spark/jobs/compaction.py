"""Compaction: many small files of a day become few large ones, sorted by object and sequence, in one commit.

Readers that have the old names go on: the files stay for a day. A day that got late rows comes first.
"""

from __future__ import annotations

import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from liven.liveobjects.feeds.spark.jobs.attempts import attempted
from liven.liveobjects.feeds.spark.jobs.job import Arguments, JobContext, JobError
from liven.liveobjects.feeds.spark.jobs.views import file_frame
from liven.liveobjects.feeds.table.commits.commit import Commit, DataFile
from liven.liveobjects.feeds.table.commits.manifest import Manifest, State
from liven.liveobjects.feeds.table.commits.staged_files import Staging, delete_staging

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NAME: Final = "compact"
LEAST_FILES: Final = 4
"""A day with fewer files is left as it is."""
FILE_BYTES: Final = 256 << 20
ORDER: Final = ("object", "seq")


def run(context: JobContext, arguments: Arguments) -> None:
    """Compact the feeds named in `feeds`, or all; `least_files` replaces the default."""
    delete_staging(context.layout)
    least = int(arguments.get("least_files") or LEAST_FILES)
    known = context.layout.feeds()
    for name in [str(name) for name in arguments.get("feeds", ())] or known:
        feed = Path(name).name if Path(name).is_absolute() else name
        if feed not in known:
            raise JobError(f"{feed}: it has no tables yet; run `liven feeds ingest {feed}` first")
        _compact(context, feed, least)


def sorted_files(rows: DataFrame, files: int) -> DataFrame:
    """Return the rows in about this many parts, each sorted by object and sequence."""
    parts = rows.coalesce(1) if files == 1 else rows.repartitionByRange(files, *ORDER)
    return parts.sortWithinPartitions(*ORDER)


def _compact(context: JobContext, feed: str, least: int) -> None:
    manifest = Manifest(context.layout, feed)
    state = manifest.state()
    groups = _groups(state, least)
    total = sum(file.rows for files in groups.values() for file in files)
    context.tell("plan", feed=feed, rows=total, number=state.number + 1)
    done = 0
    begun = time.monotonic()
    for (table, day), files in groups.items():

        def step(files: list[DataFile] = files, table: str = table, day: str = day) -> None:
            nonlocal state
            state = _replace(context, manifest, state, table, day, files)

        attempted(context, step)
        rows = sum(file.rows for file in files)
        done += rows
        context.tell("batch", feed=feed, table=table, day=day, rows=rows, done=done, total=total)
    context.tell("done", feed=feed, rows=done, seconds=round(time.monotonic() - begun, 3))


def _groups(state: State, least: int) -> dict[tuple[str, str], list[DataFile]]:
    """Return the files of each table and day that are worth compacting, days with late rows first."""
    found: dict[tuple[str, str], list[DataFile]] = defaultdict(list)
    for file in state.files.values():
        found[file.table, file.day].append(file)
    worth = {
        key: files for key, files in found.items() if len(files) >= (2 if key[1] in state.late else least)
    }
    return dict(sorted(worth.items(), key=lambda item: (item[0][1] not in state.late, item[0])))


def _replace(
    context: JobContext, manifest: Manifest, state: State, table: str, day: str, files: list[DataFile]
) -> State:
    """Write a day anew, commit that, and return the sum; raise JobError and change nothing if rows are
    missing."""
    schema = state.schemas[table]
    rows = file_frame(context.session.spark, context.layout, files, schema.ddl).drop("feed", "day")
    parts = max(1, round(sum(file.size for file in files) / FILE_BYTES))
    staging = Staging.make(context.layout, table, manifest.feed)
    sorted_files(rows, parts).write.parquet(str(staging.folder))
    made = staging.adopt(f"{state.number + 1:08d}-compact-{staging.folder.name[-8:]}", day)
    before, after = sum(file.rows for file in files), sum(file.rows for file in made)
    if before != after:
        raise JobError(
            f"{table}, {day}: {before} rows became {after}; nothing was changed. Please report this"
        )
    commit = Commit(
        number=state.number + 1,
        job=NAME,
        at=time.time_ns() // 1000,
        add=tuple(made),
        remove=tuple(file.path for file in files),
        settled=(day,),
    )
    return manifest.commit(state, commit)
