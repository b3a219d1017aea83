"""Esc in a nested desktop first leaves what is open in it, then the desktop itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.objects.desktop.test_drop_targets import Desk, alone

from liven.app.palette.new_objects import desktop
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.running_items import Running
from liven.liveobjects.desktop.state import Place
from liven.liveobjects.desktop.view import Canvas
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.new_objects import window
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import write

if TYPE_CHECKING:
    from tests.gui.objects.conftest import Room

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def desk(room: Room) -> Desk:
    return Desk(room)


def lay(desk: Desk, canvas: Canvas, thing: Object, name: str, place: Place) -> str:
    """Add an item to any of the desktops; return its key once it runs."""
    key, command = commands.add(canvas.state, write(thing).decode(), name, place)
    assert canvas.do(command)
    desk.room.wait(lambda: canvas.item_views.view(key) is not None and not canvas.item_views._waits(key))
    return key


def at(canvas: Canvas, key: str) -> Any:
    return canvas.camera.to_window(rect(canvas.state.items[key].place).center()).toPoint()


def enter(desk: Desk, canvas: Canvas, key: str) -> Any:
    """Double-click an item; return its widget."""
    QTest.mouseDClick(canvas, LEFT, pos=at(canvas, key))
    desk.room.settle()
    assert canvas.editing == key
    return canvas.item_views.widget(key)


def esc(desk: Desk) -> None:
    """Press Esc in the focused widget."""
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_Escape)
    desk.room.settle()


def overview(desk: Desk) -> tuple[str, tuple[QPointF, float]]:
    """Add a nested desktop that is seen small; return it with the viewport."""
    table = desk.lay(desktop("Table"), "Table", 0, 0)
    far = desk.lay(alone("Far"), "Far", 0, 0)
    places = {table: Place(900, 700, 480, 320), far: Place(1500, 1200, 200, 150)}
    desk.canvas.do(commands.place(desk.canvas.state, places, "Size"))
    desk.key(Qt.Key.Key_1, Qt.KeyboardModifier.ShiftModifier)
    assert desk.canvas.camera.zoom < 0.8
    return table, looks(desk.canvas)


def looks(canvas: Canvas) -> tuple[QPointF, float]:
    return QPointF(canvas.camera.corner), canvas.camera.zoom


@pytest.mark.parametrize("by", ["double click", "Enter"])
def test_esc_leaves_a_nested_desktop_and_restores_the_viewport(desk: Desk, by: str) -> None:
    table, before = overview(desk)
    if by == "Enter":
        QTest.mouseClick(desk.canvas, LEFT, pos=at(desk.canvas, table))
        desk.key(Qt.Key.Key_Return)
    else:
        enter(desk, desk.canvas, table)
    assert desk.canvas.editing == table
    assert isinstance(QApplication.focusWidget(), Canvas)
    assert QApplication.focusWidget() is not desk.canvas
    assert desk.canvas.camera.zoom == 1
    esc(desk)
    assert desk.canvas.editing is None
    assert looks(desk.canvas) == before
    assert desk.canvas.hasFocus()
    assert desk.canvas.selected == {table}
    esc(desk)
    assert desk.canvas.selected == frozenset()


def test_each_esc_leaves_one_thing_within_the_nested_desktop(desk: Desk) -> None:
    table, before = overview(desk)
    inner = enter(desk, desk.canvas, table)
    page = lay(desk, inner, alone("Page"), "Page", Place(20, 20, 200, 150))
    enter(desk, inner, page)
    esc(desk)
    assert (inner.editing, desk.canvas.editing) == (None, table), "the note is left"
    assert inner.selected == {page}
    place = inner.state.items[page].place
    QTest.mousePress(inner, LEFT, pos=at(inner, page))
    QTest.mouseMove(inner, at(inner, page) * 2)
    assert inner.gesture is not None
    esc(desk)
    assert (inner.gesture, desk.canvas.editing) == (None, table), "the mouse lets go"
    QTest.mouseRelease(inner, LEFT, pos=at(inner, page) * 2)
    assert inner.state.items[page].place == place
    esc(desk)
    assert (inner.selected, desk.canvas.editing) == (frozenset(), table), "nothing is selected"
    esc(desk)
    assert desk.canvas.editing is None
    assert looks(desk.canvas) == before


def test_each_esc_leaves_one_of_several_nested_desktops(desk: Desk) -> None:
    table, before = overview(desk)
    inner = enter(desk, desk.canvas, table)
    drawer = lay(desk, inner, desktop("Drawer"), "Drawer", Place(20, 20, 260, 180))
    innermost = enter(desk, inner, drawer)
    assert innermost.hasFocus()
    esc(desk)
    assert (inner.editing, desk.canvas.editing) == (None, table)
    assert inner.hasFocus()
    esc(desk)
    assert inner.selected == frozenset()
    esc(desk)
    assert desk.canvas.editing is None
    assert looks(desk.canvas) == before


def test_desktop_in_a_caption_window_is_left_in_the_same_way(desk: Desk) -> None:
    frame = desk.lay(window("Frame"), "Frame", 100, 100)
    desk.canvas.do(commands.place(desk.canvas.state, {frame: Place(100, 100, 480, 320)}, "Size"))
    desk.inside(frame).insert(write(desktop("Table")).decode(), "Table")
    desk.room.wait(lambda: desk.inside(frame).inner is not None)
    panel = enter(desk, desk.canvas, frame)
    inner = panel.findChild(Canvas)
    desk.room.wait(inner.hasFocus)
    page = lay(desk, inner, alone("Page"), "Page", Place(20, 20, 200, 150))
    QTest.mouseClick(inner, LEFT, pos=at(inner, page))
    esc(desk)
    assert (inner.selected, desk.canvas.editing) == (frozenset(), frame)
    esc(desk)
    assert desk.canvas.editing is None
    assert desk.canvas.hasFocus()


def test_menu_entry_leaves_in_the_same_way(desk: Desk) -> None:
    table, _ = overview(desk)
    inner = enter(desk, desk.canvas, table)
    page = lay(desk, inner, alone("Page"), "Page", Place(20, 20, 200, 150))
    QTest.mouseClick(inner, LEFT, pos=at(inner, page))
    [entry] = [one for one in desk.view.actions() if one.keys == ("Esc",)]
    entry.run()
    assert (inner.selected, desk.canvas.editing) == (frozenset(), table)
    entry.run()
    assert desk.canvas.editing is None


def test_desktop_left_with_the_mouse_over_it_keeps_running(desk: Desk) -> None:
    table, _ = overview(desk)
    inner = enter(desk, desk.canvas, table)
    model = inner.model
    desk.room.wait(lambda: model._others._said is not None)
    QTest.mouseMove(inner, inner.rect().center())
    esc(desk)
    inner.collaborators.set_pointer(None)  # as when the mouse leaves a canvas that is about to end
    desk.room.wait(lambda: not model._others._timer.active and model._others._said is None)
    assert isinstance(desk.canvas.item_views.running_items.presence(table), Running)
