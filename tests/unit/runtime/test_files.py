"""Files are replaced whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from liven.runtime.files import replace


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "place" / "note"
    path.parent.mkdir()
    path.write_bytes(b"old")
    return path


def test_a_file_is_replaced_and_nothing_else_is_left(file: Path) -> None:
    replace(file, b"new")
    assert file.read_bytes() == b"new"
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755])
def test_its_permissions_stay(file: Path, mode: int) -> None:
    file.chmod(mode)
    replace(file, b"new")
    assert stat.S_IMODE(file.stat().st_mode) == mode


def test_who_had_it_open_keeps_what_was_there(file: Path) -> None:
    with file.open("rb") as stream:
        replace(file, b"new and longer")
        assert stream.read() == b"old"


def test_a_link_stays_a_link(file: Path) -> None:
    link = file.with_name("link")
    link.symlink_to(file.name)
    replace(link, b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
def test_whatever_fails_the_old_file_is_whole_and_nothing_else_is_left(
    file: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os if step == "fsync" else Path, step, full)
    with pytest.raises(OSError, match="No space"):
        replace(file, b"new")
    monkeypatch.undo()
    assert file.read_bytes() == b"old"
    assert list(file.parent.iterdir()) == [file]


def test_a_file_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        replace(tmp_path / "nothing", b"new")
    assert list(tmp_path.iterdir()) == []
