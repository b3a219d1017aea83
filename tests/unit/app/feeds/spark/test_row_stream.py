"""The rows of a query reach a replay as blocks of records."""

from __future__ import annotations

import io
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from liven.app.feeds.spark.row_stream import RowStream, records_query
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.replay.source.row_frames import RowFrames
from liven.liveobjects.feeds.replay.source.spark_rows import SparkRows
from liven.liveobjects.feeds.segment.block_format import MOST_ROWS


def read_back(folder: Path, data: bytes) -> list[tuple[int, Record]]:
    """Return the records in a stream, as a replay reads them."""
    (folder / "rows").write_bytes(data)
    copy = "import sys; sys.stdout.buffer.write(open(sys.argv[1], 'rb').read())"
    source = SparkRows([sys.executable, "-c", copy, str(folder / "rows")])
    for thread in source._threads:
        thread.join(60)
    assert source.failure is None
    found = [(event.sequence, event.record) for rows in source.rows(0, source.end) for event in rows.events()]
    source.close()
    return found


def test_rows_of_a_query_become_records_in_its_order(tmp_path: Path) -> None:
    stream = io.BytesIO()
    rows = RowStream(stream)
    rows.show({"event": "columns", "columns": []})
    rows.show({"event": "rows", "rows": [[2_000, 1_500, "plane", "air", "ann", "t", -1, 3, "c0ff"]]})
    rows.show({"event": "rows", "rows": [[1_000, None, None, None, None, None, None, None, None]]})
    assert read_back(tmp_path, stream.getvalue()) == [
        (0, Record(2_000, 1_500, "plane", "air", "ann", "t", 2**64 - 1, 3, b"\xc0\xff")),
        (1, Record(1_000, 1_000, "", "", "", "", 0, 0, b"")),
    ]


def test_times_are_asked_for_as_numbers() -> None:
    query = records_query(" select * from records order by sequence;\n")
    assert "unix_micros(received) as received" in query
    assert query.endswith("from (select * from records order by sequence)")


def test_many_rows_and_long_ones_are_split_into_blocks(tmp_path: Path) -> None:
    at = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp()) * 1_000_000
    short = [Record(at + n, at, "o", "c", "a", "t", n, 0, b"x") for n in range(MOST_ROWS + 5)]
    long = [Record(at, at, "o", "c", "a", "t", n, 0, bytes(700_000)) for n in range(4)]
    stream = io.BytesIO()
    frames = RowFrames(stream)
    frames.write(short)
    frames.write(long)
    frames.write([])
    assert frames.rows == len(short) + 4
    assert read_back(tmp_path, stream.getvalue()) == list(enumerate([*short, *long]))


def test_reader_that_went_away_is_told(tmp_path: Path) -> None:
    class Closed(io.BytesIO):
        def writelines(self, lines: object) -> None:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        RowFrames(Closed()).write([Record(1, 1, "", "", "", "", 0, 0, b"")])
