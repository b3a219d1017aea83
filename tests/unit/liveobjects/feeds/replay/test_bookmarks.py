from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from liven.liveobjects.feeds.errors import FutureVersionError
from liven.liveobjects.feeds.replay.bookmarks import MOST, Bookmark, Bookmarks
from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.place import Place


def test_bookmarks_are_kept_in_the_order_of_time(tmp_path: Path) -> None:
    bookmarks = Bookmarks(tmp_path)
    assert bookmarks.all() == []
    late, early = Bookmark("storm", "here", 90, 900), Bookmark("start", "here", 2, 20)
    bookmarks.add(late)
    bookmarks.add(early)
    assert Bookmarks(tmp_path).all() == [early, late]
    assert bookmarks.find("storm", "here").place == Place(90, 900)
    assert bookmarks.path.stat().st_mode & 0o777 == 0o600


def test_bookmark_replaces_one_of_its_name_and_recorder(tmp_path: Path) -> None:
    bookmarks = Bookmarks(tmp_path)
    for sequence, recorder in ((1, "here"), (2, "there"), (3, "here")):
        bookmarks.add(Bookmark("storm", recorder, sequence, 10))
    assert [one.sequence for one in bookmarks.all()] == [2, 3]


def test_unknown_bookmark_names_those_that_are_there(tmp_path: Path) -> None:
    bookmarks = Bookmarks(tmp_path)
    bookmarks.add(Bookmark("storm", "here", 1, 1))
    with pytest.raises(ReplayError, match="there is no bookmark 'strom' here; there are: storm"):
        bookmarks.find("strom", "here")
    with pytest.raises(ReplayError):
        bookmarks.find("storm", "there")


def test_bookmark_is_removed(tmp_path: Path) -> None:
    bookmarks = Bookmarks(tmp_path)
    bookmarks.add(Bookmark("storm", "here", 1, 1))
    bookmarks.remove("storm", "here")
    assert bookmarks.all() == []
    with pytest.raises(ReplayError):
        bookmarks.remove("storm", "here")


def test_fresh_names_are_numbered(tmp_path: Path) -> None:
    bookmarks = Bookmarks(tmp_path)
    for expected in ("bookmark 1", "bookmark 2"):
        name = bookmarks.fresh_name("here")
        assert name == expected
        bookmarks.add(Bookmark(name, "here", 1, 1))


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 101])
def test_impossible_names_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ReplayError, match="cannot name a bookmark"):
        Bookmarks(tmp_path).add(Bookmark(name, "here", 1, 1))
    assert not Bookmarks(tmp_path).path.exists()


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        b'{"bookmarks": 3}',
        b'{"bookmarks": [{"name": "x"}]}',
        b'{"bookmarks": [{"name": "x", "recorder": "y", "sequence": "1", "time": 2}]}',
        b'{"bookmarks": [{"name": "x", "recorder": "y", "sequence": true, "time": 2}]}',
    ],
)
def test_damaged_file_is_named_and_left_alone(tmp_path: Path, content: bytes) -> None:
    bookmarks = Bookmarks(tmp_path)
    bookmarks.path.write_bytes(content)
    with pytest.raises(ReplayError, match=r"bookmarks\.json"):
        bookmarks.add(Bookmark("x", "here", 1, 1))
    assert bookmarks.path.read_bytes() == content


def test_file_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    bookmarks = Bookmarks(tmp_path)
    bookmarks.path.write_text('{"format": 2, "bookmarks": []}')
    with pytest.raises(FutureVersionError):
        bookmarks.add(Bookmark("x", "here", 1, 1))


def test_too_many_are_refused(tmp_path: Path) -> None:
    bookmarks = Bookmarks(tmp_path)
    rows = [{"name": f"{n}", "recorder": "here", "sequence": n, "time": n} for n in range(MOST)]
    bookmarks.path.write_text(json.dumps({"format": 1, "bookmarks": rows}))
    with pytest.raises(ReplayError, match="remove some first"):
        bookmarks.add(Bookmark("one more", "here", 1, 1))
    bookmarks.add(Bookmark("7", "here", 70, 70))
    assert bookmarks.find("7", "here").sequence == 70


def test_several_programs_lose_no_bookmark(tmp_path: Path) -> None:
    def add(number: int) -> None:
        Bookmarks(tmp_path).add(Bookmark(f"b{number}", "here", number, number))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(40)))
    assert len(Bookmarks(tmp_path).all()) == 40
