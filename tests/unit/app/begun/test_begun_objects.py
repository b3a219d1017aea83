from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from liven.app.begun import begun_objects
from liven.app.begun.begun_objects import BegunObjects


def recipe(name: str) -> bytes:
    return f"recipe of {name}".encode()


@pytest.fixture
def clock() -> Iterator[int]:
    return count(1000)


@pytest.fixture
def begun(tmp_path: Path, clock: Iterator[int]) -> BegunObjects:
    return BegunObjects(tmp_path, lambda: float(next(clock)))


def titles(begun: BegunObjects) -> list[str]:
    return [one.title for one in begun.all()]


def test_each_object_has_a_file_and_a_name_of_its_own(begun: BegunObjects, tmp_path: Path) -> None:
    paths = [begun.begin("Desktop", recipe) for _ in range(3)]
    assert [path.stem for path in paths] == ["Desktop", "Desktop 2", "Desktop 3"]
    assert [path.read_bytes() for path in paths] == [recipe(path.stem) for path in paths]
    assert {path.parent for path in paths} == {tmp_path / "objects"}
    assert titles(begun) == ["Desktop 3", "Desktop 2", "Desktop"]


def test_the_last_used_object_is_first_under_its_last_title(begun: BegunObjects) -> None:
    first, _ = begun.begin("Note", recipe), begun.begin("Note", recipe)
    begun.use(first, "Milk\nand \u202ebread")
    assert titles(begun) == ["Milkand bread", "Note 2"]
    begun.use(first, "")
    assert titles(begun) == ["Note", "Note 2"], "without a title it has the name of its file"


def test_an_object_in_another_folder_is_not_noted(begun: BegunObjects, tmp_path: Path) -> None:
    elsewhere = tmp_path / "Mine.liveobject"
    elsewhere.write_bytes(b"")
    begun.use(elsewhere, "Mine")
    begun.use(tmp_path / "objects" / "Gone.liveobject", "Gone")
    assert begun.all() == ()
    assert [one.name for one in tmp_path.iterdir()] == ["Mine.liveobject"]


def test_one_recipe_is_kept_once(begun: BegunObjects) -> None:
    path = begun.keep("Talk", b"one")
    assert begun.keep("Talk", b"two").stem == "Talk 2"
    assert begun.keep("Talk", b"one") == path
    assert len(begun.all()) == 2


def test_a_deleted_object_can_be_restored_with_its_title(begun: BegunObjects) -> None:
    path = begun.begin("Desktop", recipe)
    begun.use(path, "Team board")
    before = begun.all()
    gone = begun.delete(path)
    assert begun.all() == ()
    assert [one.title for one in begun.deleted()] == ["Team board"]
    assert not begun.holds(path)
    begun.use(path, "its window is still open")
    assert begun.all() == ()
    assert begun.restore(gone) == path
    assert begun.all() == before
    assert begun.deleted() == ()


def test_a_restored_object_gets_a_number_if_its_name_is_taken(begun: BegunObjects) -> None:
    gone = begun.delete(begun.begin("Desktop", lambda _: b"old"))
    begun.begin("Desktop", lambda _: b"new")
    assert begun.restore(gone).stem == "Desktop 2"
    assert sorted(one.path.read_bytes() for one in begun.all()) == [b"new", b"old"]


def test_two_deleted_objects_of_one_name_are_both_kept(begun: BegunObjects) -> None:
    for _ in range(2):
        begun.delete(begun.begin("Desktop", recipe))
    assert len(begun.deleted()) == 2


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"{}", b'{"title": "x", "used": "soon"}', b'{"title": "x", "used": 1e999}', b"\xff"],
    ids=["empty", "list", "no facts", "no number", "endless number", "no text"],
)
def test_a_broken_record_costs_title_and_date_alone(begun: BegunObjects, tmp_path: Path, data: bytes) -> None:
    path = begun.begin("Desktop", recipe)
    (tmp_path / "begun" / "Desktop.json").write_bytes(data)
    [one] = begun.all()
    assert (one.path, one.title in ("Desktop", "x")) == (path, True)
    assert one.used > 0


def test_the_list_has_the_latest_objects_when_there_are_too_many(
    begun: BegunObjects, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(begun_objects, "MOST", 2)
    for number in range(3):
        path = begun.begin(f"N{number}", recipe)
        os.utime(tmp_path / "begun" / f"{path.stem}.json", (number, number))
    assert titles(begun) == ["N2", "N1"]


def test_an_object_that_cannot_be_written_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "objects").write_text("a file where the folder should be")
    with pytest.raises(OSError, match="exists"):
        BegunObjects(tmp_path).begin("Desktop", recipe)
    assert BegunObjects(tmp_path).all() == ()


def test_a_failed_deletion_leaves_the_object(begun: BegunObjects, tmp_path: Path) -> None:
    path = begun.begin("Desktop", recipe)
    (tmp_path / "deleted-objects").write_text("a file where the folder should be")
    with pytest.raises(OSError, match="exists"):
        begun.delete(path)
    assert titles(begun) == ["Desktop"]
