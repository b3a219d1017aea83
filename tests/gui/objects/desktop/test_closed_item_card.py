"""Cards on a desktop that is not entered: items are distinguished by thumbnail, icon, name and text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPalette, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.objects.desktop.test_drop_targets import Desk, alone

from liven.app.appearance.qt_palette import palette_of
from liven.app.palette.new_objects import KINDS, desktop, note
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.search.picture_store import PictureStore
from liven.liveobjects.desktop.search.text_cache import TextCache
from liven.liveobjects.desktop.state import Item, Place
from liven.liveobjects.desktop.view.items import thumbnail_cache as looks
from liven.liveobjects.desktop.view.items.closed_item_card import paint_card
from liven.liveobjects.desktop.view.items.pixmap_cache import PixmapCache
from liven.liveobjects.desktop.view.items.thumbnail_cache import ThumbnailCache, thumbnails
from liven.liveobjects.folder.recipe import folder
from liven.liveobjects.look.tokens import HIGH_DARK
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.view.accessibility import HIGH_CONTRAST
from liven.runtime.reference.model import NAME, Attribute, Reference
from liven.runtime.reference.xml import compact

if TYPE_CHECKING:
    from tests.gui.objects.conftest import Room


@pytest.fixture
def desk(room: Room) -> Desk:
    return Desk(room)


@pytest.fixture(params=["light", "dark", "strong"])
def look(qapp: QApplication, request: Any) -> Iterator[QPalette]:
    if request.param == "dark":
        palette = QPalette(QColor("#353535"))
        palette.setColor(QPalette.ColorRole.Base, QColor("#232323"))
        qapp.setPalette(palette)
    elif request.param == "strong":
        qapp.setProperty(HIGH_CONTRAST, True)
        qapp.setPalette(palette_of(HIGH_DARK))
    yield qapp.palette()
    qapp.setProperty(HIGH_CONTRAST, None)
    qapp.setPalette(QPalette())


def known(**words: str) -> TextCache:
    made = TextCache(None, lambda _: None)
    for recipe, said in words.items():
        made.keep(recipe, said)
    return made


def card(item: Item, scale: float = 1.0, words: TextCache | None = None, *, by_name: bool = False) -> QImage:
    place = item.place
    image = QImage(int(place.width * scale), int(place.height * scale), QImage.Format.Format_RGB32)
    image.fill(QColor("#808080"))
    painter = QPainter(image)
    painter.scale(scale, scale)
    paint_card(painter, QRectF(0, 0, place.width, place.height), item, words or known(), by_name=by_name)
    painter.end()
    return image


def thing(recipe: str, label: str = "", width: float = 200, height: float = 150) -> Item:
    return Item("1", label, Place(0, 0, width, height), recipe)


def differs(pictures: list[QImage]) -> bool:
    return all(a != b for a, b in combinations(pictures, 2))


@pytest.mark.parametrize("scale", [1.0, 0.3, 0.12])
def test_kinds_look_different_at_every_scale_and_in_every_theme(look: QPalette, scale: float) -> None:
    things = [thing(compact(kind.make("x"))) for kind in KINDS]
    assert differs([card(one, scale) for one in things])
    one = card(things[0], scale)
    assert one.pixelColor(3, one.height() // 2).name() == current_look().card


def test_items_of_one_kind_differ_by_name_or_text(look: QPalette) -> None:
    recipe, other = compact(note("x")), compact(note("x"))
    assert differs([card(thing(recipe, "Milk")), card(thing(recipe, "Bread"))])
    words = known(**{recipe: "milk and eggs", other: "bread"})
    pictures = [card(thing(one), 1.0, words) for one in (recipe, other)]
    assert differs([*pictures, card(thing(recipe))])
    low = [card(thing(one, height=24), 1.0, words) for one in (recipe, other)]
    assert differs(low), "where there is one line, the words follow the name in it"


def test_the_name_in_a_recipe_stands_on_the_card() -> None:
    plain = note("x")
    assert isinstance(plain, Reference)
    milk, bread = (compact(replace(plain, attributes=(Attribute(NAME, name),))) for name in ("Milk", "Bread"))
    assert differs([card(thing(milk)), card(thing(bread))])
    assert card(thing(milk)) == card(thing(compact(note("x")), "Milk"))


def test_a_card_by_name_shows_no_picture_in_its_place(qapp: QApplication) -> None:
    recipe = compact(note("x"))
    plain = card(thing(recipe, "Milk"))
    picture = QPixmap(200, 150)
    picture.fill(QColor("red"))
    thumbnails().keep(recipe, picture, "")
    assert card(thing(recipe, "Milk")) != plain
    assert card(thing(recipe, "Milk"), by_name=True) == plain


def test_letters_and_icons_stay_within_the_card(qapp: QApplication) -> None:
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    for width, height in ((200.0, 150.0), (90.0, 40.0), (60.0, 21.0), (20.0, 100.0), (8.0, 8.0), (2.0, 90.0)):
        image.fill(QColor("#808080"))
        painter = QPainter(image)
        recipe = compact(note("x"))
        item = thing(recipe, "A name that is much too long for it" * 9, width, height)
        paint_card(painter, QRectF(40, 40, width, height), item, known(**{recipe: "words " * 500}))
        painter.end()
        outside = {
            image.pixelColor(x, y).name()
            for x in range(300)
            for y in range(200)
            if not QRectF(39, 39, width + 2, height + 2).contains(QPointF(x, y))
        }
        assert outside == {"#808080"}, (width, height)


def test_item_dropped_into_a_desktop_shows_its_thumbnail(desk: Desk) -> None:
    page, table = (
        desk.lay(alone("Card page"), "Card page", 0, 0),
        desk.lay(desktop("Table"), "Table", 400, 200),
    )
    desk.canvas.grab()
    recipe = desk.canvas.state.items[page].reference
    assert thumbnails().of(recipe) is None, "it runs"
    desk.drag(desk.middle(page), desk.middle(table))
    kept = thumbnails().of(recipe)
    assert kept is not None
    assert kept.picture is not None
    seen = desk.room.painted(desk.inside(table), 400, 300)
    assert desk.inside(table)._widget is None
    thumbnails()._kept.clear()
    assert desk.room.painted(desk.inside(table), 400, 300) != seen


def test_item_that_ran_in_a_desktop_shows_its_thumbnail_after_leaving(desk: Desk) -> None:
    table = desk.lay(desktop("Table"), "Table", 100, 100)
    inner = desk.inside(table)
    recipe = compact(note(""))
    _, command = commands.add(inner._model.editor.state, recipe, "", Place(0, 0, 120.0, 80.0))
    inner._model.editor.edit(command.name, *command.changes)
    before = desk.room.painted(inner)
    desk.canvas.edit(desk.canvas.state.items[table])
    canvas = inner.widget()
    [key] = canvas.state.items
    desk.room.wait(lambda: canvas.item_views.view(key) is not None and not canvas.item_views._waits(key))
    canvas.edit(canvas.state.items[key])
    QTest.keyClicks(canvas.item_views.widget(key), "Milk and eggs")
    canvas.leave_editing()
    canvas.grab()
    told: list[str] = []
    inner.changed.connect(lambda: told.append("changed"))
    desk.canvas.leave_editing()
    kept = thumbnails().of(recipe)
    assert kept is not None
    assert kept.words == "Milk and eggs"
    desk.room.wait(lambda: told)
    assert desk.room.painted(inner) != before


def test_small_single_item_is_not_enlarged(desk: Desk) -> None:
    table = desk.lay(desktop("Table"), "Table", 100, 100)
    inner = desk.inside(table)
    _, command = commands.add(inner._model.editor.state, compact(note("")), "", Place(0, 0, 60.0, 40.0))
    inner._model.editor.edit(command.name, *command.changes)
    image = desk.room.painted(inner, 400, 300)
    ground = QApplication.palette().color(QPalette.ColorRole.Base)
    inside = QRectF(169, 129, 62, 42)
    spots = [QPointF(x, y) for x in range(3, 397, 7) for y in range(3, 297, 7)]
    assert all(image.pixelColor(one.toPoint()) == ground for one in spots if not inside.contains(one))
    assert any(image.pixelColor(one.toPoint()) != ground for one in spots if inside.contains(one))


def test_thumbnails_in_other_colours_are_not_shown(qapp: QApplication) -> None:
    recipe = compact(note("x"))
    picture = QPixmap(100, 80)
    picture.fill(QColor("#ff0000"))
    thumbnails().keep(recipe, picture, "")
    assert card(thing(recipe)).pixelColor(100, 75) == QColor("#ff0000")
    qapp.setPalette(palette_of(HIGH_DARK))
    try:
        assert card(thing(recipe)).pixelColor(100, 75) != QColor("#ff0000")
    finally:
        qapp.setPalette(QPalette())


def test_thumbnails_are_limited_in_number_and_memory(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looks, "MOST", 5)
    kept = ThumbnailCache()
    for number in range(9):
        kept.keep(f"{number}", None, "words")
    assert [number for number in range(9) if kept.of(f"{number}") is not None] == [4, 5, 6, 7, 8]
    kept.keep("large", QPixmap(3000, 1500), "w" * 10_000)
    large = kept.of("large")
    assert large is not None
    assert large.picture is not None
    assert large.picture.width() == looks.LARGEST
    assert len(large.words) == looks.LETTERS
    monkeypatch.setattr(looks, "MOST_BYTES", 2 * large.picture.sizeInBytes())
    for number in range(4):
        kept.keep(f"p{number}", QPixmap(3000, 1500), "")
    assert [number for number in range(4) if kept.of(f"p{number}") is not None] == [2, 3]
    assert kept._bytes <= looks.MOST_BYTES


def test_last_picture_is_known_until_the_item_is_repainted(qapp: QApplication) -> None:
    pictures, size = PixmapCache(), QSizeF(20, 20)
    made = pictures.get("a", size, 1.0, lambda *_: None)
    pictures.outdate("a")
    assert pictures.kept("a", size) is None
    last = pictures.last("a")
    assert last is not None
    assert last.cacheKey() == made.cacheKey()
    pictures.get("a", size, 1.0, lambda *_: None)
    assert not pictures._outdated
    pictures.forget("a")
    assert pictures.last("a") is None


@pytest.fixture
def stored(tmp_path: Path) -> Iterator[PictureStore]:
    """A folder for pictures, as a program has one."""
    made = PictureStore(tmp_path / "thumbnails", lambda job: job(), lambda call: call())
    thumbnails().store = made
    yield made
    thumbnails().store = None


def restart() -> None:
    """Forget what is in memory, as the end of a program does."""
    thumbnails()._kept.clear()
    thumbnails()._looked_for.clear()
    thumbnails()._bytes = 0


def red() -> QPixmap:
    made = QPixmap(100, 80)
    made.fill(QColor("#ff0000"))
    return made


def test_thumbnails_are_there_after_a_restart(qapp: QApplication, stored: PictureStore) -> None:
    recipe, other = compact(note("x")), compact(note("y"))
    thumbnails().keep(recipe, red(), "milk")
    restart()
    assert card(thing(recipe)).pixelColor(100, 75) != QColor("#ff0000")
    thumbnails().fetch([recipe, other])
    assert card(thing(recipe)).pixelColor(100, 75) == QColor("#ff0000")
    assert thumbnails().of(other) is None


def test_words_are_there_beside_a_thumbnail_from_disk(qapp: QApplication, stored: PictureStore) -> None:
    recipe = compact(note("x"))
    thumbnails().keep(recipe, red(), "milk")
    restart()
    thumbnails().fetch([recipe])
    qapp.setPalette(palette_of(HIGH_DARK))
    try:
        assert card(thing(recipe), 1.0, known(**{recipe: "milk"})) != card(thing(recipe))
    finally:
        qapp.setPalette(QPalette())


def test_no_thumbnail_of_anything_encrypted_is_stored(qapp: QApplication, stored: PictureStore) -> None:
    secret = compact(Reference("liven:text", source=Reference("acme:folder")))
    plain = compact(note("x"))
    thumbnails().keep(secret, red(), "")
    thumbnails().keep(plain, red(), "", (secret,))
    restart()
    thumbnails().fetch([secret, plain])
    assert thumbnails().of(secret) is thumbnails().of(plain) is None


def test_the_thumbnail_of_a_removed_item_is_deleted(desk: Desk, stored: PictureStore) -> None:
    page = desk.lay(alone("Card page"), "Card page", 0, 0)
    thumbnails().store = stored  # the program of the test has none
    recipe = desk.canvas.state.items[page].reference
    desk.canvas.grab()
    desk.canvas.select({page})
    desk.key(Qt.Key.Key_Delete)
    restart()
    thumbnails().fetch([recipe])
    assert thumbnails().of(recipe) is None


@pytest.mark.parametrize("kind", ["desktop", "folder"])
def test_the_last_look_of_a_thing_put_into_a_container_is_there_after_a_restart(
    desk: Desk, stored: PictureStore, kind: str
) -> None:
    page = desk.lay(alone("Card page"), "Card page", 0, 0)
    into = desk.lay(desktop("Table") if kind == "desktop" else folder("Box"), "Into", 400, 200)
    thumbnails().store = stored
    recipe = desk.canvas.state.items[page].reference
    desk.canvas.grab()
    desk.drag(desk.middle(page), desk.middle(into))
    assert desk.names() == ["Into"]
    assert desk.canvas.item_views._words.of(recipe) == "Card page", "it was not removed, but moved"
    restart()
    before = desk.room.painted(desk.inside(into), 400, 300)
    after = desk.room.painted(desk.inside(into), 400, 300)
    assert thumbnails().of(recipe) is not None
    assert before == after, "what can be read at once is shown at once"
