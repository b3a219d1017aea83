"""The card of an item that stopped: what happened, why, and buttons that act with a click or by keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Place
from liven.liveobjects.desktop.view.items.stopped_card import AGAIN, ASIDE, DETAILS, StoppedCard
from liven.liveobjects.desktop.view.items.thumbnail_cache import thumbnails
from liven.liveobjects.look.view.light import current_look

PLACE = Place(100, 100, 320, 200)


@pytest.fixture
def stopped(table: Any) -> Iterator[str]:
    """The key of an item that could not be built."""
    recipe = table.recipe("x").replace("liven:text", "no such:thing")
    key, command = commands.add(table.canvas.state, recipe, "Tickets", PLACE)
    assert table.canvas.do(command)
    table.settle()
    table.bot.waitUntil(lambda: table.canvas.item_views.is_stopped(str(key)), timeout=60_000)
    yield str(key)
    table.bench.problems.clear()


def zones(table: Any, key: str) -> dict[str, QRectF]:
    area = QRectF(0, 0, PLACE.width, PLACE.height)
    return {zone.key: zone.area for zone in table.canvas.item_views.zones(key, area)}


def click(table: Any, key: str, button: str) -> None:
    at = zones(table, key)[button].center() + QPointF(PLACE.x, PLACE.y)
    table.press(table.canvas.camera.to_window(at))
    table.release(table.canvas.camera.to_window(at))


def test_details_shows_its_problems(table: Any, stopped: str) -> None:
    found: list[str] = []
    table.canvas.problems_requested.connect(found.append)
    click(table, stopped, DETAILS)
    assert found == ["Tickets"]


def test_set_aside_pauses_it_and_f5_starts_it_again(table: Any, stopped: str) -> None:
    click(table, stopped, ASIDE)
    assert table.canvas.item_views.paused == {stopped}
    assert zones(table, stopped) == {}
    table.canvas.select({stopped})
    QTest.keyClick(table.canvas, Qt.Key.Key_F5)
    table.settle()
    assert not table.canvas.item_views.paused


def test_start_again_builds_it_anew(table: Any, stopped: str, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []
    monkeypatch.setattr(table.canvas.item_views, "restart", lambda item: built.append(item.key))
    click(table, stopped, AGAIN)
    assert built == [stopped]


def test_its_buttons_are_reached_by_keys_and_have_names(table: Any, stopped: str) -> None:
    table.canvas.select({stopped})
    table.bot.waitUntil(lambda: len(table.canvas.ghosts.shown) == 3, timeout=60_000)
    names = [one.accessibleName() for one in table.canvas.ghosts.shown]
    assert names == ["Start again", "Details", "Set aside"]
    found: list[str] = []
    table.canvas.problems_requested.connect(found.append)
    QTest.keyClick(table.canvas.ghosts.shown[1], Qt.Key.Key_Space)
    assert found == ["Tickets"]


def test_enter_goes_to_its_buttons(table: Any, stopped: str) -> None:
    table.canvas.select({stopped})
    found: list[str] = []
    table.canvas.problems_requested.connect(found.append)
    QTest.keyClick(table.canvas, Qt.Key.Key_Return)
    first = QApplication.focusWidget()
    assert first is table.canvas.ghosts.shown[0]
    QTest.keyClick(first, Qt.Key.Key_Tab)
    QTest.keyClick(table.canvas.ghosts.shown[1], Qt.Key.Key_Space)
    assert QApplication.focusWidget() is table.canvas.ghosts.shown[1]
    assert found == ["Tickets"]


def test_a_drag_on_a_button_moves_the_item(table: Any, stopped: str) -> None:
    start = table.canvas.camera.to_window(zones(table, stopped)[AGAIN].center() + QPointF(PLACE.x, PLACE.y))
    table.drag(start, QPointF(60, 40))
    assert table.place(stopped)[:2] != (PLACE.x, PLACE.y)


def test_its_last_picture_is_behind_the_words(table: Any, stopped: str) -> None:
    picture = QPixmap(320, 200)
    picture.fill(QColor("#ff0000"))
    before = table.canvas.grab().toImage()
    thumbnails().keep(table.item(stopped).reference, picture, "")
    table.canvas.item_views.pictures.forget(stopped)
    at = table.canvas.camera.to_window(QPointF(PLACE.x + 160, PLACE.y + 30)).toPoint()
    after = table.canvas.grab().toImage()
    assert before.pixelColor(at).red() == before.pixelColor(at).green()
    seen = after.pixelColor(at)
    assert seen.red() > seen.green() > 100, "a third of red on the card"


def painted(card: StoppedCard, width: int, height: int) -> QImage:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("#808080"))
    painter = QPainter(image)
    card.paint(painter, QRectF(0, 0, width, height), None, QRectF())
    painter.end()
    return image


@pytest.mark.parametrize(("width", "height"), [(320, 200), (160, 120), (90, 90), (40, 40), (8, 8), (2, 90)])
def test_its_buttons_stay_inside_at_every_size(qapp: Any, width: int, height: int) -> None:
    card = StoppedCard("Tickets has stopped", "Row 18 of tickets.csv has no number. " * 9)
    painted(card, width, height)
    area = QRectF(0, 0, width, height)
    areas = [zone.area for zone in card.zones(area)]
    assert all(area.contains(one) for one in areas)
    assert not any(one.intersects(two) for at, one in enumerate(areas) for two in areas[:at])


def test_what_a_person_did_not_allow_has_no_red(qapp: Any) -> None:
    area = QRectF(0, 0, 320, 200)
    declined = StoppedCard("Tickets is not allowed to run", "you did not allow it", declined=True)
    assert [zone.words for zone in declined.zones(area)] == ["Ask again"]
    colours = {painted(declined, 320, 200).pixelColor(x, 0).name() for x in range(320)}
    assert current_look().bad not in colours
