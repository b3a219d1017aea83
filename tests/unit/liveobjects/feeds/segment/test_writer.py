"""Appending: what comes back, what is refused, and a disk that is full in the middle."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from liven.liveobjects.feeds.errors import BadRecordError, LockedError
from liven.liveobjects.feeds.record import ASIDE, Record
from liven.liveobjects.feeds.segment.block_format import LONG_PAYLOAD, MOST_BYTES, MOST_ROWS
from liven.liveobjects.feeds.segment.durable_mark import read_mark
from liven.liveobjects.feeds.segment.pending_block import PendingBlock
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.segment_files import segment_files
from liven.liveobjects.feeds.segment.writer import SYNC_WITHIN, LogWriter

Make = Callable[..., Record]


def test_records_come_back_in_order_with_dense_sequences(folder: Path, make: Make) -> None:
    given = [make(number) for number in range(100)]
    with LogWriter(folder) as writer:
        writer.extend(given[:40])
        for record in given[40:]:
            writer.append(record)
        assert writer.end == 100
    assert list(Log(folder).records()) == list(enumerate(given))


def test_a_batch_larger_than_a_block_is_split(folder: Path, make: Make) -> None:
    given = [make(number) for number in range(2 * MOST_ROWS + 5)]
    with LogWriter(folder) as writer:
        writer.extend(iter(given))
    blocks = list(Log(folder).blocks())
    assert [len(block) for block in blocks] == [MOST_ROWS, MOST_ROWS, 5]
    assert [record for block in blocks for record in block.records()] == given


def test_a_block_ends_when_its_payloads_are_large(folder: Path, make: Make) -> None:
    given = [make(number, bytes(LONG_PAYLOAD)) for number in range(10)]
    with LogWriter(folder) as writer:
        writer.extend(given)
    assert max(block.size for block in Log(folder).blocks()) == MOST_BYTES


def test_nothing_is_readable_before_it_is_on_the_disk(folder: Path, make: Make) -> None:
    with LogWriter(folder) as writer:
        writer.append(make(0))
        writer.flush()
        assert Log(folder).end == 0
        assert list(Log(folder).records()) == []
        writer.sync()
        assert [sequence for sequence, _ in Log(folder).records()] == [0]


def test_tick_syncs_only_what_is_due(folder: Path, make: Make) -> None:
    now = [100.0]
    with LogWriter(folder, clock=lambda: now[0]) as writer:
        assert writer.due is None
        writer.append(make(0))
        assert writer.due == 100.0 + SYNC_WITHIN
        writer.tick()
        assert writer.durable == 0
        now[0] += SYNC_WITHIN
        writer.tick()
        assert writer.durable == 1
        assert writer.due is None


def test_a_second_writer_is_refused_and_told_who_writes(folder: Path) -> None:
    with LogWriter(folder), pytest.raises(LockedError, match=f"process {os.getpid()} is writing"):
        LogWriter(folder)
    LogWriter(folder).close()


def test_a_writer_goes_on_in_the_same_file(folder: Path, make: Make) -> None:
    for number in range(3):
        with LogWriter(folder) as writer:
            assert writer.end == number
            writer.append(make(number))
    assert len(segment_files(folder)) == 1
    assert [record for _, record in Log(folder).records()] == [make(number) for number in range(3)]


def test_files_rotate_by_size_and_by_blocks(folder: Path, make: Make) -> None:
    with LogWriter(folder, segment_bytes=1000) as writer:
        for number in range(20):
            writer.append(make(number))
            writer.flush()
    files = len(segment_files(folder))
    assert files > 3
    with LogWriter(folder, segment_blocks=2) as writer:
        for number in range(20, 30):
            writer.append(make(number))
            writer.flush()
    assert len(segment_files(folder)) >= files + 4
    assert [record for _, record in Log(folder).records()] == [make(number) for number in range(30)]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"received": 1 << 63}, "its received"),
        ({"sent": "noon"}, "its sent"),
        ({"serial": -1}, "its serial"),
        ({"flags": 1 << 32}, "its flags"),
        ({"object": 7}, "its object, 7, is not a text"),
        ({"author": "\ud800"}, "half a character"),
        ({"payload": "text"}, "its payload, 'text', is not bytes"),
    ],
)
def test_a_bad_record_is_named_and_nothing_of_its_batch_is_taken(
    folder: Path, make: Make, change: dict[str, object], says: str
) -> None:
    bad = make(3)._replace(**change)  # type: ignore[arg-type]
    with LogWriter(folder) as writer:
        writer.append(make(0))
        with pytest.raises(BadRecordError, match=says):
            writer.append(bad)
        with pytest.raises(BadRecordError, match=f"record 1 of 2 .*{says}"):
            writer.extend([make(1), bad])
        assert writer.end == 1
        writer.append(make(1))
    assert [record for _, record in Log(folder).records()] == [make(0), make(1)]


def test_a_tuple_of_another_width_is_refused(folder: Path) -> None:
    with LogWriter(folder) as writer, pytest.raises(BadRecordError, match="a tuple of 9 fields"):
        writer.append((1, 2, 3))  # type: ignore[arg-type]


def test_a_long_payload_lies_beside_the_segment(folder: Path, make: Make) -> None:
    long = make(1, os.urandom(LONG_PAYLOAD + 1))
    with LogWriter(folder) as writer:
        writer.extend([make(0), long, make(2)])
    assert [path.name for path in (folder / "aside").iterdir()] == [f"{1:016x}"]
    assert segment_files(folder)[0].path.stat().st_size < 2000
    assert [record for _, record in Log(folder).records()] == [make(0), long, make(2)]
    assert not Log(folder).record(1).flags & ASIDE


def test_columns_are_written_without_a_walk_and_numbered_anew(
    folder: Path, make: Make, tmp_path: Path
) -> None:
    given = [make(number, bytes([number % 256]) * (number % 300)) for number in range(5000)]
    given[70] = make(70, os.urandom(LONG_PAYLOAD + 5))
    with LogWriter(folder) as writer:
        writer.extend(given)
    with LogWriter(tmp_path / "copy") as copy:
        copy.append(make(9))
        for block in Log(folder).blocks(10):
            copy.extend_block(block)
    assert list(Log(tmp_path / "copy").records()) == list(enumerate([make(9), *given[10:]]))


@pytest.fixture
def file_limit() -> Iterator[Callable[[int], None]]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda most: resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_in_the_middle_of_a_block_loses_nothing(
    folder: Path, make: Make, file_limit: Callable[[int], None]
) -> None:
    given = [make(number, bytes(50)) for number in range(200)]
    writer = LogWriter(folder)
    writer.extend(given[:10])
    writer.sync()
    size = segment_files(folder)[0].path.stat().st_size
    for room in (0, 1, 63, 64, 65, 1000, 5000):
        writer.extend(given[writer.end : writer.end + 5])
        file_limit(size + room)
        if room < 5000:
            with pytest.raises(OSError, match="large"):
                writer.sync()
            assert segment_files(folder)[0].path.stat().st_size == size, room
            assert Log(folder).end == 10
    file_limit(resource.RLIM_INFINITY)
    writer.extend(given[writer.end :])
    writer.close()
    assert [record for _, record in Log(folder).records()] == given


def test_a_full_disk_refuses_records_when_a_block_is_full_and_takes_them_later(
    folder: Path, make: Make, file_limit: Callable[[int], None]
) -> None:
    writer = LogWriter(folder)
    writer.append(make(0))
    writer.sync()
    file_limit(segment_files(folder)[0].path.stat().st_size + 100)
    with pytest.raises(OSError, match="large"):
        writer.extend(make(number) for number in range(1, 3 * MOST_ROWS))
    taken = writer.end
    assert taken == MOST_ROWS + 1
    with pytest.raises(OSError, match="large"):
        writer.append(make(taken))
    assert writer.end == taken
    file_limit(resource.RLIM_INFINITY)
    writer.extend(make(number) for number in range(taken, 3 * MOST_ROWS))
    writer.close()
    assert [record for _, record in Log(folder).records()] == [make(n) for n in range(3 * MOST_ROWS)]


def test_a_sync_job_of_another_thread_marks_what_was_written_before(folder: Path, make: Make) -> None:
    with LogWriter(folder) as writer:
        writer.append(make(0))
        writer.flush()
        job = writer.sync_job()
        writer.append(make(1))
        writer.flush()
        job()
        mark = read_mark(folder)
        assert mark is not None
        assert mark.end == 1
        assert writer.due is not None


def test_a_failed_sync_promises_nothing_and_ends_the_writer(
    folder: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = LogWriter(folder)
    writer.append(make(0))
    writer.sync()

    def failing(_fd: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    writer.append(make(1))
    with monkeypatch.context() as patched:
        patched.setattr(os, "fdatasync", failing)
        with pytest.raises(OSError, match="open the log again to go on"):
            writer.sync()
    for attempt in (writer.sync, writer.close):
        writer.append(make(2))
        with pytest.raises(OSError, match="Input/output error while forcing records to the disk"):
            attempt()
        assert Log(folder).end == 1
    with LogWriter(folder) as again:
        assert again.end in (1, 2)


@pytest.mark.parametrize("how", ["append", "extend", "extend_block"])
def test_long_names_count_towards_a_block(folder: Path, make: Make, how: str) -> None:
    given = [make(number)._replace(object=f"{number}".zfill(1 << 20)) for number in range(70)]
    with LogWriter(folder) as writer:
        if how == "append":
            for record in given:
                writer.append(record)
        elif how == "extend":
            writer.extend(given)
        else:
            pending = PendingBlock()
            for record in given:
                pending.append(record)
            writer.extend_block(pending.block(0))
        writer.sync()
    assert [record for _, record in Log(folder).records()] == given


@pytest.mark.parametrize("name", ["object", "channel", "author", "type"])
def test_a_name_above_its_limit_is_refused_and_nothing_of_it_stays(
    folder: Path, make: Make, name: str
) -> None:
    given = {**make(1)._asdict(), name: "é" * (1 << 19) + "x"}
    bad = Record(**given)
    with LogWriter(folder) as writer:
        writer.append(make(0))
        for _ in range(2):
            with pytest.raises(BadRecordError, match=f"its {name}, .* the limit is 1"):
                writer.append(bad)
            with pytest.raises(BadRecordError, match=f"record 1 of 2 .* its {name}"):
                writer.extend([make(0), bad])
        writer.append(make(2))
    assert [record for _, record in Log(folder).records()] == [make(0), make(2)]
    assert segment_files(folder)[0].path.stat().st_size < 1000


def test_a_refused_long_payload_leaves_no_file(folder: Path, make: Make) -> None:
    long, bad = make(1, bytes(LONG_PAYLOAD + 1)), make(2)._replace(sent=1 << 70)
    with LogWriter(folder) as writer:
        writer.append(long)
        with pytest.raises(BadRecordError, match="its sent"):
            writer.extend([long, bad])
        writer.append(make(3))
    assert [path.name for path in (folder / "aside").iterdir()] == [f"{0:016x}"]
    assert [record for _, record in Log(folder).records()] == [long, make(3)]
