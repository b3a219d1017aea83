"""The data source in real queries: streams and batches into logs, conditions on sequences, a full disk."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.spark.session import Session


def stream(session: Session, source: Path, copy: Path, checkpoint: Path, most: int) -> None:
    """Copy what is in a feed, and end."""
    rows = (
        session.spark.readStream.format("liven")
        .option("path", str(source))
        .option("maxrows", str(most))
        .load()
    )
    query = (
        rows.drop("seq", "recorder")
        .writeStream.format("liven")
        .option("path", str(copy))
        .option("checkpointLocation", str(checkpoint))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()


def test_a_stream_copies_a_feed_and_goes_on_later(
    session: Session, workplace: Any, make_point: Callable[..., Record], tmp_path: Path
) -> None:
    source = workplace.record(make_point(n) for n in range(50))
    copy, checkpoint = tmp_path / "copy" / "spark", tmp_path / "checkpoint"
    stream(session, source, copy, checkpoint, 20)
    workplace.record(make_point(n) for n in range(50, 60))
    stream(session, source, copy, checkpoint, 20)
    stream(session, source, copy, checkpoint, 20)
    assert list(Log(copy).records()) == list(Log(source).records())


def test_a_stream_without_its_checkpoint_is_refused(
    session: Session, workplace: Any, make_point: Callable[..., Record], tmp_path: Path
) -> None:
    """Its batches begin with 0 again, and would be taken for those that are there."""
    from pyspark.errors import StreamingQueryException

    source = workplace.record(make_point(n) for n in range(50))
    copy, checkpoint = tmp_path / "copy" / "spark", tmp_path / "checkpoint"
    stream(session, source, copy, checkpoint, 20)
    shutil.rmtree(checkpoint)
    workplace.record(make_point(n) for n in range(50, 60))
    with pytest.raises(StreamingQueryException, match="the checkpoint of the query was deleted"):
        stream(session, source, copy, checkpoint, 20)
    assert len(list(Log(copy).records())) == 50
    (copy / "batches" / "spark.json").unlink()
    stream(session, source, copy, tmp_path / "new", 60)
    assert len(list(Log(copy).records())) == 50 + 60


def test_rows_of_a_query_become_a_log(
    session: Session, workplace: Any, make_point: Callable[..., Record], tmp_path: Path
) -> None:
    source = workplace.record(make_point(n) for n in range(40))
    rows = session.spark.read.format("liven").option("path", str(source)).load().where("seq % 2 = 1")
    copy = str(tmp_path / "copy" / "spark")
    for _ in range(2):
        rows.drop("seq", "recorder").write.format("liven").mode("append").option("path", copy).save()
    records = [record for _, record in Log(Path(copy)).records()]
    assert records == [make_point(n) for n in range(1, 40, 2)] * 2


def test_conditions_reach_the_source(
    session: Session, workplace: Any, make_point: Callable[..., Record]
) -> None:
    source = workplace.record(make_point(n) for n in range(100))
    rows = session.spark.read.format("liven").option("path", str(source)).option("pushdown", "true").load()
    found = rows.where("seq >= 95 and author = 'ann'").select("seq").collect()
    assert sorted(row.seq for row in found) == [95, 96, 97, 98, 99]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 128 kB, where this user may make one."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("making a small disk needs root")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_full_disk_is_said_and_nothing_is_committed(
    workplace: Any, make_point: Callable[..., Record], small_disk: Path
) -> None:
    from liven.liveobjects.feeds.table.commits.layout import Layout
    from liven.liveobjects.feeds.table.commits.manifest import Manifest

    workplace.record(make_point(n) for n in range(20))
    whole = workplace.context.layout
    workplace.context.layout = Layout(small_disk / "tables")
    workplace.ingest()
    workplace.record(make_point(n) for n in range(20, 60_000))
    manifest = Manifest(workplace.context.layout, "f")
    before = manifest.state()
    with pytest.raises(OSError, match="No space left"):
        workplace.ingest(first_rows=60_000)
    assert manifest.state() == before
    workplace.context.layout = whole
    workplace.ingest(first_rows=60_000)
    state = Manifest(whole, "f").state()
    assert sum(file.rows for file in state.files.values()) == 60_000
