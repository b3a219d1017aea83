"""Logs of another format: their number is looked at first, and they stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.liveobjects.channel.branches.listing import listed_branches
from liven.liveobjects.channel.store.folder_lock import lock_first_free
from liven.liveobjects.channel.store.frames import FORMAT, MAGIC
from liven.liveobjects.channel.store.log_format import other_format, other_version
from liven.liveobjects.channel.store.other_processes import OtherProcesses
from liven.liveobjects.channel.store.records import Record, RecordKind, key_of
from liven.liveobjects.channel.store.shared_log import SharedLog
from liven.liveobjects.channel.store.snapshot import take_logs
from liven.liveobjects.channel.testing import BreakableStore

NAME = "home/f/n"


def written(folder: Path, number: int = FORMAT, frames: int = 3) -> Path:
    """Write a log as a version with this format does, with a payload beside it."""
    log = SharedLog(folder)
    for serial in range(1, frames + 1):
        log.write([Record(key_of(NAME), RecordKind.NAME, serial, 0, NAME.encode())])
    log.aside.put(key_of(NAME), 9, (b"long",), sync=False)
    log.close()
    for each in folder.glob("*.log"):
        each.write_bytes(each.read_bytes().replace(MAGIC, MAGIC[:-1] + str(number).encode()))
    return folder


def content(root: Path) -> dict[str, bytes]:
    return {str(each.relative_to(root)): each.read_bytes() for each in root.rglob("*") if each.is_file()}


@pytest.mark.parametrize("number", [1, FORMAT + 1])
def test_a_log_of_another_format_stays_untouched(tmp_path: Path, number: int) -> None:
    folder = written(tmp_path / "0", number)
    before = content(folder)
    assert other_format(folder) == number
    slot = lock_first_free(tmp_path)
    assert slot.folder.name == "1", "the program begins a log of its own"
    assert list(OtherProcesses(tmp_path, slot.folder, lambda: 0.0).having(NAME)) == []
    assert listed_branches(tmp_path) == []
    slot.close()
    assert content(folder) == before
    told = str(other_version(folder, number))
    assert f"another version of Liven (format {number}; this version reads format {FORMAT})" in told
    assert "damaged" not in told


def test_a_log_of_the_present_format_an_empty_one_and_foreign_files_are_no_other_format(
    tmp_path: Path,
) -> None:
    assert other_format(written(tmp_path / "0")) is None
    assert other_format(tmp_path / "nowhere") is None
    (tmp_path / "1").mkdir()
    (tmp_path / "1" / "00000001.log").write_bytes(b"")
    assert other_format(tmp_path / "1") is None
    (tmp_path / "1" / "00000001.log").write_bytes(b"\xa7LF")
    assert other_format(tmp_path / "1") is None
    (tmp_path / "1" / "note.log").write_bytes(b"\xa7LF1")
    assert other_format(tmp_path / "1") is None


def test_one_changed_byte_makes_no_log_another_format(tmp_path: Path) -> None:
    folder = written(tmp_path / "0")
    (path,) = folder.glob("*.log")
    path.write_bytes(MAGIC[:-1] + b"7" + path.read_bytes()[len(MAGIC) :])
    assert other_format(folder) is None
    log = SharedLog(folder, reading=True)
    assert log.names() == [NAME]
    assert len(log.damaged_parts) == 1


def test_a_backup_takes_a_log_of_another_format_as_it_is(tmp_path: Path) -> None:
    folder = written(tmp_path / "root" / "0", 1)
    (tmp_path / "staging").mkdir()
    take_logs(tmp_path / "root", tmp_path / "staging" / "logs")
    assert content(tmp_path / "staging" / "logs" / "0") == content(folder)


def test_frames_of_this_version_carry_its_format(tmp_path: Path) -> None:
    breakable = BreakableStore(tmp_path / "0")
    store = breakable.open()
    store.open(NAME).note(a=b"1")
    breakable.crash()
    (path,) = (tmp_path / "0").glob("*.log")
    assert path.read_bytes()[: len(MAGIC)] == b"\xa7LF2"
