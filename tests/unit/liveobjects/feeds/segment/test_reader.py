"""Reading: by sequence and time, beside a writer, after files were replaced or deleted, with numpy alone."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from liven.liveobjects.feeds.errors import GoneError, NoRecordError, UnknownFeedError
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.segment_files import segment_files
from liven.liveobjects.feeds.segment.writer import LogWriter

Make = Callable[..., Record]


def written(folder: Path, records: list[Record], rows: int = 7, segment: int = 1500) -> None:
    with LogWriter(folder, segment_bytes=segment) as writer:
        for at in range(0, len(records), rows):
            writer.extend(records[at : at + rows])
            writer.flush()


def test_every_range_is_read_exactly(folder: Path, make: Make) -> None:
    given = [make(number) for number in range(60)]
    written(folder, given)
    log = Log(folder)
    assert len(segment_files(folder)) > 2
    for low in range(0, 60, 3):
        for high in range(low, 61, 4):
            assert list(log.records(low, high)) == list(enumerate(given))[low:high]


def test_one_record_by_its_number(folder: Path, make: Make) -> None:
    given = [make(number) for number in range(30)]
    written(folder, given)
    assert [Log(folder).record(number) for number in range(30)] == given
    with pytest.raises(NoRecordError, match="has no record 30; it has 0 to 29"):
        Log(folder).record(30)


def test_time_finds_the_first_record_received_then_or_later(folder: Path, make: Make) -> None:
    given = [make(number) for number in range(60)]
    written(folder, given)
    log = Log(folder)
    for number, record in enumerate(given):
        assert log.sequence_at(record.received) == number
        assert log.sequence_at(record.received - 1) == number
        assert log.sequence_at(record.received + 1) == number + 1
    assert (log.earliest, log.latest) == (given[0].received, given[-1].received)


def test_time_after_the_clock_was_set_back_is_that_of_the_order_of_the_log(folder: Path, make: Make) -> None:
    times = [100, 200, 300, 50, 60, 310, 20, 400]
    given = [make(number)._replace(received=time) for number, time in enumerate(times)]
    for rows in (1, 2, 3, 8):
        place = folder / str(rows)
        written(place, given, rows, segment=500)
        log = Log(place)
        for time in range(0, 420, 5):
            wanted = next((n for n, at in enumerate(times) if at >= time), len(times))
            assert log.sequence_at(time) == wanted, (rows, time)
        assert (log.earliest, log.latest) == (20, 400)


def test_a_reader_sees_what_a_writer_adds(folder: Path, make: Make) -> None:
    with LogWriter(folder, segment_blocks=3) as writer:
        log = Log(folder)
        for number in range(20):
            assert [sequence for sequence, _ in log.records()] == list(range(number))
            writer.append(make(number))
            writer.sync()
            assert log.end == number + 1


def test_records_deleted_by_limits_are_named(folder: Path, make: Make) -> None:
    written(folder, [make(number) for number in range(60)])
    first, second, *_ = segment_files(folder)
    log = Log(folder)
    first.path.unlink()
    assert log.begin == second.first
    with pytest.raises(GoneError, match=f"records from 2 on were deleted .* begins at {second.first}"):
        list(log.records(2))
    assert next(log.records())[0] == second.first


def test_a_log_may_be_sent_to_another_process(folder: Path, make: Make) -> None:
    written(folder, [make(0)])
    log = Log(folder)
    assert log.end == 1
    again = pickle.loads(pickle.dumps(log))
    assert list(again.records()) == [(0, make(0))]


def test_an_empty_log_has_no_records_and_no_times(folder: Path) -> None:
    LogWriter(folder).close()
    log = Log(folder)
    assert (log.begin, log.end, log.earliest, log.latest) == (0, 0, None, None)
    assert list(log.blocks()) == []
    assert log.sequence_at(5) == 0


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownFeedError, match=r"nothing: there is no recording here"):
        Log(tmp_path / "nothing")


_ALONE = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"pyarrow", "pyspark", "pandas", "PySide6", "duckdb"}:
            raise ImportError(name)

sys.meta_path.insert(0, Blocked())
from pathlib import Path
from liven.liveobjects.feeds.segment.reader import Log
print(sum(len(record.payload) for _, record in Log(Path(sys.argv[1])).records()))
"""


def test_reading_needs_numpy_alone(folder: Path, make: Make) -> None:
    given = [make(number) for number in range(60)]
    written(folder, given)
    done = subprocess.run(
        [sys.executable, "-c", _ALONE, str(folder)], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) == sum(len(record.payload) for record in given)


def test_a_log_that_was_read_before_its_file_was_closed_finds_times_in_it(folder: Path, make: Make) -> None:
    with LogWriter(folder, segment_blocks=4) as writer:
        log = Log(folder)
        for number in range(10):
            writer.append(make(number))
            writer.sync()
            if number == 2:
                assert log.latest == make(2).received  # reads the heads of the file that is written
        assert [log.sequence_at(make(number).received) for number in range(10)] == list(range(10))
