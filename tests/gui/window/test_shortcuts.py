"""Shortcuts in a window whose menus have shortcuts and mnemonics, too."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from liven.app.palette.new_objects import KINDS
from liven.runtime.reference.xml import write


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_no_shortcut_is_ambiguous(desk: Any, kind: Any) -> None:
    window = desk.windows.open_recipe(kind.make(kind.name))
    desk.wait(lambda: window.view is not None)
    used = Counter(QKeySequence(key).toString() for action in window.menus.actions for key in action.keys)
    assert [key for key, times in used.items() if times > 1] == []


def test_no_two_menus_share_a_mnemonic(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "n"))
    titles = [entry.text() for entry in window.menuBar().actions()]
    letters = Counter(title[title.index("&") + 1].lower() for title in titles)
    assert [letter for letter, times in letters.items() if times > 1] == []


def test_a_two_stroke_shortcut_does_not_trigger_a_menu(desk: Any, local_recipe: Any) -> None:
    """Alt+A would open the menu with that mnemonic."""
    window = desk.open(local_recipe("liven:desktop", "Table"))
    for name in ("a", "b"):
        window.view.insert(write(local_recipe("liven:text", name)).decode(), name)
    canvas = window.centralWidget()
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    canvas.setFocus()
    canvas.select(list(canvas.state.items))
    QTest.keyClick(canvas, Qt.Key.Key_A, Qt.KeyboardModifier.AltModifier)
    opened = QApplication.activePopupWidget()
    QTest.keyClick(opened or canvas, Qt.Key.Key_L)
    if isinstance(opened, QMenu):
        opened.close()
    assert opened is None
    desk.wait(lambda: len({item.place.x for item in canvas.state.items.values()}) == 1)


def test_a_question_mark_is_typed_into_texts(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "n"))
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClicks(focused, "who?")
    assert window.windowTitle() == "who? — Liven"
    assert QApplication.activeModalWidget() is None
