"""Verifying: a whole log has no findings, each kind of damage is one, by file, byte and sequence."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.block_format import LONG_PAYLOAD, Head, pack_head, parse_head
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.segment_files import segment_files, segment_name
from liven.liveobjects.feeds.segment.upkeep.verification import Kind, verify
from liven.liveobjects.feeds.segment.writer import LogWriter

Make = Callable[..., Record]
Write = Callable[..., list[Record]]


def garble(path: Path, offset: int) -> None:
    data = bytearray(path.read_bytes())
    data[offset] ^= 1
    path.write_bytes(data)


def test_a_whole_log_has_no_findings(folder: Path, write: Write) -> None:
    write(folder, 100)
    seen: list[tuple[int, int]] = []
    assert list(verify(folder, lambda done, whole: seen.append((done, whole)))) == []
    with LogWriter(folder) as writer:
        writer.seal()
    assert list(verify(folder)) == []
    assert seen[-1][0] == seen[-1][1]


def test_a_changed_byte_is_found_with_its_block_and_records(folder: Path, write: Write) -> None:
    write(folder, 100)
    file = segment_files(folder)[2]
    head = parse_head(file.path.read_bytes())
    assert head is not None
    garble(file.path, head.size + 100)
    (found,) = verify(folder)
    assert found.kind is Kind.DAMAGED
    assert (found.file, found.offset) == (file.path, head.size)
    assert (found.first, found.end) == (file.first + 3, file.first + 6)


@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.slow), 11])
def test_every_changed_byte_is_found_save_padding(folder: Path, write: Write, step: int) -> None:
    write(folder, 9)
    path = segment_files(folder)[0].path
    good = path.read_bytes()
    missed = []
    for offset in range(0, len(good), step):
        garble(path, offset)
        findings = list(verify(folder))
        if not findings:
            missed.append(offset)
        assert len(findings) <= 1, offset
        path.write_bytes(good)
    starts, at = [], 0
    for _ in range(3):
        head = parse_head(good[at:])
        assert head is not None
        starts.append((at + 64 + head.body, at + head.size))
        at += head.size
    assert all(any(low <= offset < high for low, high in starts) for offset in missed)


def test_a_missing_file_is_found(folder: Path, write: Write) -> None:
    write(folder, 100)
    _, second, third, *_ = segment_files(folder)
    second.path.unlink()
    (found,) = verify(folder)
    assert found.kind is Kind.MISSING
    assert (found.first, found.end) == (second.first, third.first)


def test_a_file_that_ends_too_early_is_found(folder: Path, write: Write) -> None:
    write(folder, 100)
    file = segment_files(folder)[-1]
    file.path.write_bytes(b"")
    (found,) = verify(folder)
    assert (found.kind, found.first, found.end) == (Kind.MISSING, file.first, 100)


def test_files_of_others_are_found(folder: Path, write: Write, tmp_path: Path) -> None:
    write(folder, 100)
    write(tmp_path / "other", 12)
    shutil.copy(tmp_path / "other" / segment_name(0), folder / segment_name(100))
    (found,) = verify(folder)
    assert found.kind is Kind.FOREIGN
    assert "belongs to another log" in found.text
    (folder / segment_name(100)).write_bytes(b"no segment at all" * 100)
    (found,) = verify(folder)
    assert found.kind is Kind.UNFINISHED


def test_a_later_version_is_found(folder: Path, write: Write) -> None:
    write(folder, 30)
    path = segment_files(folder)[1].path
    data = path.read_bytes()
    head = parse_head(data)
    assert head is not None
    path.write_bytes(pack_head(Head(*head[:-1], version=9)) + data[64:])
    (found,) = verify(folder)
    assert found.kind is Kind.FUTURE
    assert "format 9" in found.text


def test_an_unfinished_block_is_no_damage(folder: Path, write: Write, make: Make) -> None:
    write(folder, 5)
    path = segment_files(folder)[0].path
    path.write_bytes(path.read_bytes() + os.urandom(100))
    (found,) = verify(folder)
    assert found.kind is Kind.UNFINISHED
    assert not found.kind.is_damage


def test_a_damaged_index_concerns_no_record(folder: Path, write: Write) -> None:
    given = write(folder, 100)
    with LogWriter(folder) as writer:
        writer.seal()
    path = segment_files(folder)[0].path
    for offset in (-64, -100):
        good = path.read_bytes()
        garble(path, offset)
        (found,) = verify(folder)
        assert (found.kind, found.first, found.end - found.first) == (Kind.DAMAGED, found.first, 0)
        assert [record for _, record in Log(folder).records()] == given
        path.write_bytes(good)


def test_a_missing_payload_is_found(folder: Path, make: Make) -> None:
    with LogWriter(folder) as writer:
        writer.extend([make(0), make(1, os.urandom(LONG_PAYLOAD + 1)), make(2)])
    (folder / "aside" / f"{1:016x}").unlink()
    (found,) = verify(folder)
    assert (found.kind, found.first, found.end) == (Kind.DAMAGED, 1, 2)


def test_verifying_beside_a_writer_finds_nothing(folder: Path, make: Make) -> None:
    with LogWriter(folder, segment_blocks=5) as writer:
        for number in range(50):
            writer.append(make(number))
            writer.flush()
            if number % 3 == 0:
                writer.sync_job()()
            assert [each for each in verify(folder) if each.kind.is_damage] == []
