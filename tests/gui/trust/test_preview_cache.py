"""Pictures of windows: private files, and none of anything encrypted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QPixmap

from liven.app.trust.preview_cache import PreviewCache
from liven.liveobjects.view.contract import HasParts, View
from liven.runtime.reference.model import Reference
from liven.runtime.reference.xml import write

ENCRYPTED = write(Reference("liven:text", source=Reference("acme:folder"))).decode()
PLAIN = write(Reference("liven:text")).decode()


class Parts(View, HasParts):
    """A view of an object with the given parts."""

    recipes: tuple[str, ...] = ()

    def part_recipes(self) -> tuple[str, ...]:
        return self.recipes


@pytest.fixture
def window(desk: Any, local_recipe: Any) -> Any:
    return desk.open(local_recipe("liven:text", "List"))


def pictures(desk: Any) -> list[Path]:
    return sorted((desk.folders.cache / "pictures").glob("*"))


def test_a_picture_and_its_folder_are_for_this_user_alone(desk: Any, window: Any) -> None:
    window.close()
    [picture] = pictures(desk)
    assert [path.stat().st_mode & 0o77 for path in (picture, picture.parent)] == [0, 0]


@pytest.mark.parametrize(("part", "count"), [(PLAIN, 1), (ENCRYPTED, 0), ("", 0)])
def test_a_window_with_a_part_that_may_be_encrypted_leaves_no_picture(
    desk: Any, window: Any, part: str, count: int
) -> None:
    shown = Parts()
    shown.recipes = (PLAIN, part)
    window.view, kept = shown, window.view
    desk.windows._pictures.keep(window)
    window.view = kept
    assert len(pictures(desk)) == count


def test_an_older_picture_is_deleted_once_the_object_shows_something_encrypted(
    desk: Any, window: Any
) -> None:
    desk.windows._pictures.keep(window)
    assert len(pictures(desk)) == 1
    shown = Parts()
    shown.recipes = (ENCRYPTED,)
    window.view, kept = shown, window.view
    desk.windows._pictures.keep(window)
    window.view = kept
    assert pictures(desk) == []


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    PreviewCache(tmp_path / "file").keep(Reference("liven:text"), QPixmap(8, 8))
