from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from liven.runtime.fold import UndoStore
from liven.runtime.fold.undo_store import LARGEST, MOST_FILES


class Thing:
    def __init__(self) -> None:
        self.list = b""
        self.call: Callable[[], object] = lambda: None

    def undo_data(self) -> bytes:
        return self.list

    def restore_undo(self, kept: bytes) -> None:
        if kept == b"broken":
            raise ValueError("it is broken")
        self.list = kept

    def on_undo_change(self, call: Callable[[], object]) -> None:
        self.call = call

    def do(self, step: bytes) -> None:
        self.list += step
        self.call()


class Place:
    """An undo store with a clock that is turned by hand."""

    def __init__(self, folder: Path) -> None:
        self.due: list[Callable[[], object]] = []
        self.said: list[str] = []
        self.memory = UndoStore(folder, self._identity, self._later, self.said.append)

    def _identity(self, recipe: object) -> str:
        if recipe == "unknown":
            raise ValueError("not known here")
        return str(recipe)

    def _later(self, seconds: float, action: Callable[[], object]) -> Any:
        self.due.append(action)

    def turn(self) -> None:
        due, self.due = self.due, []
        for action in due:
            action()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "undo")


def test_an_undo_list_is_restored_to_the_same_object_only(place: Place) -> None:
    first = Thing()
    place.memory.follow("a", first)
    first.do(b"1")
    place.turn()
    again, other = Thing(), Thing()
    place.memory.follow("a", again)
    place.memory.follow("b", other)
    assert (again.list, other.list) == (b"1", b"")


def test_many_changes_are_one_write_and_the_last_is_written_at_the_end(place: Place) -> None:
    thing = Thing()
    end = place.memory.follow("a", thing)
    thing.do(b"1")
    thing.do(b"2")
    assert len(place.due) == 1
    end()
    place.turn()
    thing.do(b"3")
    assert place.due == []
    again = Thing()
    place.memory.follow("a", again)
    assert again.list == b"12"


def test_objects_without_an_undo_list_or_identity_are_ignored(place: Place) -> None:
    place.memory.follow("a", object())()
    thing = Thing()
    place.memory.follow("unknown", thing)()
    thing.do(b"1")
    place.turn()
    assert place.said == []


def test_a_broken_undo_file_is_reported_and_the_object_starts_without(place: Place) -> None:
    thing = Thing()
    place.memory.follow("a", thing)
    thing.do(b"broken")
    place.turn()
    again = Thing()
    place.memory.follow("a", again)
    assert again.list == b""
    assert place.said == ["the undo list of the last run is lost: it is broken"]


def test_a_folder_that_cannot_be_written_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    place = Place(tmp_path / "file" / "undo")
    thing = Thing()
    place.memory.follow("a", thing)
    for step in (b"1", b"2"):
        thing.do(step)
        place.turn()
    assert len([one for one in place.said if "not saved" in one]) == 1


def test_a_list_that_is_too_long_is_not_written(place: Place) -> None:
    thing = Thing()
    place.memory.follow("a", thing)
    thing.do(b"1")
    place.turn()
    thing.do(b"x" * (LARGEST + 1))
    place.turn()
    again = Thing()
    place.memory.follow("a", again)
    assert again.list == b"1"


def test_the_folder_stays_small(tmp_path: Path) -> None:
    place = Place(tmp_path)
    for number in range(MOST_FILES + 3):
        (tmp_path / str(number)).write_bytes(b"")
    place.memory.forget_oldest()
    assert len(list(tmp_path.iterdir())) == MOST_FILES


@pytest.mark.parametrize("what", ["pipe", "link"])
def test_an_undo_file_that_is_not_a_regular_file_does_not_block(place: Place, what: str) -> None:
    folder = place.memory._folder
    folder.mkdir()
    if what == "pipe":
        os.mkfifo(folder / "a")
    else:
        (folder / "a").symlink_to("/dev/zero")
    thing = Thing()
    place.memory.follow("a", thing)()
    assert thing.list == b""
    assert "is lost" in place.said[0]


def test_a_link_in_the_place_of_a_list_is_replaced(place: Place, tmp_path: Path) -> None:
    (tmp_path / "undo").mkdir()
    other = tmp_path / "other"
    other.write_bytes(b"not ours")
    (tmp_path / "undo" / "note").symlink_to(other)
    place.memory.write(tmp_path / "undo" / "note", b"a")
    assert (other.read_bytes(), (tmp_path / "undo" / "note").is_symlink()) == (b"not ours", False)


def test_the_undo_list_of_an_object_that_may_not_be_stored_stays_in_memory(tmp_path: Path) -> None:
    place = Place(tmp_path / "undo")
    place.memory = UndoStore(
        tmp_path / "undo", str, place._later, place.said.append, lambda recipe: recipe != "secret"
    )
    for recipe in ("secret", "open"):
        thing = Thing()
        end = place.memory.follow(recipe, thing)
        thing.do(b"1")
        end()
    assert [path.name for path in (tmp_path / "undo").iterdir()] == ["open"]
