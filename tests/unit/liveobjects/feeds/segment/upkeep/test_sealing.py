"""Sealing: the same records in fewer blocks and files, under readers, and after an interruption."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.block_format import LONG_PAYLOAD
from liven.liveobjects.feeds.segment.file_index import load_index
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.segment_files import segment_files
from liven.liveobjects.feeds.segment.upkeep.segment_draft import SegmentDraft
from liven.liveobjects.feeds.segment.writer import LogWriter

Make = Callable[..., Record]
Write = Callable[..., list[Record]]


def records_of(folder: Path) -> list[Record]:
    return [record for _, record in Log(folder).records()]


def test_small_blocks_and_files_become_few(folder: Path, write: Write, make: Make) -> None:
    given = write(folder, 200)
    assert len(segment_files(folder)) == 17
    with LogWriter(folder) as writer:
        writer.seal()
        assert records_of(folder) == given
        writer.append(make(200))
    first, *_, last = segment_files(folder)
    assert load_index(first, None).is_sealed
    assert sum(len(load_index(file, None).blocks) for file in segment_files(folder)[:-1]) <= 4
    assert not load_index(last, None).is_sealed
    assert list(Log(folder).records()) == list(enumerate([*given, make(200)]))
    for number in range(0, 200, 7):
        assert Log(folder).record(number) == given[number]
        assert Log(folder).sequence_at(given[number].received) == number


def test_sealing_again_changes_nothing(folder: Path, write: Write) -> None:
    write(folder, 200)
    with LogWriter(folder) as writer:
        while writer.seal():
            pass
        before = [(file.path.name, file.path.stat().st_ino) for file in segment_files(folder)]
        assert writer.seal() == 0
    assert [(file.path.name, file.path.stat().st_ino) for file in segment_files(folder)] == before


def test_long_payloads_stay_beside_the_segments(folder: Path, make: Make) -> None:
    given = [make(number, os.urandom(LONG_PAYLOAD + 1) if number % 5 == 0 else None) for number in range(20)]
    with LogWriter(folder, segment_blocks=2) as writer:
        for record in given:
            writer.append(record)
            writer.flush()
        writer.sync()
        assert writer.seal() > 0
        assert records_of(folder) == given
    assert sum(file.path.stat().st_size for file in segment_files(folder)) < LONG_PAYLOAD


def test_a_reader_in_the_middle_goes_on_in_the_new_files(folder: Path, write: Write) -> None:
    given = write(folder, 200)
    with LogWriter(folder) as writer:
        for start in (0, 5, 11, 100):
            reading = Log(folder).records()
            found = [next(reading) for _ in range(start + 1)]
            writer.seal()
            found += reading
            assert found == list(enumerate(given))


def test_a_reader_with_old_heads_reads_the_new_files(folder: Path, write: Write) -> None:
    given = write(folder, 200)
    log = Log(folder)
    assert [log.record(number) for number in range(200)] == given
    with LogWriter(folder) as writer:
        writer.seal()
    assert [log.record(number) for number in range(200)] == given
    assert [record for _, record in log.records()] == given


@pytest.mark.parametrize("kept", [0, 1, 3, 7])
def test_files_that_a_merge_left_behind_are_not_read_twice(folder: Path, write: Write, kept: int) -> None:
    given = write(folder, 200)
    old = folder.with_name("old")
    shutil.copytree(folder, old)
    with LogWriter(folder) as writer:
        writer.seal()
    left = [file.path.name for file in segment_files(old) if not (folder / file.path.name).exists()]
    assert len(left) > 7
    for name in left[kept:]:  # the program was killed before it deleted these
        shutil.copy(old / name, folder / name)
    assert records_of(folder) == given
    LogWriter(folder).close()
    assert records_of(folder) == given
    assert not any((folder / name).exists() for name in left)


def test_a_full_disk_leaves_the_files_as_they_were(
    folder: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = write(folder, 200)
    before = {file.path.name: file.path.read_bytes() for file in segment_files(folder)}

    def full(*_: object, sealed: bool) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(SegmentDraft, "put", full)
    with LogWriter(folder) as writer:
        with pytest.raises(OSError, match="No space left"):
            writer.seal()
        assert {file.path.name: file.path.read_bytes() for file in segment_files(folder)} == before
        assert not [path for path in folder.iterdir() if path.name.startswith(".liven-")]
    assert records_of(folder) == given


def test_a_damaged_file_is_not_sealed(folder: Path, write: Write) -> None:
    write(folder, 200)
    file = segment_files(folder)[3]
    data = bytearray(file.path.read_bytes())
    data[100] ^= 1
    file.path.write_bytes(data)
    with LogWriter(folder) as writer:
        writer.seal()
    assert file.path.read_bytes() == data
    assert len(segment_files(folder)) < 17


def test_sealing_runs_beside_appending(folder: Path, make: Make) -> None:
    given = [make(number) for number in range(600)]
    with LogWriter(folder, segment_blocks=4) as writer:
        for start in range(0, 600, 60):
            work = Thread(target=writer.seal)
            work.start()
            for record in given[start : start + 60]:
                writer.append(record)
                writer.sync()
            work.join()
            assert records_of(folder) == given[: start + 60]
    assert len(segment_files(folder)) < 100


def test_blocks_that_are_full_are_sealed_where_they_are(folder: Path, make: Make) -> None:
    large = [make(number, bytes(1 << 18)) for number in range(9)]
    with LogWriter(folder, segment_blocks=2) as writer:
        writer.extend(large)
    files = segment_files(folder)
    assert [load_index(file, None).is_sealed for file in files] == [True, False]
    assert records_of(folder) == large
