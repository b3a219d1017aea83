"""The painted face of a folder: title, tiles and names in each light, and the room that they need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QColor, QPixmap
from tests.gui.objects.painted_face import picture, runs, texts

from liven.liveobjects.desktop.view.items.thumbnail_cache import ThumbnailCache
from liven.liveobjects.folder.view import folder_face
from liven.liveobjects.folder.view.folder_face import FolderFace, Thing
from liven.liveobjects.look.contrast import MARK, contrast
from liven.liveobjects.look.tokens import Look
from liven.runtime.reference.model import Reference
from liven.runtime.reference.xml import write


def thing(name: str, kind: str = "liven:text") -> Thing:
    return Thing(name, write(Reference(kind)).decode())


PLANS = (thing("Menu"), thing("Poster", "liven:image-2d"), thing("Budget", "nobody:chart"))


@pytest.fixture(autouse=True)
def pictures(monkeypatch: pytest.MonkeyPatch) -> Iterator[ThumbnailCache]:
    """The pictures of things that ran, none at first."""
    kept = ThumbnailCache()
    monkeypatch.setattr(folder_face, "thumbnails", lambda: kept)
    yield kept


def face(*things: Thing, state: str = "", read_only: bool = False) -> FolderFace:
    return FolderFace("Plans", things, state, read_only)


def test_a_folder_shows_its_name_and_a_tile_with_a_name_for_each_thing(light: Look) -> None:
    seen = runs(face(*PLANS).paint, 280, 230)
    assert {"Plans", "3 things", "Menu", "Poster", "Budget"} <= {run.text for run in seen}
    inks = {run.text: run.ink for run in seen}
    assert inks["Plans"] == inks["Menu"] == light.ink
    assert inks["3 things"] == light.quiet
    places = {run.text: run.x for run in seen}
    assert places["Plans"] < places["3 things"]
    assert places["Menu"] < places["Poster"] < places["Budget"]
    assert "Ch" in inks, "the letters of a kind without a sign"


def test_a_note_is_a_sheet_and_the_other_tiles_have_their_sign(light: Look) -> None:
    painted = picture(face(*PLANS).paint, 280, 230)
    assert painted.pixelColor(42, 96).name() == light.papers["sun"].sheet
    ground = painted.pixelColor(110, 60).name()
    colours = {painted.pixelColor(x, y).name() for x in range(92, 130) for y in range(60, 100)}
    assert max(contrast(one, ground) for one in colours) >= MARK


def test_a_picture_of_what_ran_here_is_its_tile(light: Look, pictures: ThumbnailCache) -> None:
    red = QPixmap(80, 40)
    red.fill(QColor("#c02020"))
    pictures.keep(PLANS[1].recipe, red, "")
    painted = picture(face(*PLANS).paint, 280, 230)
    assert painted.pixelColor(110, 74).name() == "#c02020"


def test_an_empty_folder_says_what_to_do_and_one_that_is_gone_why(qapp: Any) -> None:
    assert texts(face().paint, 280, 230) == ["Plans", "Drag things here to keep them."]
    assert texts(face(read_only=True).paint, 280, 230)[1:] == ["Nothing is in this folder."]
    assert texts(face(state="the folder is gone").paint, 280, 230) == ["Plans", "The folder is gone."]


def test_where_room_is_short_the_last_tile_counts_the_others(qapp: Any) -> None:
    many = face(*(thing(f"N{n}") for n in range(20)))
    seen = texts(many.paint, 280, 230)
    assert [one for one in seen if one.startswith("N")] == [f"N{n}" for n in range(7)]
    assert seen[-2:] == ["+13", "more"]
    low = texts(many.paint, 280, 100)
    assert low[-1] == "+17"
    assert not [one for one in low if one.startswith("N")]
    assert texts(many.paint, 280, 60) == ["20 things", "Plans"]


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 900), st.integers(1, 900), st.integers(0, 30))
def test_any_folder_tells_of_all_its_things_in_any_size_with_tiles(
    qapp: Any, width: int, height: int, count: int
) -> None:
    names = [f"N{n}" for n in range(count)]
    seen = texts(face(*map(thing, names)).paint, width, height)
    shown = [one for one in seen if one in names]
    rest = sum(int(one[1:]) for one in seen if one[:1] == "+" and one[1:].isdigit())
    if shown:
        assert len(shown) + rest == count
