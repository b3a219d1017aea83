"""Frames: drawn, named, moved with what lies in them, exported."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog

from liven.app.export.picture import drawing
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.frames import AROUND, is_frame
from liven.liveobjects.desktop.state import Style
from liven.liveobjects.desktop.view.actions.context_menu import menu_of
from liven.liveobjects.desktop.view.tools.frame_tool import DrawFrame
from liven.liveobjects.look.view.light import LIGHT, current_look

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def framed(table: Any) -> Any:
    """A table with a frame around two notes, and a note outside."""
    table.a, table.b = table.lay("a", 100, 100), table.lay("b", 250, 100)
    table.out = table.lay("out", 600, 400)
    table.canvas.select({table.a, table.b})
    table.key(Qt.Key.Key_F)
    [table.frame] = table.canvas.selected
    return table


def corner(table: Any) -> QPointF:
    """Return a point of the frame where no note lies."""
    place = table.item(table.frame).place
    at: QPointF = table.canvas.camera.to_window(QPointF(place.x + 70, place.y + 12))
    return at


def test_the_key_puts_a_frame_around_the_selection_and_undo_removes_it(framed: Any) -> None:
    assert framed.labels() == ["Frame", "a", "b", "out"]
    assert framed.place(framed.frame) == (100 - AROUND, 100 - AROUND, 250 + 2 * AROUND, 60 + 2 * AROUND)
    framed.key(Qt.Key.Key_Z, CONTROL)
    assert framed.labels() == ["a", "b", "out"]


def test_what_lies_in_a_frame_moves_with_it_in_one_step(framed: Any) -> None:
    framed.drag(corner(framed), QPointF(0, 150))
    assert framed.place(framed.a)[:2] == (100, 250)
    assert framed.place(framed.b)[:2] == (250, 250)
    assert framed.place(framed.out)[:2] == (600, 400)
    assert framed.labels() == ["Frame", "a", "b", "out"], "it stays beneath"
    framed.key(Qt.Key.Key_Z, CONTROL)
    assert framed.place(framed.a)[:2] == (100, 100)
    assert framed.place(framed.frame)[:2] == (100 - AROUND, 100 - AROUND)
    framed.canvas.select({framed.frame})
    framed.key(Qt.Key.Key_Right)
    assert framed.place(framed.b)[0] == 251


def test_a_note_moves_out_of_a_frame_alone(framed: Any) -> None:
    framed.canvas.select(())
    framed.drag(framed.middle(framed.a), QPointF(0, 300))
    assert framed.place(framed.b)[:2] == (250, 100)
    framed.drag(corner(framed), QPointF(50, 0))
    assert framed.place(framed.a)[:2] == (100, 400)


def test_a_double_click_names_the_frame_for_everybody(framed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("Friday", True))
    QTest.mouseDClick(framed.canvas, Qt.MouseButton.LeftButton, pos=corner(framed).toPoint())
    assert framed.item(framed.frame).label == "Friday"
    assert framed.canvas.editing is None
    framed.key(Qt.Key.Key_Z, CONTROL)
    assert framed.item(framed.frame).label == "Frame"


@pytest.mark.parametrize("light", ["day", "dusk"])
def test_its_name_stands_above_it_and_its_edge_is_seen(framed: Any, light: str, qapp: Any) -> None:
    framed.canvas.select(())
    framed.canvas.grid = False
    qapp.setProperty(LIGHT, light)
    try:
        framed.canvas.item_views.pictures.clear()
        picture = framed.canvas.grab().toImage()
        look, place = current_look(), framed.item(framed.frame).place
        top = framed.canvas.camera.to_window(QPointF(place.x, place.y)).toPoint()
        plane = QColor(look.plane)
        name = [picture.pixelColor(top.x() + x, top.y() - y) for x in range(2, 45) for y in range(4, 18)]
        assert any(abs(one.lightness() - plane.lightness()) > 60 for one in name)
        edge = [picture.pixelColor(top.x() + x, top.y() + 60) for x in range(-2, 3)]
        assert any(one.name() == look.line for one in edge)
    finally:
        qapp.setProperty(LIGHT, None)


def test_exporting_a_frame_takes_what_lies_in_it(framed: Any) -> None:
    framed.canvas.select({framed.frame})
    size, draw = drawing(framed.canvas, selection=True)
    assert (size.width(), size.height()) == (250 + 2 * AROUND + 40, 60 + 2 * AROUND + 40)
    picture = QImage(size, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.white)
    painter = QPainter(picture)
    draw(painter)
    painter.end()
    note = QColor(current_look().papers["sun"].sheet)
    assert picture.pixelColor(round(20 + AROUND + 50), round(20 + AROUND + 50)) == note


def test_connectors_in_a_frame_are_painted_over_it(framed: Any) -> None:
    framed.canvas.do(commands.connect(framed.canvas.state, framed.a, framed.b))
    [link] = framed.canvas.state.links.values()
    framed.canvas.do(commands.restyle(framed.canvas.state, link.key, Style(hue="blue")))
    framed.settle()
    framed.canvas.select(())
    middle = framed.canvas.camera.to_window(framed.canvas.connectors.middle(link)).toPoint()
    wanted = QColor(current_look().hues[0])
    picture = framed.canvas.grab().toImage()
    line = [picture.pixelColor(middle.x(), middle.y() + y) for y in (-1, 0, 1)]
    assert min(abs(one.red() - wanted.red()) for one in line) < 30, "not through a veil"


def test_zoom_to_selection_shows_the_frame(framed: Any) -> None:
    framed.canvas.select({framed.frame})
    framed.key(Qt.Key.Key_2, CONTROL)
    place, seen = framed.item(framed.frame).place, framed.canvas.visible_area
    assert seen.contains(QPointF(place.x, place.y))
    assert seen.contains(QPointF(place.x + place.width, place.y + place.height))


def test_the_context_menu_and_the_tool_make_frames(table: Any) -> None:
    menu = menu_of(table.canvas, QPointF(400, 300), table.canvas)
    next(one for one in menu.actions() if one.text() == "New frame here").trigger()
    [first] = table.canvas.selected
    assert is_frame(table.item(first).reference)
    gesture = DrawFrame(table.canvas, QPointF(10, 20))
    gesture.follow(QPointF(210, 120), Qt.KeyboardModifier.NoModifier)
    gesture.end()
    [second] = table.canvas.selected
    assert table.place(second) == (10, 20, 200, 100)
