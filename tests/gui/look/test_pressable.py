"""Buttons by mouse, by key, and by a screen reader."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from liven.liveobjects.look.view.buttons import ToolButton, WordButton
from liven.liveobjects.look.view.pressable import Pressable


def made(button: Pressable, qtbot: Any) -> list[bool]:
    """Show a button and return the list of its clicks."""
    qtbot.addWidget(button)
    button.show()
    clicks: list[bool] = []
    button.clicked.connect(lambda: clicks.append(button.isChecked()))
    return clicks


def acts_of(button: Pressable) -> Any:
    return QAccessible.queryAccessibleInterface(button).actionInterface()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_return_presses_a_button_as_space_does(qtbot: Any, key: Qt.Key) -> None:
    button = WordButton("Copy the link")
    clicks = made(button, qtbot)
    QTest.keyClick(button, key)
    assert clicks == [False]


def test_toggle_of_a_screen_reader_is_a_click(qtbot: Any) -> None:
    tool = ToolButton("Note", label="Note")
    tool.setCheckable(True)
    clicks = made(tool, qtbot)
    acts = acts_of(tool)
    acts.doAction(acts.toggleAction())
    assert (clicks, tool.isChecked()) == ([True], True)
    acts.doAction(acts.toggleAction())
    assert (clicks, tool.isChecked()) == ([True, False], False)


def test_press_and_the_program_are_told_apart(qtbot: Any) -> None:
    tool = ToolButton("Note", label="Note")
    tool.setCheckable(True)
    clicks = made(tool, qtbot)
    tool.setChecked(True)
    assert clicks == []
    acts = acts_of(tool)
    acts.doAction(acts.pressAction())
    qtbot.waitUntil(lambda: clicks == [False] and not tool.isDown())
    QTest.mouseClick(tool, Qt.MouseButton.LeftButton)
    assert clicks == [False, True]


def test_the_neighbour_of_a_choice_is_not_clicked(qtbot: Any) -> None:
    both = QWidget()
    qtbot.addWidget(both)
    column = QVBoxLayout(both)
    told: list[str] = []
    for name in ("day", "dusk"):
        button = WordButton(name)
        button.setCheckable(True)
        button.setAutoExclusive(True)
        button.setChecked(name == "day")
        button.clicked.connect(lambda _=False, name=name: told.append(name))
        column.addWidget(button)
    both.show()
    acts = acts_of(button)
    acts.doAction(acts.toggleAction())
    assert told == ["dusk"]
