"""The list of the gallery: what is in it, stars, removal and its undo."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.app.begun.begun_objects import BegunObjects
from liven.app.opening.recent_files import RecentFiles
from liven.app.start.gallery import STARS, Board, Gallery


@pytest.fixture
def gallery(tmp_path: Path) -> Gallery:
    times = iter(range(1, 100))
    begun = BegunObjects(tmp_path / "data", now=lambda: float(next(times)))
    return Gallery(tmp_path / "data", begun, RecentFiles(tmp_path / "recent.json"))


def titles(gallery: Gallery) -> list[str]:
    return [one.title for one in gallery.boards()]


def test_what_was_begun_and_what_was_opened_are_listed_the_latest_first(
    gallery: Gallery, tmp_path: Path
) -> None:
    first = gallery.begun.begin("First", lambda _: b"a")
    gallery.begun.begin("Second", lambda _: b"b")
    elsewhere = tmp_path / "Elsewhere.liveobject"
    elsewhere.write_bytes(b"c")
    for path in (first, elsewhere):
        gallery.recent.add(path)
    assert titles(gallery) == ["Elsewhere", "Second", "First"]
    assert [one.begun for one in gallery.boards()] == [False, True, True]


def test_a_star_stays_until_it_is_taken(gallery: Gallery) -> None:
    path = gallery.begun.begin("Mine", lambda _: b"a")
    gallery.set_star(path, starred=True)
    gallery.set_star(path, starred=True)
    assert [one.starred for one in gallery.boards()] == [True]
    gallery.set_star(path, starred=False)
    assert [one.starred for one in gallery.boards()] == [False]


@pytest.mark.parametrize("data", [b"", b"{", b"7", b"[7]", b'{"a": 1}', b"\xff\xfe"])
def test_damaged_stars_cost_only_the_stars(gallery: Gallery, tmp_path: Path, data: bytes) -> None:
    gallery.begun.begin("Mine", lambda _: b"a")
    (tmp_path / "data" / STARS).write_bytes(data)
    assert [one.starred for one in gallery.boards()] == [False]


def test_removing_what_was_begun_deletes_it_and_undo_brings_it_back(gallery: Gallery) -> None:
    path = gallery.begun.begin("Mine", lambda _: b"a")
    gallery.set_star(path, starred=True)
    [board] = gallery.boards()
    undo = gallery.remove(board)
    assert titles(gallery) == []
    assert [one.title for one in gallery.deleted()] == ["Mine"]
    assert undo() == path
    assert [(one.title, one.starred) for one in gallery.boards()] == [("Mine", True)]
    assert gallery.deleted() == ()


def test_a_star_follows_what_comes_back_under_another_name(gallery: Gallery) -> None:
    path = gallery.begun.begin("Mine", lambda _: b"a")
    gallery.set_star(path, starred=True)
    [board] = gallery.boards()
    undo = gallery.remove(board)
    gallery.begun.begin("Mine", lambda _: b"b")
    back = undo()
    assert back.stem == "Mine 2"
    assert {one.path.stem for one in gallery.boards() if one.starred} >= {"Mine 2"}


def test_a_file_elsewhere_is_only_taken_off_the_list(gallery: Gallery, tmp_path: Path) -> None:
    path = tmp_path / "Elsewhere.liveobject"
    path.write_bytes(b"c")
    gallery.recent.add(path)
    [board] = gallery.boards()
    undo = gallery.remove(board)
    assert gallery.boards() == ()
    assert path.read_bytes() == b"c"
    assert undo() == path
    assert titles(gallery) == ["Elsewhere"]


def test_a_removal_that_fails_changes_nothing(gallery: Gallery, tmp_path: Path) -> None:
    gallery.begun.begin("Mine", lambda _: b"a")
    [board] = gallery.boards()
    (tmp_path / "data" / "deleted-objects").write_text("in the way")
    with pytest.raises(OSError, match="exists"):
        gallery.remove(board)
    assert titles(gallery) == ["Mine"]


def test_an_entry_without_a_file_has_the_oldest_date(tmp_path: Path) -> None:
    assert Board(tmp_path / "none", "none", 0.0, begun=False).used == 0.0
