"""Repairing: good records stay under their numbers, lost numbers are said and never given again."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from liven.liveobjects.feeds.errors import LockedError, UnrepairableError
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.block_format import LONG_PAYLOAD, Head, pack_head, parse_head
from liven.liveobjects.feeds.segment.durable_mark import NAME as MARK
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.segment_files import segment_files, segment_name
from liven.liveobjects.feeds.segment.upkeep.repair import SET_ASIDE, repair
from liven.liveobjects.feeds.segment.upkeep.verification import Kind, verify
from liven.liveobjects.feeds.segment.writer import LogWriter

Make = Callable[..., Record]
Write = Callable[..., list[Record]]


def damage_of(folder: Path) -> list[Kind]:
    return [each.kind for each in verify(folder) if each.kind.is_damage]


def garble(path: Path, offset: int, length: int = 1) -> bytes:
    data = bytearray(path.read_bytes())
    before = bytes(data)
    for place in range(offset, min(offset + length, len(data))):
        data[place] ^= 0x55
    path.write_bytes(data)
    return before


def test_a_log_without_damage_stays_as_it_is(folder: Path, write: Write) -> None:
    write(folder, 100)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done = repair(folder)
    assert (done.findings, done.lost, done.cut) == ([], 0, 0)
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert after == before


def test_good_records_stay_under_their_numbers(folder: Path, write: Write, make: Make) -> None:
    given = write(folder, 100)
    damaged = segment_files(folder)[2]
    head = parse_head(damaged.path.read_bytes())
    assert head is not None
    garble(damaged.path, head.size + 100)
    lost = range(damaged.first + 3, damaged.first + 6)
    done = repair(folder)
    assert done.lost == 3
    assert damage_of(folder) == []
    assert [each.kind for each in verify(folder)] == [Kind.REPAIRED]
    wanted = [(number, record) for number, record in enumerate(given) if number not in lost]
    assert list(Log(folder).records()) == wanted
    (saved,) = done.aside
    assert saved.parent == folder / SET_ASIDE
    assert saved.stat().st_size == head.size
    with LogWriter(folder) as writer:
        assert writer.end == 100
        writer.append(make(100))
        writer.seal()
    assert list(Log(folder).records()) == [*wanted, (100, make(100))]
    assert damage_of(folder) == []


@pytest.mark.parametrize("seed", range(40))
def test_any_damage_is_repaired_and_no_good_block_is_lost(
    folder: Path, write: Write, make: Make, seed: int
) -> None:
    chance = random.Random(seed)
    given = write(folder, 90)
    if chance.random() < 0.5:
        with LogWriter(folder) as writer:
            writer.seal()
    for _ in range(chance.randrange(1, 5)):
        path = chance.choice(segment_files(folder)).path
        kind = chance.randrange(4)
        if kind == 0:
            garble(path, chance.randrange(path.stat().st_size or 1), chance.choice((1, 1, 70, 500)))
        elif kind == 1:
            os.truncate(path, chance.randrange(path.stat().st_size or 1))
        elif kind == 2 and len(segment_files(folder)) > 1:
            path.unlink()
        else:
            (folder / MARK).unlink(missing_ok=True)
    readable: dict[int, Record] = dict(Log(folder).records(on_damage=lambda _: None))
    assert all(given[number] == record for number, record in readable.items())
    done = repair(folder)
    assert damage_of(folder) == []
    found = dict(Log(folder).records())
    assert readable.items() <= found.items(), done
    assert all(given[number] == record for number, record in found.items())
    end = Log(folder).end
    with LogWriter(folder) as writer:
        assert writer.end == end > max(found, default=-1)
        writer.append(make(77))
    assert dict(Log(folder).records()) == {**found, end: make(77)}


def test_a_missing_file_becomes_a_hole(folder: Path, write: Write) -> None:
    given = write(folder, 100)
    _, second, third, *_ = segment_files(folder)
    second.path.unlink()
    assert repair(folder).lost == third.first - second.first
    assert damage_of(folder) == []
    wanted = [(n, record) for n, record in enumerate(given) if not second.first <= n < third.first]
    assert list(Log(folder).records()) == wanted


def test_a_file_of_another_log_is_moved_aside(folder: Path, write: Write, tmp_path: Path) -> None:
    given = write(folder, 100)
    write(tmp_path / "other", 12)
    shutil.copy(tmp_path / "other" / segment_name(0), folder / segment_name(100))
    done = repair(folder)
    assert done.lost == 0
    assert (folder / SET_ASIDE / segment_name(100)).is_file()
    assert list(Log(folder).records()) == list(enumerate(given))
    with LogWriter(folder) as writer:
        assert writer.end == 100


def test_a_log_with_a_file_of_a_later_version_is_left_alone(folder: Path, write: Write) -> None:
    write(folder, 100)
    files = segment_files(folder)
    garble(files[0].path, 100)
    data = files[1].path.read_bytes()
    head = parse_head(data)
    assert head is not None
    files[1].path.write_bytes(pack_head(Head(*head[:-1], version=2)) + data[64:])
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    with pytest.raises(UnrepairableError, match="update Liven"):
        repair(folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before | {
        "lock": (folder / "lock").read_bytes()
    }


def test_a_lost_payload_costs_its_record_alone(folder: Path, make: Make) -> None:
    given = [make(number, os.urandom(LONG_PAYLOAD + 1) if number == 1 else None) for number in range(4)]
    with LogWriter(folder) as writer:
        writer.extend(given)
    (folder / "aside" / f"{1:016x}").unlink()
    assert repair(folder).lost == 1
    assert damage_of(folder) == []
    assert list(Log(folder).records()) == [(number, given[number]) for number in (0, 2, 3)]


def test_an_unfinished_block_is_cut_off(folder: Path, write: Write) -> None:
    given = write(folder, 5)
    path = segment_files(folder)[-1].path
    path.write_bytes(path.read_bytes() + bytes(77))
    assert repair(folder).cut == 77
    assert list(verify(folder)) == []
    assert list(Log(folder).records()) == list(enumerate(given))


def test_a_log_that_is_being_written_is_not_repaired(folder: Path, make: Make) -> None:
    with LogWriter(folder), pytest.raises(LockedError):
        repair(folder)
