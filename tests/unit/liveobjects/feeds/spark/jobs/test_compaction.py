"""Compaction on a real session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow.parquet as pq
import pytest

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.spark.jobs import compaction
from liven.liveobjects.feeds.spark.jobs.job import JobError
from liven.liveobjects.feeds.table.commits.manifest import Manifest

DAY = 86_400_000_000


def test_small_files_become_one_sorted_by_object(workplace: Any, make_point: Callable[..., Record]) -> None:
    workplace.record(make_point(n) for n in range(90))
    workplace.ingest(first_rows=10, most_rows=10)
    manifest = Manifest(workplace.layout, "f")
    before = manifest.state()
    compaction.run(workplace.context, {"feeds": ["f"]})
    after = manifest.state()
    (file,) = after.files.values()
    assert set(after.removed) == set(before.files)
    assert after.ends == before.ends
    rows = pq.ParquetFile(workplace.layout.root / file.path).read().to_pylist()
    assert [(row["object"], row["seq"]) for row in rows] == sorted((f"o{n % 3}", n) for n in range(90))
    assert all((workplace.layout.root / path).exists() for path in after.removed)
    workplace.record(make_point(n) for n in range(90, 95))
    workplace.ingest()
    assert workplace.sql("select count(distinct seq), count(*) from records") == [[95, 95]]
    assert manifest.state().rows_of(file.table) == 95


def test_a_day_with_few_files_is_left_alone_unless_rows_came_late(
    workplace: Any, make_point: Callable[..., Record]
) -> None:
    at = make_point(0).received
    workplace.record(make_point(n, received=at + n % 2 * DAY) for n in range(6))
    workplace.ingest()
    workplace.record(make_point(n, received=at + n % 2 * DAY) for n in range(6, 12))
    workplace.ingest()
    manifest = Manifest(workplace.layout, "f")
    (late,) = manifest.state().late
    compaction.run(workplace.context, {})
    counts = dict.fromkeys({file.day for file in manifest.state().files.values()}, 0)
    for file in manifest.state().files.values():
        counts[file.day] += 1
    assert counts.pop(late) == 1
    assert set(counts.values()) == {2}
    assert manifest.state().late == set()


def test_a_feed_without_tables_is_said(workplace: Any) -> None:
    with pytest.raises(JobError, match="liven feeds ingest board"):
        compaction.run(workplace.context, {"feeds": ["board"]})
