from __future__ import annotations

from pathlib import Path

import pytest

from liven.app.opening.recent_files import MOST, RecentFiles


def test_the_newest_file_is_first_and_listed_once(tmp_path: Path) -> None:
    recent = RecentFiles(tmp_path / "state" / "recent.json")
    files = [tmp_path / name for name in ("a", "b")]
    for path in files:
        path.write_text("")
    for path in (*files, files[0]):
        recent.add(path)
    assert recent.files() == (files[0], files[1])
    files[0].unlink()
    assert recent.files() == (files[1],)
    recent.clear()
    assert recent.files() == ()


def test_files_that_nobody_opened_by_hand_are_left_out(tmp_path: Path) -> None:
    handed = tmp_path / "handed" / "note.liveobject"
    handed.parent.mkdir()
    handed.write_text("")
    RecentFiles(tmp_path / "recent.json").add(handed)
    recent = RecentFiles(tmp_path / "recent.json", handed.parent)
    assert recent.files() == (), "also those of an earlier version"
    own = tmp_path / "own.liveobject"
    own.write_text("")
    recent.add(own)
    recent.add(handed)
    assert recent.files() == (own,)


def test_the_list_is_bounded(tmp_path: Path) -> None:
    recent = RecentFiles(tmp_path / "recent.json")
    for number in range(MOST + 3):
        path = tmp_path / str(number)
        path.write_text("")
        recent.add(path)
    assert len(recent.files()) == MOST
    assert recent.files()[0].name == str(MOST + 2)


@pytest.mark.parametrize("text", ["", "[", "5", '{"a": 1}'])
def test_an_unreadable_list_is_empty(tmp_path: Path, text: str) -> None:
    path = tmp_path / "recent.json"
    path.write_text(text)
    assert RecentFiles(path).files() == ()
