"""The archive of a backup: what comes out is what went in, and anything else is refused."""

from __future__ import annotations

import io
import json
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from liven.app.backup.archive import LIST, Archive, BadArchiveError, write_archive
from liven.app.backup.home_files import HomeFile

FILES = {"config/config.toml": b"a = 1", "data/objects/x": b"x" * 3_000_000, "data/empty": b""}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    found = []
    for name, data in FILES.items():
        path = tmp_path / "home" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        found.append(HomeFile(name, path))
    (tmp_path / "home/data/empty").chmod(0o755)
    target = tmp_path / "some.livenbackup"
    with target.open("wb") as stream:
        write_archive(stream, found, lambda *_: None)
    return target


def extracted(path: Path, to: Path) -> dict[str, bytes]:
    archive = Archive(path)
    try:
        archive.extract({root: to / root for root in ("config", "data", "state")}, lambda *_: None)
    finally:
        archive.close()
    return {each.relative_to(to).as_posix(): each.read_bytes() for each in to.rglob("*") if each.is_file()}


def test_all_files_come_back_for_the_person_alone(archive: Path, tmp_path: Path) -> None:
    assert extracted(archive, tmp_path / "out") == FILES
    assert (tmp_path / "out/data/objects/x").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "out/data/empty").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "out/data").stat().st_mode & 0o777 == 0o700


def test_progress_reaches_the_end_and_never_goes_back(tmp_path: Path) -> None:
    path = tmp_path / "one"
    path.write_bytes(b"x" * 1000)
    told: list[tuple[int, int]] = []
    found = [HomeFile("data/one", path), HomeFile("data/gone", tmp_path / "gone")]
    listed = write_archive(io.BytesIO(), found, lambda done, whole: told.append((done, whole)))
    assert [each.name for each in listed] == ["data/one"]
    assert told == sorted(told)
    assert told[-1] == (1000, 1000)


def test_a_part_of_a_log_must_not_disappear(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_archive(io.BytesIO(), [HomeFile("data/channels/0/x", tmp_path / "gone")], lambda *_: None)


@pytest.mark.parametrize("keep", [0, 1, 30, 500, -1])
def test_a_cut_archive_is_refused(archive: Path, keep: int) -> None:
    archive.write_bytes(archive.read_bytes()[:keep])
    with pytest.raises(BadArchiveError, match="is not a whole backup"):
        Archive(archive)


def test_a_changed_byte_anywhere_is_detected(archive: Path, tmp_path: Path) -> None:
    data = archive.read_bytes()
    for place in range(0, len(data), max(1, len(data) // 97)):
        archive.write_bytes(data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :])
        with suppress(BadArchiveError):
            assert extracted(archive, tmp_path / f"out{place}") == FILES, "it was of no importance"


def made(tmp_path: Path, listed: object, **files: bytes) -> Path:
    path = tmp_path / "made"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
        archive.writestr(LIST, json.dumps(listed))
    return path


@pytest.mark.parametrize(
    "name",
    ["data/../../x", "/etc/passwd", "data", "x/y", "data//x", "data/./x", "../data/x", "data/\0", "run/x"],
)
def test_a_file_where_none_belongs_is_refused(tmp_path: Path, name: str) -> None:
    path = made(tmp_path, {"format": 1, "made": 0, "files": [[name, 0, "", 0]]})
    with pytest.raises(BadArchiveError, match="where none belongs"):
        Archive(path)


@pytest.mark.parametrize(
    "listed",
    [
        {},
        [],
        {"format": 2, "files": []},
        {"format": 1, "files": [["data/x", "1", "", 0]]},
        {"format": 1, "files": [["data/x"]]},
        {"format": 1, "files": [["data/x", 0, "", 0]] * 2},
    ],
)
def test_an_invalid_list_is_refused(tmp_path: Path, listed: object) -> None:
    with pytest.raises(BadArchiveError):
        Archive(made(tmp_path, listed))


def test_a_file_that_is_longer_than_listed_does_not_fill_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "bomb"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data/bomb", bytes(50_000_000))
        archive.writestr(LIST, json.dumps({"format": 1, "files": [["data/bomb", 10, "00", 0]]}))
    with pytest.raises(BadArchiveError, match="checksum differs"):
        extracted(path, tmp_path / "out")
    assert (tmp_path / "out/data/bomb").stat().st_size <= 2 << 20


def test_a_listed_file_that_is_not_there_is_damage(tmp_path: Path) -> None:
    path = made(tmp_path, {"format": 1, "files": [["data/x", 0, "", 0]]})
    with pytest.raises(BadArchiveError, match="damaged"):
        extracted(path, tmp_path / "out")
