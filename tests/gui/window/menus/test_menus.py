"""The menu bar of a window while objects on its desktop are entered and left."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from liven.runtime.reference.xml import write

KINDS = ("liven:vote", "liven:shared-counter", "liven:text", "liven:chat-room")


def desktop_with(desk: Any, local_recipe: Any, kinds: tuple[str, ...]) -> Any:
    """Return a window on a desktop with one object of each kind, all running, in reading order."""
    window = desk.open(local_recipe("liven:desktop", "Table"))
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    canvas = window.view.widget()
    for at, kind in enumerate(kinds):
        window.view.insert(write(local_recipe(kind, f"Thing {at}")).decode(), f"Thing {at}")
    desk.wait(lambda: len(canvas.state.items) == len(kinds))
    keys = canvas.state.items.keys()
    desk.wait(lambda: all((view := canvas.item_views.view(key)) and not view.is_loading() for key in keys))
    return window


def enter(desk: Any, canvas: Any, label: str) -> None:
    """Enter an object by keyboard."""
    [key] = [one.key for one in canvas.state.items.values() if one.label == label]
    canvas.select({key})
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_Return)
    desk.wait(lambda: canvas.editing == key)


def leave(desk: Any, canvas: Any) -> None:
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_Escape)
    desk.wait(lambda: canvas.editing is None)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def titles(window: Any) -> list[str]:
    return [one.text().replace("&", "") for one in window.menuBar().actions()]


@pytest.mark.parametrize("first", KINDS)
def test_menu_bar_stays_while_objects_are_entered_and_left(desk: Any, local_recipe: Any, first: str) -> None:
    window = desktop_with(desk, local_recipe, (first, "liven:text", "liven:vote"))
    canvas, before = window.view.widget(), titles(window)
    assert before[0] == "File"
    for label in ("Thing 0", "Thing 1", "Thing 2", "Thing 0", "Thing 1"):
        enter(desk, canvas, label)
        assert titles(window) == before
        leave(desk, canvas)
        assert titles(window) == before
    assert all(one.menu() is not None and one.menu().actions() for one in window.menuBar().actions())
    assert list(desk.problems) == []
    window.close()
    desk.wait(lambda: not desk.program.session.node.running)


def entries(window: Any, name: str) -> dict[str, QAction]:
    """Open a menu; return its entries by their words."""
    [title] = [one for one in window.menuBar().actions() if one.text().replace("&", "") == name]
    menu = title.menu()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()  # a menu on the screen has a warning of the platform without a screen
    return {one.text().partition("\t")[0]: one for one in menu.actions()}


def test_what_cannot_be_done_is_grey(desk: Any, local_recipe: Any) -> None:
    window = desktop_with(desk, local_recipe, ("liven:text", "liven:text"))
    canvas = window.view.widget()
    keys = list(canvas.state.items)
    for selected, names in ((0, set()), (1, {"Copy", "Edit", "Rename"}), (2, {"Copy", "Edit", "Rename"})):
        canvas.select(keys[:selected])
        edit, arrange = entries(window, "Edit"), entries(window, "Arrange")
        assert {one for one in ("Copy", "Edit", "Rename") if edit[one].isEnabled()} == names
        assert arrange["Group"].isEnabled() is (selected == 2)
        assert edit["Paste"].isEnabled()
    canvas.select(())
    QTest.keyClick(canvas, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert "select an item first" in window._message.text(), "the key still says why"


def test_switches_have_ticks(desk: Any, local_recipe: Any) -> None:
    window = desktop_with(desk, local_recipe, ("liven:text",))
    canvas = window.view.widget()
    assert entries(window, "View")["Grid"].isChecked()
    entries(window, "View")["Grid"].trigger()
    assert not canvas.grid
    view = entries(window, "View")
    assert not view["Grid"].isChecked()
    assert view["Snap to edges and grid"].isChecked() is canvas.snapping
    assert not view["Zoom to fit"].isCheckable()
