"""The mark with the menus, and the keys that work while no menu bar is seen."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from liven.app.palette.new_objects import Kind
from liven.liveobjects.look.view.buttons import ToolButton


@pytest.fixture
def window(desk: Any, local_recipe: Any) -> Any:
    made = desk.open(local_recipe("liven:desktop", "Board"))
    made.activateWindow()
    desk.wait(made.isActiveWindow)
    made.centralWidget().setFocus()
    return made


def mark(window: Any) -> Any:
    [found] = [one for one in window.findChildren(ToolButton) if one.accessibleName() == "Menus"]
    return found


def titles() -> list[str]:
    shown = QApplication.activePopupWidget()
    assert isinstance(shown, QMenu)
    found = [one.text().replace("&", "") for one in shown.actions()]
    shown.close()
    return found


def test_a_desktop_has_no_menu_bar_and_a_note_has_one(desk: Any, window: Any, local_recipe: Any) -> None:
    assert not window.menuBar().isVisible()
    assert desk.open(local_recipe("liven:text", "Note"), "note").menuBar().isVisible()


@pytest.mark.qt_log_ignore("does not support", extend=True)  # popups, offscreen
def test_the_mark_opens_all_menus(window: Any) -> None:
    QTest.mouseClick(mark(window), Qt.MouseButton.LeftButton)
    assert titles() == ["File", "Edit", "Insert", "Arrange", "View", "Help"]


@pytest.mark.qt_log_ignore("does not support", extend=True)  # popups, offscreen
def test_f10_opens_the_menus(window: Any) -> None:
    QTest.keyClick(window.centralWidget(), Qt.Key.Key_F10)
    assert "File" in titles()


@pytest.mark.qt_log_ignore("does not support", extend=True)  # popups, offscreen
def test_alt_alone_opens_the_menus(window: Any) -> None:
    canvas = window.centralWidget()
    QTest.keyPress(canvas, Qt.Key.Key_Alt)
    QTest.keyRelease(canvas, Qt.Key.Key_Alt)
    assert "File" in titles()


def test_alt_with_something_else_opens_nothing(window: Any) -> None:
    canvas, alt = window.centralWidget(), Qt.KeyboardModifier.AltModifier
    QTest.keyPress(canvas, Qt.Key.Key_Alt)
    QTest.keyClick(canvas, Qt.Key.Key_S, alt)
    QTest.keyRelease(canvas, Qt.Key.Key_Alt)
    assert QApplication.activePopupWidget() is None
    QTest.keyPress(canvas, Qt.Key.Key_Alt)
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, alt)
    QTest.keyRelease(canvas, Qt.Key.Key_Alt)
    assert QApplication.activePopupWidget() is None


def test_keys_of_the_window_work_without_a_menu_bar(window: Any) -> None:
    begun: list[Kind] = []
    window.begin_requested.connect(begun.append)
    QTest.keyClick(window.centralWidget(), Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    assert window.insertion.popover is not None
    QTest.keyClick(window.centralWidget(), Qt.Key.Key_F4)
    assert window._message.isVisible()


def test_the_menu_bar_is_back_when_the_desktop_is_gone(window: Any) -> None:
    window.pause()
    assert window.menuBar().isVisible()
    window.show_message("Paused.")
    assert window.rect().contains(window._message.geometry())
