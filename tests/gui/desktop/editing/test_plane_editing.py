"""Writing where an item is painted, at any zoom: the picture stays, and the mouse finds the letters."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Place
from liven.liveobjects.desktop.view.editing.shape_edit import ShapeEdit
from liven.liveobjects.desktop.view.geometry import on_plane
from liven.liveobjects.text.view import NoteEditor

ZOOMS = [0.5, 0.8, 1.0, 1.3, 2.0]
LEFT = Qt.MouseButton.LeftButton


def written(table: Any, text: str, place: Place | None = None) -> str:
    """Add a note with a text; return its key."""
    key: str = table.lay("note", 40, 40, 240, 180)
    if place is not None:
        table.canvas.do(commands.place(table.canvas.state, {key: place}, "Place"))
    table.canvas.select({key})
    table.canvas.edit_selected()
    QTest.keyClicks(page(table), text)
    table.canvas.escape()
    table.canvas.select(())
    table.settle()
    return key


def page(table: Any) -> NoteEditor:
    found = table.canvas.findChild(NoteEditor)
    assert isinstance(found, NoteEditor)
    return found


def seen(table: Any, key: str, area: QRectF) -> QPointF:
    """Return the middle of an area of an item in the window."""
    place = table.item(key).place
    there: QPointF = (on_plane(place) * table.canvas.camera.transform()).mapRect(area).center()
    return there


def letter(table: Any, key: str, at: int) -> QPointF:
    """Return the left side of a letter of the note in the window."""
    area = QRectF(page(table).rect_at(at))
    return seen(table, key, QRectF(area.left(), area.top(), 2, area.height()))


def send(table: Any, kind: QEvent.Type, at: QPointF, held: Any = LEFT) -> None:
    button = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseMove else LEFT
    there = QPointF(table.canvas.mapToGlobal(QPoint(0, 0))) + at
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(table.canvas, QMouseEvent(kind, at, there, button, held, none))


def press(table: Any, at: QPointF) -> None:
    send(table, QEvent.Type.MouseButtonPress, at)
    send(table, QEvent.Type.MouseButtonRelease, at, Qt.MouseButton.NoButton)


def inner(table: Any, key: str) -> QRect:
    """Return the part of the window inside the ring of a note."""
    place = table.item(key).place
    whole: QRectF = (on_plane(place) * table.canvas.camera.transform()).mapRect(
        QRectF(0, 0, place.width, place.height)
    )
    return whole.adjusted(5, 5, -5, -5).toRect()


def settle(table: Any) -> None:
    """Wait until the plane rests, and pictures are painted sharp."""
    table.bot.waitUntil(lambda: not table.canvas.is_moving, timeout=60_000)
    QApplication.processEvents()


def differing(one: QImage, other: QImage) -> int:
    """Return how many dots of two pictures differ by more than one can see."""
    assert one.size() == other.size()
    return sum(
        max(abs(a - b) for a, b in zip(left.getRgb()[:3], right.getRgb()[:3], strict=True)) > 9  # type: ignore[index]
        for x in range(one.width())
        for y in range(one.height())
        if (left := one.pixelColor(x, y)) != (right := other.pixelColor(x, y))
    )


@pytest.mark.parametrize("zoom", ZOOMS)
def test_entering_a_note_changes_nothing_that_is_seen(table: Any, zoom: float) -> None:
    key = written(table, "Programme of the day, with tea and buns for all who come by boat")
    table.canvas.zoom_and_view.zoom(zoom, QPointF(0, 0))
    settle(table)
    before = table.canvas.grab(inner(table, key)).toImage()
    table.canvas.select({key})
    table.canvas.edit_selected()
    table.canvas.setFocus()  # the caret is for who has the keyboard
    assert table.canvas.camera.zoom == zoom
    assert table.canvas.editing == key
    after = table.canvas.grab(inner(table, key)).toImage()
    assert differing(before, after) <= 20


@pytest.mark.parametrize("zoom", ZOOMS)
def test_a_click_finds_the_letter(table: Any, zoom: float) -> None:
    key = written(table, "one two three")
    table.canvas.zoom_and_view.zoom(zoom, QPointF(0, 0))
    table.canvas.select({key})
    table.canvas.edit_selected()
    for at in (0, 4, 8, 13):
        press(table, letter(table, key, at))
        assert page(table).textCursor().position() == at
        assert page(table).hasFocus()
    QTest.keyClicks(page(table), "!")
    assert table.canvas.item_views.words(table.item(key)) == "one two three!"


def test_a_click_finds_the_letter_in_a_rotated_note(table: Any) -> None:
    key = written(table, "one two three", Place(200, 150, 240, 180, 35))
    table.canvas.select({key})
    table.canvas.edit_selected()
    for at in (0, 4, 8, 13):
        press(table, letter(table, key, at))
        assert page(table).textCursor().position() == at


@pytest.mark.parametrize("zoom", ZOOMS)
def test_a_double_click_selects_the_word_and_a_drag_the_letters(table: Any, zoom: float) -> None:
    key = written(table, "one two three")
    table.canvas.zoom_and_view.zoom(zoom, QPointF(0, 0))
    table.canvas.select({key})
    table.canvas.edit_selected()
    at = letter(table, key, 5)
    press(table, at)
    send(table, QEvent.Type.MouseButtonDblClick, at)
    send(table, QEvent.Type.MouseButtonRelease, at, Qt.MouseButton.NoButton)
    assert page(table).textCursor().selectedText() == "two"
    start, end = letter(table, key, 1), letter(table, key, 9)
    send(table, QEvent.Type.MouseButtonPress, start)
    send(table, QEvent.Type.MouseMove, (start + end) / 2)
    send(table, QEvent.Type.MouseMove, end)
    send(table, QEvent.Type.MouseButtonRelease, end, Qt.MouseButton.NoButton)
    assert page(table).textCursor().selectedText() == "ne two t"
    assert table.canvas.gesture is None
    assert table.place(key) == (40, 40, 240, 180), "nothing was moved"


def test_a_double_click_enters_at_the_letter_under_the_mouse(table: Any) -> None:
    key = written(table, "one two three")
    table.canvas.select({key})
    table.canvas.edit_selected()
    there = letter(table, key, 4).toPoint()
    table.canvas.escape()
    QTest.mouseDClick(table.canvas, LEFT, Qt.KeyboardModifier.NoModifier, there)
    assert page(table).textCursor().position() == 4


def test_the_input_method_opens_where_one_writes(table: Any) -> None:
    key = written(table, "one two three")
    table.canvas.zoom_and_view.zoom(2, QPointF(0, 0))
    table.canvas.select({key})
    table.canvas.edit_selected()
    editor = page(table)
    found = QRectF(editor.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle))
    there = found.translated(QPointF(editor.mapTo(table.canvas, QPoint(0, 0))))
    wanted = letter(table, key, 13)
    assert abs(there.center().x() - wanted.x()) < 4
    assert abs(there.center().y() - wanted.y()) < 8


def test_a_press_beside_the_note_leaves_it(table: Any) -> None:
    key = written(table, "one")
    table.canvas.select({key})
    table.canvas.edit_selected()
    press(table, QPointF(600, 500))
    assert table.canvas.editing is None
    assert table.canvas.hasFocus()


def test_a_note_too_small_to_read_is_shown_at_100_percent_and_left_as_it_was(table: Any) -> None:
    key = written(table, "one")
    table.canvas.zoom_and_view.zoom(0.3, QPointF(0, 0))
    corner = QPointF(table.canvas.camera.corner)
    table.canvas.select({key})
    table.canvas.edit_selected()
    assert table.canvas.camera.zoom == 1
    table.canvas.escape()
    assert table.canvas.camera.zoom == 0.3
    assert table.canvas.camera.corner == corner


def test_zooming_goes_on_while_one_writes(table: Any) -> None:
    key = written(table, "one")
    table.canvas.select({key})
    table.canvas.edit_selected()
    table.canvas.zoom_and_view.zoom(1.5, QPointF(0, 0))
    assert table.canvas.editing == key
    QTest.keyClicks(page(table), " two")
    assert table.canvas.item_views.words(table.item(key)) == "one two"


def test_the_find_bar_of_a_note_lies_on_its_foot(table: Any) -> None:
    key = written(table, "one two")
    table.canvas.select({key})
    table.canvas.edit_selected()
    QTest.keyClick(page(table), Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    bar = page(table).find_bar
    assert bar.isVisible()
    assert table.canvas.rect().contains(bar.geometry())
    table.canvas.leave_editing()
    assert not bar.isVisible()


def shape_with(table: Any, text: str = "") -> str:
    table.key("R")
    table.drag(QPointF(200, 150), QPointF(240, 140))
    [key] = table.canvas.state.items
    if text:
        table.canvas.do(commands.rename(table.canvas.state, key, text))
    return str(key)


def shape_edit(table: Any) -> ShapeEdit:
    found = table.canvas.findChild(ShapeEdit)
    assert isinstance(found, ShapeEdit)
    return found


def test_enter_writes_in_a_shape_and_esc_keeps_it_as_one_step(table: Any) -> None:
    key = shape_with(table)
    table.key(Qt.Key.Key_Return)
    QTest.keyClicks(shape_edit(table), "Fetch the boat")
    before = table.canvas.grab().toImage()
    QTest.keyClicks(shape_edit(table), " now")
    assert table.canvas.grab().toImage() != before, "one sees what one types"
    QTest.keyClick(shape_edit(table), Qt.Key.Key_Escape)
    table.settle()
    assert table.item(key).label == "Fetch the boat now"
    assert table.canvas.editing is None
    assert table.canvas.editor.undo_list.undo_names[0] == "Write"
    table.canvas.undo()
    assert not table.item(key).label


@pytest.mark.parametrize("zoom", [0.6, 1.0, 2.0])
def test_entering_a_shape_changes_nothing_that_is_seen(table: Any, zoom: float) -> None:
    key = shape_with(table, "Fetch the boat from the other side of the harbour")
    table.canvas.select(())
    table.canvas.zoom_and_view.zoom(zoom, QPointF(100, 50))
    settle(table)
    before = table.canvas.grab(inner(table, key)).toImage()
    table.canvas.select({key})
    table.canvas.edit_selected()
    cursor = shape_edit(table).textCursor()
    cursor.clearSelection()
    shape_edit(table).setTextCursor(cursor)
    table.canvas.setFocus()
    assert differing(before, table.canvas.grab(inner(table, key)).toImage()) <= 20


def test_a_shape_grows_with_its_text(table: Any) -> None:
    key = shape_with(table)
    table.key(Qt.Key.Key_Return)
    QTest.keyClicks(shape_edit(table), "word " * 60)
    table.settle()
    assert table.item(key).place.height > 160


def test_a_text_in_a_shape_is_never_too_long(table: Any) -> None:
    key = shape_with(table)
    table.key(Qt.Key.Key_Return)
    shape_edit(table).insertPlainText("x" * 1500)
    QTest.keyClick(shape_edit(table), Qt.Key.Key_Escape)
    assert table.item(key).label == "x" * 1000


def test_a_shape_that_somebody_removes_is_left(table: Any) -> None:
    key = shape_with(table)
    table.key(Qt.Key.Key_Return)
    QTest.keyClicks(shape_edit(table), "gone")
    table.canvas.do(commands.remove(table.canvas.state, [key]))
    assert table.canvas.editing is None
    assert not table.canvas.state.items
