"""The find bar: items are found by name and text, whether they run or not."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton

from liven.liveobjects.desktop.running_items import LINGER
from liven.liveobjects.text.view import NoteEditor


def test_items_are_found_by_name_and_by_text(table: Any) -> None:
    a, b = table.lay("Apples", 100, 100), table.lay("Pears", 300, 300)
    table.double_click(b)
    QTest.keyClicks(table.canvas.findChild(NoteEditor), "and apples too")
    table.canvas.leave_editing()
    table.settle()
    table.key(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    line = table.canvas.find_bar.findChild(QLineEdit)
    QTest.keyClicks(line, "appl")
    assert table.canvas.selected == {a}
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert table.canvas.selected == {b}
    assert "2 of 2" in [label.text() for label in table.canvas.find_bar.findChildren(QLabel)]
    QTest.keyClick(line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert table.canvas.selected == {a}
    QTest.keyClicks(line, " nowhere")
    assert "no results" in [label.text() for label in table.canvas.find_bar.findChildren(QLabel)]
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert not table.canvas.find_bar.isVisible()
    assert table.canvas.hasFocus()


def test_found_item_out_of_view_is_shown(table: Any) -> None:
    table.lay("near", 100, 100)
    far = table.lay("far away", 6000, 100)
    table.canvas.open_find_bar()
    line = table.canvas.find_bar.findChild(QLineEdit)
    line.setText("away")
    assert table.canvas.rect().contains(table.middle(far).toPoint())
    [down] = [one for one in table.canvas.find_bar.findChildren(QToolButton) if one.text() == "↓"]
    QTest.mouseClick(down, Qt.MouseButton.LeftButton)
    assert table.canvas.selected == {far}


def test_item_out_of_view_is_found_by_its_last_text(table: Any) -> None:
    far = table.lay("far", 300, 300)
    table.double_click(far)
    QTest.keyClicks(table.canvas.findChild(NoteEditor), "Apples and Pears")
    table.canvas.leave_editing()
    table.canvas.camera.pan(QPointF(-9000, 0))
    table.canvas.viewport_changed()
    table.bench.advance(LINGER + 1)
    assert table.canvas.item_views.running_items.running == 0
    table.canvas.open_find_bar()
    QTest.keyClicks(table.canvas.find_bar.findChild(QLineEdit), "pears app")
    assert table.canvas.selected == {far}
    assert table.canvas.rect().contains(table.middle(far).toPoint())
