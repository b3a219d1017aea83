"""Writing rows back into a log: each batch once, whatever ends in between."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import pyarrow as pa
import pytest

pytest.importorskip("pyspark")

from pyspark.sql.datasource import WriterCommitMessage

from liven.liveobjects.feeds.errors import LockedError
from liven.liveobjects.feeds.segment import large_payloads
from liven.liveobjects.feeds.segment.durable_mark import MarkFile
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.liveobjects.feeds.spark.data_source import segment_writer as module
from liven.liveobjects.feeds.spark.data_source.options import BadOptionError
from liven.liveobjects.feeds.spark.data_source.segment_writer import (
    OtherQueryError,
    Part,
    SegmentWriter,
)
from liven.liveobjects.feeds.spark.data_source.source import LivenSource
from liven.liveobjects.feeds.table.arrow_blocks import TIME


def batch(numbers: Iterable[int], payload: bytes = b"") -> pa.RecordBatch:
    chosen = list(numbers)
    return pa.RecordBatch.from_pydict(
        {
            "received": pa.array(chosen, TIME),
            "object": [f"o{number}" for number in chosen],
            "type": ["bytes"] * len(chosen),
            "payload": pa.array([payload or b"%d" % number for number in chosen], pa.binary()),
        }
    )


def part(writer: SegmentWriter, number: int, *batches: pa.RecordBatch, query: str = "q") -> Part:
    """Write a task's rows and give them a partition and a query: outside of Spark, no task has them."""
    made = writer.write(iter(batches))
    assert isinstance(made, Part)
    return Part(number, made.rows, made.name, query)


