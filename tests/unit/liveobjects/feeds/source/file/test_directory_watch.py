"""A watched folder: each added, changed and removed file comes once, when it is complete."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from liven.liveobjects.feeds.source.file import folder_snapshot
from liven.liveobjects.feeds.source.file.directory_watch import DirectoryWatch
from liven.runtime.errors import CallFailedError
from liven.runtime.testing import Bench


def told(probe: Any) -> list[tuple[str, str, int]]:
    return [(one[1].change, one[1].path, one[1].size) for one in probe.heard if one[0] == "set"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "in"
    made.mkdir()
    return made


def test_files_are_told_when_they_are_new_different_or_gone(folder: Path) -> None:
    (folder / "a.txt").write_text("a")
    with Bench() as bench:
        probe = bench.build(DirectoryWatch, path=str(folder)).probe("Endpoint")
        bench.advance(3)
        (folder / "b.txt").write_text("bb")
        (folder / "a.txt").write_text("aaa")
        bench.advance(3)
        (folder / "a.txt").unlink()
        bench.advance(3)
        assert told(probe) == [
            ("added", "a.txt", 1),
            ("changed", "a.txt", 3),
            ("added", "b.txt", 2),
            ("removed", "a.txt", 3),
        ]


def test_a_file_that_is_being_written_is_told_when_it_rests(folder: Path) -> None:
    with Bench() as bench:
        probe = bench.build(DirectoryWatch, path=str(folder), every=1.0).probe("Endpoint")
        for size in range(1, 6):
            (folder / "big").write_bytes(b"x" * size)
            bench.advance(1)
        assert told(probe) == []
        bench.advance(2)
        assert told(probe) == [("added", "big", 5)]


def test_folders_inside_and_other_names_are_left_out_unless_asked_for(folder: Path) -> None:
    (folder / "deep").mkdir()
    (folder / "deep" / "x.csv").write_text("x")
    (folder / "y.csv").write_text("y")
    (folder / "z.txt").write_text("z")
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe.csv")
    with Bench() as bench:
        flat = bench.build(DirectoryWatch, path=str(folder), pattern="*.csv").probe("Endpoint")
        deep = bench.build(DirectoryWatch, path=str(folder), deep=True).probe("Endpoint")
        bench.advance(3)
        assert [one[1] for one in told(flat)] == ["y.csv"]
        assert [one[1] for one in told(deep)] == ["deep/x.csv", "y.csv", "z.txt"]


def test_a_restarted_watch_tells_what_happened_meanwhile(folder: Path) -> None:
    (folder / "a").write_text("a")
    (folder / "b").write_text("b")
    with Bench() as bench:
        first = bench.build(DirectoryWatch, path=str(folder), remember="inbox")
        held = first.probe("Endpoint")
        bench.advance(3)
        assert told(held) == [("added", "a", 1), ("added", "b", 1)]
        first.close()
        (folder / "a").unlink()
        (folder / "c").write_text("c")
        probe = bench.build(DirectoryWatch, path=str(folder), remember="inbox").probe("Endpoint")
        bench.advance(3)
        assert told(probe) == [("removed", "a", 1), ("added", "c", 1)]


def test_a_missing_folder_is_told_once_and_its_files_are_not_called_removed(folder: Path) -> None:
    (folder / "a").write_text("a")
    with Bench() as bench:
        probe = bench.build(DirectoryWatch, path=str(folder)).probe("Endpoint")
        bench.advance(3)
        away = folder.rename(folder.with_name("away"))
        bench.advance(20)
        assert [one.what for one in bench.problems] == [
            f"the folder {folder} cannot be read: No such file or directory"
        ]
        bench.problems.clear()
        away.rename(folder)
        bench.advance(3)
        assert told(probe) == [("added", "a", 1)]


def test_more_files_than_a_watch_holds_are_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_snapshot, "MOST_FILES", 2)
    for name in ("a", "b", "c"):
        (folder / name).write_text(name)
    (folder / os.fsdecode(b"\xff")).write_text("no text")
    with Bench() as bench:
        probe = bench.build(DirectoryWatch, path=str(folder)).probe("Endpoint")
        bench.advance(5)
        assert len(told(probe)) == 2
        assert "2 files of" in bench.problems.pop().what


def test_an_interval_that_is_none_is_refused(folder: Path) -> None:
    with (
        Bench() as bench,
        pytest.raises(CallFailedError, match=r"an interval is 0.1 to 86,400 seconds, not 0"),
    ):
        bench.build(DirectoryWatch, path=str(folder), every=0.0)
