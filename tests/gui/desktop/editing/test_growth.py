"""A note grows with the text that a person types into it."""

from __future__ import annotations

import uuid
from typing import Any

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from liven.liveobjects.desktop.state import Lock, Move, Place
from liven.liveobjects.desktop.view.editing.growth import MOST_HIGH, extended
from liven.liveobjects.text.view import NoteEditor
from liven.runtime.fold import Gesture

LINES = 8


def write_lines(table: Any, key: str, count: int = LINES) -> NoteEditor:
    table.double_click(key)
    page: NoteEditor = table.canvas.findChild(NoteEditor)
    for _ in range(count):
        QTest.keyClicks(page, "line")
        QTest.keyClick(page, Qt.Key.Key_Return)
    table.settle()
    return page


def test_a_note_is_as_high_as_its_text_and_shrinks_back_with_it(table: Any) -> None:
    key = table.lay("list", 0, 0)
    page = write_lines(table, key)
    height = table.item(key).place.height
    assert height >= page.document().size().height() > 100
    assert page.height() == round(height), "nothing is scrolled away"
    page.selectAll()
    QTest.keyClick(page, Qt.Key.Key_Delete)
    table.settle()
    assert table.place(key) == (0, 0, 100, 60)


def test_growing_is_no_step_of_undo_and_spares_the_steps_before_it(table: Any) -> None:
    key = table.lay("list", 0, 0)
    table.drag(table.middle(key), QPointF(200, 0))
    assert table.place(key) == (200, 0, 100, 60)
    write_lines(table, key)
    grown = table.item(key).place.height
    table.canvas.leave_editing()
    table.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert table.place(key) == (0, 0, 100, grown), "undone, and the text is still seen whole"
    assert table.said == ["Undone: Move"]
    table.key(Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert table.place(key) == (200, 0, 100, grown)


def test_a_note_that_somebody_else_sized_meanwhile_does_not_shrink(table: Any) -> None:
    key = table.lay("list", 0, 0)
    page = write_lines(table, key)
    theirs = Move(key, Place(0, 0, 100, 500))
    table.canvas.editor.receive(Gesture(uuid.uuid4(), 1, "bob", "Resize", (theirs,)))
    page.moveCursor(QTextCursor.MoveOperation.End)
    for _ in range(9):
        QTest.keyClick(page, Qt.Key.Key_Backspace)
    table.settle()
    assert table.item(key).place.height == 500


def test_a_locked_note_stays_as_it_is(table: Any) -> None:
    key = table.lay("list", 0, 0)
    table.canvas.editor.edit("Lock", Lock(key, locked=True))
    write_lines(table, key)
    assert table.place(key) == (0, 0, 100, 60)


def test_a_very_long_note_stops_growing(table: Any) -> None:
    key = table.lay("list", 0, 0)
    table.double_click(key)
    table.canvas.findChild(NoteEditor).insertPlainText("line\n" * 400)
    table.settle()
    assert table.item(key).place.height == MOST_HIGH


def test_a_rotated_item_grows_at_its_foot() -> None:
    before = Place(10, 20, 100, 60, degrees=90)
    after = extended(before, 100)
    assert (after.width, after.height, after.degrees) == (100, 100, 90)
    # turned by 90 degrees, the head is at the right: its middle stays
    assert (before.x + 50 + 30, before.y + 30) == (after.x + 50 + 50, after.y + 50)
