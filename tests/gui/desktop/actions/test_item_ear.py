"""The ear of an item, by real movements of the mouse: it waits, names, opens, and goes."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtWidgets import QApplication, QMenu

from liven.liveobjects.desktop.view.actions.item_ear import HIGH, Zone
from liven.liveobjects.look.tokens import SMALLEST_HIT

NONE = Qt.MouseButton.NoButton


def hover(table: Any, at: QPointF) -> None:
    """Move the mouse without a pressed button."""
    table.move(at, button=NONE)


def shown(table: Any, key: str) -> Any:
    """Rest the mouse on an item until its ear is there."""
    hover(table, table.middle(key))
    table.bot.waitUntil(lambda: table.canvas.ear._shown, timeout=20_000)
    return table.canvas.ear


@pytest.fixture
def note(table: Any) -> str:
    made: str = table.lay("Programme", 200, 200, 240, 160)
    table.canvas.select(())
    return made


def test_an_ear_comes_after_a_while_above_its_item(table: Any, note: str) -> None:
    ear = table.canvas.ear
    hover(table, table.middle(note))
    assert ear.hovered == note
    assert not ear._shown, "at first the mouse may only pass"
    table.bot.waitUntil(lambda: ear._shown, timeout=20_000)
    area = ear._name_area()
    assert area.bottom() < table.canvas.camera.to_window(QPointF(200, 200)).y()
    assert area.height() == HIGH >= SMALLEST_HIT
    before = table.canvas.grab().toImage()
    ear.leave()
    assert table.canvas.grab().toImage() != before


@pytest.mark.qt_log_ignore("does not support (raise|grabbing the keyboard)")
def test_its_buttons_open_the_item_and_show_its_menu(table: Any, note: str) -> None:
    ear = shown(table, note)
    at = ear._button(Zone.OPEN).center()
    hover(table, at)
    assert ear._under is Zone.OPEN
    assert table.canvas.cursor().shape() is Qt.CursorShape.PointingHandCursor
    table.press(at)
    table.release(at)
    assert table.opened == ["Programme"]
    assert table.selected() == {"Programme"}
    table.canvas.select(())
    hover(table, QPointF(5, 5))
    at = shown(table, note)._button(Zone.MENU).center()
    table.press(at)
    [menu] = table.canvas.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert "Edit" in "".join(one.text() for one in menu.actions())
    menu.close()


def test_it_stays_on_the_way_to_it_and_goes_elsewhere(table: Any, note: str) -> None:
    ear = shown(table, note)
    between = QPointF(ear._name_area().left() + 10, ear._name_area().bottom() + 4)
    hover(table, between)
    assert ear._shown
    hover(table, QPointF(5, 5))
    assert not ear._shown
    assert ear.hovered is None


def test_a_press_elsewhere_a_zoom_and_leaving_the_window_hide_it(table: Any, note: str) -> None:
    ear = shown(table, note)
    table.press(QPointF(5, 5))
    table.release(QPointF(5, 5))
    assert not ear._shown
    ear = shown(table, note)
    table.canvas.zoom_and_view.zoom(1.25, QPointF(0, 0))
    assert not ear._shown
    ear = shown(table, note)
    QApplication.sendEvent(table.canvas, QEvent(QEvent.Type.Leave))
    assert not ear._shown


def test_a_selected_item_has_handles_and_no_ear(table: Any, note: str) -> None:
    table.canvas.select({note})
    hover(table, table.middle(note))
    table.canvas.ear._show()
    assert not table.canvas.ear._shown


@pytest.mark.parametrize(("x", "y"), [(0.0, 0.0), (-200.0, -20.0), (1e4, 0.0)])
def test_it_stays_in_the_window(table: Any, x: float, y: float) -> None:
    key = table.lay("A name of very many letters that nobody would ever read", x, y, 120, 90)
    table.canvas.select(())
    ear = table.canvas.ear
    ear._hover(key)
    ear._show()
    window = QRectF(table.canvas.rect())
    assert window.contains(ear._name_area())
    assert window.contains(ear._buttons())
    assert not ear._name_area().intersects(ear._buttons())


def test_an_item_that_somebody_removes_takes_its_ear_along(table: Any, note: str) -> None:
    shown(table, note)
    table.canvas.select({note})
    table.canvas.remove_selected()
    table.settle()
    assert table.canvas.ear.hovered == note
    assert not table.canvas.grab().isNull()
    hover(table, QPointF(5, 5))
    assert table.canvas.ear.hovered is None
