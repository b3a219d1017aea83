"""Deleting by size and by age: whole files, the oldest first."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from liven.liveobjects.feeds.errors import GoneError
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.block_format import LONG_PAYLOAD
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.segment_files import segment_files
from liven.liveobjects.feeds.segment.writer import LogWriter

Make = Callable[..., Record]
Write = Callable[..., list[Record]]


def sizes(folder: Path) -> list[int]:
    return [file.path.stat().st_size for file in segment_files(folder)]


def test_the_oldest_files_beyond_a_size_are_deleted(folder: Path, write: Write) -> None:
    given = write(folder, 120)
    before = sizes(folder)
    with LogWriter(folder) as writer:
        assert writer.retain(most_bytes=sum(before[-4:])) == len(before) - 4
        assert sizes(folder) == before[-4:]
        assert writer.retain(most_bytes=sum(before[-4:])) == 0
    log = Log(folder)
    assert log.begin == segment_files(folder)[0].first
    assert list(log.records()) == list(enumerate(given))[log.begin :]


def test_files_of_old_records_are_deleted(folder: Path, write: Write) -> None:
    given = write(folder, 120)
    with LogWriter(folder) as writer:
        assert writer.retain(oldest=given[0].received) == 0
        writer.retain(oldest=given[50].received)
        assert 50 - 12 < Log(folder).begin <= 50
        writer.retain(oldest=given[-1].received + 1)
    assert len(segment_files(folder)) == 1  # the last one stays


def test_a_record_from_the_future_keeps_its_file_until_the_limit_of_size(folder: Path, make: Make) -> None:
    given = [make(number) for number in range(20)]
    given[3] = given[3]._replace(received=given[3].received + 10**15)
    with LogWriter(folder, segment_blocks=2) as writer:
        for record in given:
            writer.append(record)
            writer.flush()
        writer.sync()
        writer.retain(oldest=given[-1].received)
        assert Log(folder).begin == 2
        writer.retain(most_bytes=1)
        assert Log(folder).begin == 18


def test_payloads_of_deleted_records_are_deleted_and_count(folder: Path, make: Make) -> None:
    long = [make(number, os.urandom(LONG_PAYLOAD + 1)) for number in range(6)]
    with LogWriter(folder, segment_blocks=1) as writer:
        for record in long:
            writer.append(record)
            writer.flush()
        writer.sync()
        writer.retain(most_bytes=3 * LONG_PAYLOAD)
    assert [int(path.name, 16) for path in sorted((folder / "aside").iterdir())] == [4, 5]
    assert [record for _, record in Log(folder).records()] == long[4:]


def test_numbers_are_not_given_again_when_all_but_the_last_file_are_gone(folder: Path, make: Make) -> None:
    with LogWriter(folder) as writer:
        writer.append(make(0))
        writer.begin_file()
        writer.append(make(1))
        writer.sync()
        assert writer.retain(most_bytes=0) == 1
    with LogWriter(folder) as writer:
        assert writer.end == 2
    with pytest.raises(GoneError):
        Log(folder).record(0)