def received(folder: Path) -> list[tuple[int, int]]:
    return [(sequence, record.received) for sequence, record in Log(folder).records()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "copy" / "spark"


@pytest.fixture
def writer(folder: Path) -> SegmentWriter:
    return SegmentWriter(folder, "spark")


def test_parts_come_in_the_order_of_partitions(writer: SegmentWriter, folder: Path) -> None:
    parts = [part(writer, 1, batch([3, 4])), part(writer, 0, batch([1]), batch([2])), part(writer, 2)]
    writer.commit([*parts, None], 0)
    assert received(folder) == [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert [path.name for path in (folder / "batches").iterdir()] == ["spark.json"]


def test_a_batch_that_is_there_is_not_written_again(writer: SegmentWriter, folder: Path) -> None:
    writer.commit([part(writer, 0, batch([1, 2]))], 0)
    writer.commit([part(writer, 0, batch([2, 1]))], 0)
    writer.commit([part(writer, 0, batch([3]))], 1)
    writer.commit([part(writer, 0)], 2)
    writer.commit([part(writer, 0, batch([3]))], 1)
    assert received(folder) == [(0, 1), (1, 2), (2, 3)]


def test_another_query_with_the_name_of_a_writer_is_refused(writer: SegmentWriter, folder: Path) -> None:
    """It counts its batches from 0, as does a query whose checkpoint was deleted: they would be taken for
    those that are there, and be lost."""
    for number in range(3):
        writer.commit([part(writer, 0, batch([number]), query="one")], number)
    other = SegmentWriter(folder, "spark")
    for number in (0, 3):
        with pytest.raises(OtherQueryError, match=r"spark\.json: .* option `writer`.* checkpoint .* deleted"):
            other.commit([part(other, 0, batch([70 + number]), query="two")], number)
    own = SegmentWriter(folder, "own")
    own.commit([part(own, 0, batch([9]), query="two")], 0)
    writer.commit([part(writer, 0, batch([3]), query="one")], 3)
    assert [at for _, at in received(folder)] == [0, 1, 2, 9, 3]
    assert sorted(path.name for path in (folder / "batches").iterdir()) == ["own.json", "spark.json"]


def test_a_query_goes_on_after_a_note_without_one(writer: SegmentWriter, folder: Path) -> None:
    writer.commit([part(writer, 0, batch([1]))], 0)
    note = folder / "batches" / "spark.json"
    note.write_text(json.dumps({"batch": 0, "first": 0, "rows": 1}))
    writer.commit([part(writer, 0, batch([1]))], 0)
    writer.commit([part(writer, 0, batch([2]))], 1)
    assert [at for _, at in received(folder)] == [1, 2]
    assert json.loads(note.read_text())["query"] == "q"


def test_a_batch_without_tasks_changes_nothing(writer: SegmentWriter, folder: Path) -> None:
    writer.commit([part(writer, 0, batch([1]))], 0)
    writer.commit([], 1)
    writer.commit([part(writer, 0, batch([2]))], 1)
    assert [at for _, at in received(folder)] == [1, 2]


def test_rows_follow_those_of_an_existing_log(
    writer: SegmentWriter, folder: Path, write: Callable[[Path, Iterable[int]], Path]
) -> None:
    write(folder, range(10))
    writer.commit([part(writer, 0, batch([7]))], 5)
    assert [sequence for sequence, _ in received(folder)] == list(range(11))
    with LogWriter(folder) as log:
        assert log.end == 11


def test_long_payloads_lie_beside_the_log(writer: SegmentWriter, folder: Path) -> None:
    long = b"x" * 300_000
    writer.commit([part(writer, 0, batch([1], long), batch([2]))], 0)
    assert Log(folder).record(0).payload == long
    assert large_payloads.sequences(folder) == [0]


STEPS = ("_draft", "_move_payloads", "rename", "sync_folder", "mark", "rmtree")


@pytest.mark.parametrize("step", STEPS)
def test_a_commit_that_ends_anywhere_is_repeated_once(
    step: str, writer: SegmentWriter, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer.commit([part(writer, 0, batch([1, 2]))], 0)
    parts: list[WriterCommitMessage | None] = [part(writer, 0, batch([3, 4]))]

    class PowerCutError(Exception):
        pass

    def cut(*_words: object, **_more: object) -> None:
        raise PowerCutError

    with monkeypatch.context() as patch:
        if step.startswith("_"):
            patch.setattr(SegmentWriter, step, cut)
        elif step == "rename":
            patch.setattr(Path, "rename", cut)
        elif step == "mark":
            patch.setattr(MarkFile, "write", cut)
        elif step == "rmtree":
            patch.setattr(shutil, "rmtree", cut)
        else:
            patch.setattr(module, step, cut)
        with pytest.raises(PowerCutError):
            writer.commit(parts, 1)
    again = SegmentWriter(folder, "spark")
    again.commit([part(again, 0, batch([4, 3]))], 1)  # another order: tasks run anew promise none
    found = [at for _, at in received(folder)]
    assert found[:2] == [1, 2]
    assert sorted(found[2:]) == [3, 4]


def test_nothing_of_an_aborted_batch_stays(writer: SegmentWriter, folder: Path) -> None:
    writer.abort([part(writer, 0, batch([1])), None], 0)
    assert list((folder / "batches").iterdir()) == []


def test_a_log_that_a_recorder_writes_is_refused(writer: SegmentWriter, folder: Path) -> None:
    with LogWriter(folder), pytest.raises(LockedError):
        writer.commit([part(writer, 0, batch([1]))], 0)


def test_rows_without_payloads_are_refused(writer: SegmentWriter) -> None:
    with pytest.raises(ValueError, match="missing"):
        writer.write(iter([pa.RecordBatch.from_pydict({"x": [1]})]))


def test_options_of_a_writer_are_checked(folder: Path) -> None:
    from pyspark.sql.types import StructType

    for options in ({}, {"path": str(folder), "writer": "../x"}):
        with pytest.raises(BadOptionError):
            LivenSource(options).writer(StructType(), overwrite=False)
    with pytest.raises(BadOptionError, match="append"):
        LivenSource({"path": str(folder)}).writer(StructType(), overwrite=True)
    assert isinstance(
        LivenSource({"path": str(folder)}).streamWriter(StructType(), overwrite=False), SegmentWriter
    )
