"""A log of 10^8 records: only heads are read, and memory stays small.

Its files are sparse: the heads and the indexes are real, and so is the one block that is read.
"""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment import segment_files as files
from liven.liveobjects.feeds.segment.block import pack_block
from liven.liveobjects.feeds.segment.block_format import (
    HEAD_SIZE,
    MOST_ROWS,
    RECORDS,
    Head,
    pack_head,
    parse_head,
)
from liven.liveobjects.feeds.segment.durable_mark import MarkFile
from liven.liveobjects.feeds.segment.file_index import pack_index
from liven.liveobjects.feeds.segment.pending_block import PendingBlock
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.segment_files import Placed, segment_name, write_at
from liven.liveobjects.feeds.segment.writer import LogWriter

Make = Callable[..., Record]
LOG = 7
BODY = 1 << 20
BLOCKS_A_FILE = 218
BLOCKS = 100_000_000 // MOST_ROWS + 1
END = BLOCKS * MOST_ROWS
NOON = 1_700_000_000_000_000
"""Records are received one each microsecond."""
REAL = 9_000
"""The block that is real."""


def real_block(make: Make) -> tuple[list[Record], list[bytes | bytearray | memoryview]]:
    first = REAL * MOST_ROWS
    records = [make(number)._replace(received=NOON + first + number) for number in range(MOST_ROWS)]
    pending = PendingBlock()
    pending.extend(records, sum(len(record.payload) for record in records))
    return records, pack_block(pending.block(first), LOG)


def write_sparse_log(folder: Path, pieces: list[bytes | bytearray | memoryview]) -> None:
    folder.mkdir()
    for start in range(0, BLOCKS, BLOCKS_A_FILE):
        placed: list[Placed] = []
        path = folder / segment_name(start * MOST_ROWS)
        fd = os.open(path, os.O_CREAT | os.O_RDWR)
        at = 0
        for number in range(start, min(start + BLOCKS_A_FILE, BLOCKS)):
            first = number * MOST_ROWS
            head: Head | None = Head(
                RECORDS, MOST_ROWS, BODY, 0, first, NOON + first, NOON + first + MOST_ROWS - 1, LOG
            )
            if number == REAL:
                head = parse_head(bytes(pieces[0]))
                write_at(fd, pieces, at, path)
            else:
                assert head is not None
                os.pwrite(fd, pack_head(head), at)
            assert head is not None
            placed.append(Placed(at, head))
            at += head.size
        write_at(fd, pack_index(placed, placed[-1].head.end, at, LOG), at, path)
        os.close(fd)
    mark = MarkFile(folder, LOG)
    mark.write(END)
    mark.close()


@pytest.fixture
def large(tmp_path: Path, make: Make) -> tuple[Path, list[Record]]:
    records, pieces = real_block(make)
    write_sparse_log(tmp_path / "large", pieces)
    return tmp_path / "large", records


@pytest.mark.slow
def test_a_log_of_a_hundred_million_records_is_searched_by_heads(
    large: tuple[Path, list[Record]], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, records = large
    assert END >= 100_000_000
    read = 0
    before = files.read_at

    def counted(fd: int, size: int, offset: int) -> bytes:
        nonlocal read
        read += size
        return before(fd, size, offset)

    monkeypatch.setattr("liven.liveobjects.feeds.segment.file_index.read_at", counted)
    tracemalloc.start()
    log = Log(folder)
    wanted = REAL * MOST_ROWS + 4321
    assert (log.begin, log.end) == (0, END)
    assert log.record(wanted) == records[4321]
    assert log.sequence_at(NOON + wanted) == wanted
    assert log.latest == NOON + END - 1
    assert [record for _, record in log.records(wanted, wanted + 5)] == records[4321:4326]
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    indexes = BLOCKS * 40
    assert read < indexes + 5 * (BODY + HEAD_SIZE)
    assert peak < 40 << 20
    with LogWriter(folder) as writer:
        assert writer.end == END
        writer.append(records[0])
    assert Log(folder).record(END) == records[0]
