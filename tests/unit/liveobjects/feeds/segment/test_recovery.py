"""Opening after anything: logs cut off and garbled at every byte, power cuts, files that are not ours."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from liven.liveobjects.feeds.errors import DamagedError, ForeignSegmentError, FutureVersionError
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.block_format import (
    ALIGNMENT,
    HEAD_SIZE,
    LONG_PAYLOAD,
    Head,
    pack_head,
    padding,
    parse_head,
)
from liven.liveobjects.feeds.segment.durable_mark import NAME as MARK
from liven.liveobjects.feeds.segment.durable_mark import read_mark
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.segment_files import segment_files, segment_name
from liven.liveobjects.feeds.segment.upkeep.repair import repair
from liven.liveobjects.feeds.segment.writer import LogWriter

Make = Callable[..., Record]
EVERY = pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.slow), 11])
"""Bytes from one place that is changed to the next."""
BLOCKS = (3, 1, 4)
"""Records in each block of the small logs."""
BLOCK_OF = [number for number, rows in enumerate(BLOCKS) for _ in range(rows)]
"""The block of each record."""


def small_log(folder: Path, make: Make) -> tuple[list[Record], bytes, list[int]]:
    """Write a log; return its records, the bytes of its file, and the end of each block's body."""
    given = [make(number) for number in range(sum(BLOCKS))]
    ends = []
    with LogWriter(folder) as writer:
        for rows in BLOCKS:
            writer.extend(given[writer.end : writer.end + rows])
            writer.sync()
    data = segment_files(folder)[0].path.read_bytes()
    start = 0
    for _ in BLOCKS:
        head = parse_head(data[start:])
        assert head is not None
        ends.append(start + HEAD_SIZE + head.body)
        start += head.size
    return given, data, ends


def whole_before(ends: list[int], offset: int) -> int:
    """Return how many records are in the blocks that end at a byte or before."""
    return sum(rows for rows, end in zip(BLOCKS, ends, strict=True) if end <= offset)


def records_of(folder: Path) -> list[Record]:
    return [record for _, record in Log(folder).records()]


def without_mark(folder: Path, data: bytes) -> None:
    """Leave a log as a power cut may: bytes of the file, and no durable mark."""
    (folder / MARK).unlink(missing_ok=True)
    for file in segment_files(folder):
        file.path.unlink()
    (folder / segment_name(0)).write_bytes(data)


@EVERY
def test_a_log_cut_off_at_any_byte_is_its_prefix_and_goes_on(folder: Path, make: Make, step: int) -> None:
    given, data, ends = small_log(folder, make)
    for offset in range(0, len(data), step):
        without_mark(folder, data[:offset])
        whole = whole_before(ends, offset)
        assert records_of(folder) == given[:whole], offset
        with LogWriter(folder) as writer:
            assert writer.end == whole, offset
            writer.append(make(99))
        assert records_of(folder) == [*given[:whole], make(99)], offset


@EVERY
def test_a_log_garbled_at_any_byte_keeps_every_whole_block_and_gives_no_wrong_record(
    folder: Path, make: Make, step: int
) -> None:
    """No mark says what was promised, so only what no whole block follows is cut off."""
    given, data, ends = small_log(folder, make)
    for offset in range(0, len(data), step):
        garbled = bytearray(data)
        garbled[offset] ^= 1 << (offset % 8)
        without_mark(folder, bytes(garbled))
        is_padding = _in_padding(ends, offset)  # which belongs to no record
        broken = len(BLOCKS) if is_padding else sum(1 for end in ends if end <= offset)
        whole = [n for n in range(len(given)) if is_padding or BLOCK_OF[n] != broken]
        end = whole[-1] + 1
        assert [n for n, _ in Log(folder).records(on_damage=lambda _: None)] == whole, offset
        with LogWriter(folder) as writer:
            assert writer.end == end, offset
            assert bool(writer.cut) == (broken == len(BLOCKS) - 1), offset
            writer.append(make(99))
        found = dict(Log(folder).records(on_damage=lambda _: None))
        assert found == {n: given[n] for n in whole} | {end: make(99)}, offset
        if whole != list(range(end)):
            repair(folder)
            assert dict(Log(folder).records()) == found, offset


@EVERY
def test_damage_before_the_mark_is_told_and_its_numbers_are_not_given_again(
    folder: Path, make: Make, step: int
) -> None:
    given, data, ends = small_log(folder, make)
    path = folder / segment_name(0)
    mark = (folder / MARK).read_bytes()
    for offset in range(0, len(data), step):
        for file in segment_files(folder):
            file.path.unlink()
        garbled = bytearray(data)
        garbled[offset] ^= 1 << (offset % 8)
        path.write_bytes(garbled)
        (folder / MARK).write_bytes(mark)
        with LogWriter(folder) as writer:
            assert writer.end == len(given), offset
            writer.append(make(99))
        problems: list[DamagedError] = []
        found = dict(Log(folder).records(on_damage=problems.append))
        lost = [(problem.first, problem.end) for problem in problems]
        assert found.pop(len(given)) == make(99)
        for sequence, record in found.items():
            assert record == given[sequence], offset
        missing = [n for first, end in lost for n in range(first, end)]
        assert sorted([*found, *missing]) == list(range(len(given))), offset
        if not _in_padding(ends, offset):
            assert missing, offset
            with pytest.raises(DamagedError, match="verify"):
                list(Log(folder).records())


