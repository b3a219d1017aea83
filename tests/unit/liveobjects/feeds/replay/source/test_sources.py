"""All sources give the same records in the same way, wherever they lie."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.unit.liveobjects.feeds.replay.recordings import SECOND, START, numbered, record, written

from liven.liveobjects.feeds.errors import DamagedError
from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.rows import Event, rows_of
from liven.liveobjects.feeds.replay.source.event_list import EventList
from liven.liveobjects.feeds.replay.source.parquet_files import ParquetFiles
from liven.liveobjects.feeds.replay.source.segment_log import SegmentLog
from liven.liveobjects.feeds.replay.source.source import BATCH, Source
from liven.liveobjects.feeds.replay.source.spark_rows import SparkRows
from liven.liveobjects.feeds.segment.arrow import SCHEMA, record_batch
from liven.liveobjects.feeds.segment.reader import Log

COUNT = 300
PRODUCER = """
import sys
from pathlib import Path
from liven.liveobjects.feeds.segment.block import pack_block
from liven.liveobjects.feeds.segment.reader import Log

log = Log(Path(sys.argv[1]))
for block in log.blocks():
    for piece in pack_block(block, 1):
        sys.stdout.buffer.write(piece)
sys.stdout.buffer.flush()
"""
"""A program that writes the records of a log to its standard output, as a query of Spark does."""


def recorded() -> list[Event]:
    """Return records whose clock is set back once."""
    random = Random(5)
    records = []
    for number in range(COUNT):
        at = number / 10 - (4.0 if number >= 200 else 0.0)
        name = random.choice(["plane", "note"])
        flags = int(number % 60 == 0)
        records.append(
            record(
                at,
                [number, "x" * (number % 50)],
                object=name,
                author=name[:1],
                flags=flags,
                serial=2**63 + number,
            )
        )
    return numbered(records)


EVENTS = recorded()


def in_segments(folder: Path) -> Source:
    return SegmentLog(Log(written(folder / "f" / "r", [event.record for event in EVENTS], 17)))


def in_memory(_: Path) -> Source:
    return EventList(EVENTS, batch=13)


def table(folder: Path) -> pa.Table:
    log = Log(written(folder / "f" / "r", [event.record for event in EVENTS], 17))
    return pa.Table.from_batches([record_batch(block) for block in log.blocks()], SCHEMA)


def in_one_file(folder: Path) -> Source:
    pq.write_table(table(folder), folder / "one.parquet", row_group_size=40)
    return ParquetFiles.below(folder / "one.parquet")


def in_shuffled_files(folder: Path) -> Source:
    """Write files as partitions have them: rows of one moment lie in several, in any order."""
    whole = table(folder)
    order = np.arange(COUNT)
    Random(3).shuffle(order)  # type: ignore[arg-type]
    (folder / "day=1").mkdir()
    for number in range(4):
        part = whole.take(order[number::4])
        pq.write_table(part, folder / "day=1" / f"{number}.parquet", row_group_size=30)
    return ParquetFiles.below(folder)


def from_a_program(folder: Path) -> Source:
    log = written(folder / "f" / "r", [event.record for event in EVENTS], 17)
    script = folder / "producer.py"
    script.write_text(PRODUCER)
    source = SparkRows([sys.executable, str(script), str(log)])
    wait_for(source)
    return source


def wait_for(source: SparkRows) -> None:
    """Wait until a program has ended."""
    source._program.wait(60)
    for thread in source._threads:
        thread.join(60)
    assert source.complete


SOURCES = [in_memory, in_segments, in_one_file, in_shuffled_files, from_a_program]


@pytest.fixture(params=SOURCES, ids=lambda make: make.__name__)
def source(request: Any, tmp_path: Path) -> Iterator[Source]:
    make: Callable[[Path], Source] = request.param
    made = make(tmp_path)
    yield made
    made.close()


def all_of(found: Iterator[Any]) -> list[Event]:
    return [event for rows in found for event in rows.events()]


def test_records_come_in_order_with_all_their_fields(source: Source) -> None:
    assert (source.begin, source.end, source.complete, source.failure) == (0, COUNT, True, None)
    assert all_of(source.rows(0, COUNT)) == EVENTS
    assert all(len(rows) <= BATCH for rows in source.rows(0, COUNT))


def test_span_is_that_of_the_earliest_and_the_latest_record(source: Source) -> None:
    times = [event.record.received for event in EVENTS]
    assert source.span == (min(times), max(times))


def test_any_part_is_read_alone(source: Source) -> None:
    random = Random(9)
    for _ in range(25):
        first, end = sorted((random.randrange(COUNT + 1), random.randrange(COUNT + 1)))
        assert all_of(source.rows(first, end)) == EVENTS[first:end]
        back = [rows.events() for rows in source.rows_back(first, end)]
        assert [event for events in reversed(back) for event in events] == EVENTS[first:end]


def test_moment_leads_to_the_first_record_received_then_or_later(source: Source) -> None:
    for at in (-1.0, 0.0, 7.35, 19.9, 20.0, 25.9, 26.0, 99.0):
        time = START + round(at * SECOND)
        expected = next((each.sequence for each in EVENTS if each.record.received >= time), COUNT)
        assert source.sequence_at(time) == expected


def test_places_outside_are_empty(source: Source) -> None:
    assert all_of(source.rows(COUNT, COUNT + 50)) == []
    assert all_of(source.rows(50, 50)) == []


def test_rows_survive_being_made_of_events() -> None:
    assert rows_of(EVENTS).events() == EVENTS
    assert rows_of([]).events() == []


def test_damaged_part_of_a_log_is_left_out_and_told_once(tmp_path: Path) -> None:
    log = written(tmp_path / "f" / "r", [event.record for event in EVENTS], 17)
    (segment,) = log.glob("*.seg")
    data = bytearray(segment.read_bytes())
    data[len(data) // 2] ^= 0xFF
    segment.write_bytes(data)
    told: list[DamagedError] = []
    source = SegmentLog(Log(log), told.append)
    for _ in range(2):
        found = all_of(source.rows(0, COUNT))
    assert len(told) == 1
    missing = range(told[0].first, told[0].end)
    assert found == [event for event in EVENTS if event.sequence not in missing]


def test_folder_without_parquet_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match="no Parquet files"):
        ParquetFiles.below(tmp_path)


def test_other_columns_and_other_files_are_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": [1]}), tmp_path / "x.parquet")
    with pytest.raises(ReplayError, match="it has no column"):
        ParquetFiles.below(tmp_path)
    (tmp_path / "x.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(ReplayError, match="no Parquet file that can be read"):
        ParquetFiles.below(tmp_path)


def test_columns_that_a_query_left_out_are_empty(tmp_path: Path) -> None:
    whole = table(tmp_path).select(["sequence", "received", "channel", "type", "payload"])
    pq.write_table(whole, tmp_path / "few.parquet")
    (first, *_) = all_of(ParquetFiles.below(tmp_path / "few.parquet").rows(0, 5))
    assert first.record.payload == EVENTS[0].record.payload
    assert (first.record.object, first.record.author, first.record.serial, first.record.flags) == (
        "",
        "",
        0,
        0,
    )
    assert first.record.sent == first.record.received


def program(folder: Path, text: str) -> SparkRows:
    script = folder / "rows.py"
    script.write_text(text)
    return SparkRows([sys.executable, str(script)])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("import sys; sys.exit('no such table: plane')", "exit code 1: no such table: plane"),
        ("print('sequence, received')" + "\nprint('x' * 500)", "did not write blocks of records"),
        ("import sys; sys.stdout.write('abc')", "end in the middle of a block"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "exit code -9"),
    ],
)
def test_program_that_fails_is_told_with_its_last_words(tmp_path: Path, text: str, why: str) -> None:
    source = program(tmp_path, text)
    wait_for(source)
    assert why in str(source.failure)
    source.close()


def test_program_that_does_not_exist_is_told(tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match="the query cannot be started"):
        SparkRows([str(tmp_path / "nothing")])


def test_program_that_goes_on_for_ever_is_ended(tmp_path: Path) -> None:
    source = program(tmp_path, "import time\ntime.sleep(600)")
    assert not source.complete
    source.close()
    assert source._program.poll() is not None


def test_program_is_read_no_further_than_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that writes for ever waits for the replay, and the replay gets everything in order."""
    monkeypatch.setattr("liven.liveobjects.feeds.replay.source.spark_rows.AHEAD", 20_000)
    log = written(tmp_path / "f" / "r", [record(at, "y" * 100) for at in range(2000)], 50)
    script = tmp_path / "producer.py"
    script.write_text(PRODUCER)
    with ExitStack() as ends:
        come = threading.Event()
        source = SparkRows([sys.executable, str(script), str(log)], come.set)
        ends.callback(source.close)
        got = 0
        while got < 2000:
            assert come.wait(60)
            come.clear()
            assert source._size - source._played < 20_000 + 10_000
            got += len(all_of(source.rows(got, source.end)))
        wait_for(source)
    assert got == 2000


def test_a_small_file_that_stands_for_gigabytes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("liven.liveobjects.feeds.replay.source.parquet_files._MEMORY_MOST", 50_000_000)
    rows = 3000
    columns = dict(table(tmp_path).slice(0, 1).take([0] * rows).to_pydict())
    columns["sequence"] = list(range(rows))
    columns["payload"] = pa.DictionaryArray.from_arrays(
        pa.array([0] * rows, pa.int32()), pa.array([b"x" * 1_000_000], pa.binary())
    )
    path = tmp_path / "small.parquet"
    pq.write_table(pa.table(columns), path, compression="zstd")
    assert path.stat().st_size < 100_000
    source = ParquetFiles.below(path)
    with pytest.raises(ReplayError, match=r"rows 0 to 2999 take more than 50 MB .*`liven feeds import`"):
        next(source.rows(0, 1))
