"""Objects that were begun and closed are found again, and deleted and restored in the list."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QPushButton

from liven.app.begun.dialog import BegunDialog
from liven.app.opening.link_url import link_to
from liven.app.palette import new_objects
from liven.runtime.reference.xml import write

CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def local_kinds(monkeypatch: pytest.MonkeyPatch, local_recipe: Any) -> None:
    """Let new notes and desktops use channels that need no engine."""
    made = {"Note": "liven:text", "Desktop": "liven:desktop"}
    kinds = [new_objects.Kind(name, "", partial(local_recipe, kind)) for name, kind in made.items()]
    monkeypatch.setattr("liven.app.window.menus.menu_bar.KINDS", kinds)


def begin(desk: Any, kind: str) -> Any:
    """Begin an object by the menu of a new window; return its window."""
    before = tuple(desk.windows.open_windows)
    if not before:
        before = (desk.open(desk.local("liven:text", "first")),)
    desk.press(before[0], f"New {kind}")
    [window] = [one for one in desk.windows.open_windows if one not in before]
    desk.wait(lambda: window.view is not None)
    return window


def the(dialog: BegunDialog, kind: type) -> Any:
    """Return the only widget of a kind."""
    return dialog.findChild(kind)


def listed(dialog: BegunDialog) -> list[str]:
    found = the(dialog, QListWidget)
    return [found.item(row).text().partition("\n")[0] for row in range(found.count())]


def open_list(desk: Any, window: Any) -> BegunDialog:
    """Open the list by the menu."""
    desk.press(window, "Your objects…")
    return found_list(desk, window)


def found_list(desk: Any, window: Any) -> BegunDialog:
    dialog = window.findChild(BegunDialog)
    assert isinstance(dialog, BegunDialog)
    desk.wait(dialog.isVisible)
    return dialog


@pytest.fixture
def local_desk(desk: Any, local_recipe: Any, local_kinds: None) -> Any:
    desk.local = local_recipe
    return desk


def button(dialog: BegunDialog, words: str) -> QPushButton:
    [found] = [one for one in dialog.findChildren(QPushButton) if one.text() == words]
    return found


def said(dialog: BegunDialog) -> str:
    return " ".join(one.text() for one in dialog.findChildren(QLabel))


@pytest.mark.parametrize("keys", [Qt.Key.Key_W, Qt.Key.Key_Q])
def test_a_closed_desktop_is_found_again_with_what_is_on_it(local_desk: Any, keys: Qt.Key) -> None:
    desk = local_desk
    window = begin(desk, "desktop")
    recipe = window.recipe
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    QTest.keyClick(window.view.widget(), keys, CTRL)
    desk.wait(lambda: window not in desk.windows.open_windows)
    rest = desk.windows.open_windows or [desk.open(desk.local("liven:text", "first"))]
    dialog = open_list(desk, rest[0])
    assert listed(dialog) == ["Desktop"]
    QTest.keyClick(the(dialog, QLineEdit), Qt.Key.Key_Return)
    desk.wait(lambda: any(one.recipe == recipe for one in desk.windows.open_windows))
    assert desk.windows.recent.files()[0].stem == "Desktop"


def test_a_note_is_listed_under_its_first_line_and_found_by_typing(local_desk: Any) -> None:
    desk = local_desk
    note, board = begin(desk, "note"), begin(desk, "desktop")
    QTest.keyClicks(note.view.widget(), "Shopping")
    board.activateWindow()
    desk.wait(board.isActiveWindow)
    QTest.keyClick(board.view.widget(), Qt.Key.Key_O, CTRL | ALT)
    dialog = found_list(desk, board)
    assert sorted(listed(dialog)) == ["Desktop", "Shopping"]
    QTest.keyClicks(the(dialog, QLineEdit), "shop")
    assert listed(dialog) == ["Shopping"]
    QTest.keyClicks(the(dialog, QLineEdit), "x")
    assert listed(dialog) == []
    assert "Nothing has this name" in said(dialog)


def test_a_deletion_is_undone(local_desk: Any) -> None:
    desk = local_desk
    window = begin(desk, "desktop")
    dialog = open_list(desk, window)
    desk.wait(dialog.isActiveWindow)
    QTest.keyClick(the(dialog, QListWidget), Qt.Key.Key_Delete)
    assert listed(dialog) == []
    assert "“Desktop” is deleted" in said(dialog)
    QTest.keyClick(the(dialog, QListWidget), Qt.Key.Key_Z, CTRL)
    assert listed(dialog) == ["Desktop"]
    assert not button(dialog, "&Undo").isEnabled()


def test_a_deleted_object_is_restored_in_a_later_dialog(local_desk: Any) -> None:
    desk = local_desk
    window = begin(desk, "desktop")
    dialog = open_list(desk, window)
    desk.click(button(dialog, "&Delete"))
    dialog.close()
    window.close()
    desk.wait(lambda: window not in desk.windows.open_windows)
    dialog = open_list(desk, desk.windows.open_windows[0])
    assert listed(dialog) == [], "closing its window does not bring it back"
    dialog._deleted.click()
    assert listed(dialog) == ["Desktop"]
    desk.click(button(dialog, "&Restore"))
    assert listed(dialog) == []
    dialog._deleted.click()
    assert listed(dialog) == ["Desktop"]


def test_an_object_that_came_by_a_link_is_kept(local_desk: Any) -> None:
    desk = local_desk
    first = desk.open(desk.local("liven:text", "first"))
    for _ in range(2):
        QGuiApplication.clipboard().setText(link_to(write(desk.local("liven:vote", "Tea"))))
        desk.press(first, "Open from clipboard")
        window = desk.windows.open_windows[-1]
        desk.wait(lambda window=window: window.view is not None)
        window.close()
    assert listed(open_list(desk, first)) == ["Tea"]


def test_an_object_that_cannot_be_kept_opens_all_the_same(local_desk: Any) -> None:
    desk = local_desk
    first = desk.open(desk.local("liven:text", "first"))
    place = desk.folders.data / "objects"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("a file where the folder should be")
    desk.press(first, "New desktop")
    window = desk.windows.open_windows[-1]
    desk.wait(lambda: window.view is not None)
    notice = window.findChild(QLabel, "toast")
    assert "“Desktop” is not among your objects: File exists." in notice.text()
    place.unlink()
