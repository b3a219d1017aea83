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


def test_a_log_keeps_its_place_when_its_mode_and_owner_change(folder: Path) -> None:
    first = FolderPlace.settled(folder, (1, 10))
    for each in (folder, *folder.iterdir()):  # `chmod -R`, `chown -R`, `ln`
        each.chmod(0o700)
        os.chown(each, os.getuid(), os.getgid())
    os.link(folder / "place", folder / "another name")
    assert FolderPlace.found(folder, (1, 10)) == first


def put_back(folder: Path, backup: Path) -> None:
    """Put back an earlier copy into the present files, as `cp -a backup/. folder` does."""
    for each in backup.iterdir():
        (folder / each.name).write_bytes(each.read_bytes())
        shutil.copystat(each, folder / each.name)


def test_an_older_copy_in_the_present_files_has_another_place(folder: Path, tmp_path: Path) -> None:
    place = FolderPlace.settled(folder, (1, 10))
    shutil.copytree(folder, tmp_path / "backup")
    place.record((2, 300))
    put_back(folder, tmp_path / "backup")
    assert FolderPlace.found(folder, (1, 10)) is None


def test_an_older_copy_of_what_differs_has_another_place(folder: Path, tmp_path: Path) -> None:
    """`rsync -a` leaves the anchor alone: its size and its time are those of the copy."""
    place = FolderPlace.settled(folder, (1, 10))
    shutil.copytree(folder, tmp_path / "backup")
    place.record((2, 300))
    shutil.copy2(tmp_path / "backup" / "place", tmp_path / "new")
    (tmp_path / "new").replace(folder / "place")
    assert FolderPlace.found(folder, (1, 10)) is None


@pytest.fixture
def no_birth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liven.liveobjects.channel.store.place.birth_time", lambda _: None)


@pytest.mark.usefixtures("no_birth")
def test_without_a_time_of_birth_the_anchor_proves_the_place(folder: Path, tmp_path: Path) -> None:
    first = FolderPlace.settled(folder, (1, 10))
    shutil.copytree(folder, tmp_path / "copy")
    assert FolderPlace.found(tmp_path / "copy", (1, 10)) is None
    assert FolderPlace.settled(folder, (1, 10)) == first
    (folder / "anchor").chmod(0o640)
    assert FolderPlace.found(folder, (1, 10)) is None


def test_the_record_of_an_earlier_version_holds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr("liven.liveobjects.channel.store.place.birth_time", lambda _: None)
        first = FolderPlace.settled(folder, (1, 10))
    assert FolderPlace.settled(folder, (1, 10)) == first


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
    monkeypatch.setattr("liven.liveobjects.channel.store.place.write_file_about_itself", full)
    one, two = (FolderPlace.settled(folder, (1, 10)) for _ in range(2))
    assert one.identity != two.identity, "without a record there is no proof"