def _in_padding(ends: list[int], offset: int) -> bool:
    """Return True if a byte is padding behind a body."""
    return any(end <= offset < end + padding(end, ALIGNMENT) for end in ends)


def test_a_power_cut_leaves_what_was_synced(folder: Path, make: Make, tmp_path: Path) -> None:
    """Bytes behind the last sync may be there, missing, or anything, in any order."""
    given = [make(number) for number in range(30)]
    writer = LogWriter(folder)
    writer.extend(given[:10])
    writer.sync()
    synced = segment_files(folder)[0].path.stat().st_size
    for number in range(10, 30):
        writer.append(given[number])
        writer.flush()
    data = segment_files(folder)[0].path.read_bytes()
    writer.close_files()
    for case in range(60):
        cut = tmp_path / str(case)
        cut.mkdir()
        rest = bytearray(data[synced:])
        start = (case * 37) % len(rest)
        if case % 3 == 0:
            del rest[start:]
        elif case % 3 == 1:
            rest[start : start + 512] = bytes(len(rest[start : start + 512]))
        else:
            rest[start : start + 512] = os.urandom(len(rest[start : start + 512]))
        (cut / segment_name(0)).write_bytes(data[:synced] + rest)
        shutil.copy(folder / MARK, cut / MARK)
        assert records_of(cut) == given[:10]
        with LogWriter(cut) as again:
            kept = again.end
        assert kept >= 10
        assert records_of(cut) == given[:kept]


def test_the_number_of_a_lost_empty_file_is_used_again(folder: Path, make: Make) -> None:
    given, _, _ = small_log(folder, make)
    (folder / segment_name(len(given))).touch()
    with LogWriter(folder) as writer:
        assert writer.end == len(given)
        writer.append(make(99))
    assert records_of(folder) == [*given, make(99)]


def test_a_deleted_or_garbled_mark_is_made_again(folder: Path, make: Make) -> None:
    given, _, _ = small_log(folder, make)
    good = (folder / MARK).read_bytes()
    for bad in (b"", good[:11], bytes(32), good[:9] + bytes([good[9] ^ 1]) + good[10:]):
        (folder / MARK).write_bytes(bad)
        assert read_mark(folder) is None
        assert records_of(folder) == given
        LogWriter(folder).close()
        assert (folder / MARK).read_bytes() == good


def test_a_segment_of_another_log_is_refused(folder: Path, make: Make, tmp_path: Path) -> None:
    small_log(folder, make)
    small_log(tmp_path / "other", make)
    shutil.copy(tmp_path / "other" / segment_name(0), folder / segment_name(8))
    shutil.copy(folder / segment_name(0), tmp_path / "kept")
    with pytest.raises(ForeignSegmentError, match=f"{segment_name(8)}: it belongs to another log; move it"):
        list(LogWriter(folder).folder.iterdir())
    with LogWriter(tmp_path / "other"):
        pass  # the refused writer left no lock and no change
    assert (folder / segment_name(0)).read_bytes() == (tmp_path / "kept").read_bytes()


def test_a_segment_of_a_later_version_is_refused_and_kept(folder: Path, make: Make) -> None:
    _, data, _ = small_log(folder, make)
    head = parse_head(data)
    assert head is not None
    later = pack_head(Head(*head[:-1], version=2)) + data[64:]
    path = folder / segment_name(0)
    path.write_bytes(later)
    with pytest.raises(
        FutureVersionError, match="format 2, which this version of Liven does not know; update"
    ):
        LogWriter(folder)
    with pytest.raises(FutureVersionError):
        list(Log(folder).records())
    assert path.read_bytes() == later


def test_files_of_payloads_that_were_never_written_are_deleted(folder: Path, make: Make) -> None:
    writer = LogWriter(folder)
    writer.append(make(0, os.urandom(LONG_PAYLOAD + 1)))
    writer.sync()
    writer.append(make(1, os.urandom(LONG_PAYLOAD + 1)))
    writer.close_files()
    assert len(list((folder / "aside").iterdir())) == 2
    LogWriter(folder).close()
    assert [path.name for path in (folder / "aside").iterdir()] == [f"{0:016x}"]


def test_a_payload_that_is_gone_is_damage_of_its_record_alone(folder: Path, make: Make) -> None:
    long = [make(number, os.urandom(LONG_PAYLOAD + number)) for number in range(1, 4)]
    with LogWriter(folder) as writer:
        writer.extend([make(0), *long])
    (folder / "aside" / f"{2:016x}").unlink()
    problems: list[DamagedError] = []
    found = list(Log(folder).records(on_damage=problems.append))
    assert found == [(0, make(0)), (1, long[0]), (3, long[2])]
    assert [(problem.first, problem.end) for problem in problems] == [(2, 3)]
    with pytest.raises(DamagedError, match="0000000000000002, is missing, so record 2 cannot be read"):
        Log(folder).record(2)
