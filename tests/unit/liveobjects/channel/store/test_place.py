"""The place of a log is recognized after restarts and moves, and a copy or an older state of it is not."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from liven.liveobjects.channel.store.place import FolderPlace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "log"
    made.mkdir()
    return made


def test_a_log_keeps_its_place_when_it_is_opened_again(folder: Path) -> None:
    first = FolderPlace.settled(folder, (0, 0))
    first.record((3, 500))
    assert FolderPlace.settled(folder, (3, 500)) == first
    assert FolderPlace.settled(folder, (4, 0)) == first, "another program removed channels from it"


def test_a_folder_that_is_moved_keeps_its_place(folder: Path, tmp_path: Path) -> None:
    first = FolderPlace.settled(folder, (1, 10))
    moved = folder.rename(tmp_path / "moved")
    found = FolderPlace.found(moved, (1, 10))
    assert found is not None
    assert found.identity == first.identity


def test_a_copy_has_another_place(folder: Path, tmp_path: Path) -> None:
    first = FolderPlace.settled(folder, (1, 10))
    shutil.copytree(folder, tmp_path / "copy")  # with times, as `cp -a`
    assert FolderPlace.found(tmp_path / "copy", (1, 10)) is None
    copied = FolderPlace.settled(tmp_path / "copy", (1, 10))
    assert copied.identity != first.identity
    assert FolderPlace.settled(tmp_path / "copy", (1, 10)) == copied


def test_a_folder_whose_files_were_put_back_has_another_place(folder: Path, tmp_path: Path) -> None:
    FolderPlace.settled(folder, (1, 10))
    shutil.copytree(folder, tmp_path / "backup")
    for each in folder.iterdir():
        shutil.copy2(tmp_path / "backup" / each.name, tmp_path / "new")
        (tmp_path / "new").replace(each)
    assert FolderPlace.found(folder, (1, 10)) is None


def test_a_log_that_ends_earlier_than_recorded_has_another_place(folder: Path) -> None:
    FolderPlace.settled(folder, (1, 10)).record((2, 300))
    assert FolderPlace.found(folder, (2, 299)) is None
    assert FolderPlace.found(folder, (1, 900)) is None
    assert FolderPlace.found(folder, (2, 300)) is not None


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b'{"identity": 3}', b'{"identity": "00", "anchor": [], "end": [0, 0]}']
)
def test_a_broken_record_gives_a_new_place(folder: Path, data: bytes) -> None:
    first = FolderPlace.settled(folder, (1, 10))
    (folder / "place").write_bytes(data)
    assert FolderPlace.found(folder, (1, 10)) is None
    assert FolderPlace.settled(folder, (1, 10)).identity != first.identity


def test_a_full_disk_does_not_keep_a_log_from_opening(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("liven.liveobjects.channel.store.place.write_file", full)
    one, two = (FolderPlace.settled(folder, (1, 10)) for _ in range(2))
    assert one.identity != two.identity, "without a record there is no proof"
