"""Enter on an item of a desktop focuses its first field or button."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QPushButton

from liven.liveobjects.vote.view import VotePanel
from liven.runtime.reference.model import Parameter, Plain, Reference
from liven.runtime.reference.xml import write


def active(desk: Any, window: Any) -> Any:
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    return window


def begun(desk: Any, local_recipe: Any, kind: str) -> Any:
    """Return the canvas of a desktop with a selected item on which Enter was pressed."""
    window = active(desk, desk.open(local_recipe("liven:desktop", "Table")))
    canvas = window.view.widget()
    window.view.insert(write(local_recipe(kind, "Thing")).decode(), "Thing")
    desk.wait(lambda: canvas.selected)
    [key] = canvas.selected
    desk.wait(lambda: (view := canvas.item_views.view(key)) is not None and not view.is_loading())
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_Return)
    assert canvas.editing == key
    return canvas


@pytest.mark.parametrize("kind", ["liven:vote", "liven:chat-room"])
def test_enter_focuses_the_first_field(desk: Any, local_recipe: Any, kind: str) -> None:
    canvas = begun(desk, local_recipe, kind)
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    QTest.keyClicks(field, "who?")
    assert field.text() == "who?"
    assert QApplication.activeModalWidget() is None, "a question mark is a letter there"
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert canvas.editing is None
    assert canvas.hasFocus()


def test_enter_focuses_the_first_button_if_there_is_no_field(desk: Any, local_recipe: Any) -> None:
    canvas = begun(desk, local_recipe, "liven:shared-counter")
    button = QApplication.focusWidget()
    assert isinstance(button, QPushButton)
    QTest.keyClick(button, Qt.Key.Key_Space)
    [key] = canvas.selected
    desk.wait(lambda: canvas.item_views.view(key)._model.number == 1)
    QTest.keyClick(button, Qt.Key.Key_Escape)
    assert canvas.editing is None


def test_enter_goes_from_the_question_of_a_vote_to_its_answers(desk: Any, local_recipe: Any) -> None:
    canvas = begun(desk, local_recipe, "liven:vote")
    for words in ("Tea?", "black", "green"):
        field = keys()
        QTest.keyClicks(field, words)
        QTest.keyClick(field, Qt.Key.Key_Return)
    [key] = canvas.selected
    desk.wait(lambda: canvas.item_views.view(key).summary() == "Tea?\nblack\ngreen")


def test_a_vote_in_its_own_window_has_the_focus(desk: Any, local_recipe: Any) -> None:
    window = active(desk, desk.open(local_recipe("liven:vote", "Tea")))
    panel = window.view.widget()
    assert isinstance(panel, VotePanel)
    desk.wait(panel.question.hasFocus)


def test_the_context_menu_adds_a_note_at_the_mouse(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = active(desk, desk.open(local_recipe("liven:desktop", "Table")))
    canvas, point, menus = window.view.widget(), QPoint(500, 350), list[QMenu]()
    monkeypatch.setattr(QMenu, "popup", lambda menu, _: menus.append(menu))
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(canvas, QContextMenuEvent(reason, point, canvas.mapToGlobal(point)))
    [menu] = menus
    entries = [one.text().partition("\t")[0] for one in menu.actions()]
    assert entries[0] == "New note here"
    assert "Paste" in entries
    menu.actions()[0].trigger()
    menu.close()
    desk.wait(lambda: canvas.selected)
    assert canvas.item_at(QPointF(point)).label == "Note"
    [key] = canvas.selected
    desk.wait(lambda: canvas.item_views.view(key) is not None)


@pytest.fixture
def near(monkeypatch: pytest.MonkeyPatch, local_recipe: Any) -> None:
    """Let new notes use channels that need no engine."""
    made = local_recipe("liven:text", "Note")
    monkeypatch.setattr("liven.liveobjects.desktop.view.actions.context_menu.note", lambda *_, **__: made)
    monkeypatch.setattr("liven.app.window.insertion.write", lambda _: write(made))


def keys() -> Any:
    """Return the widget with the focus."""
    return QApplication.focusWidget()


def menu_at(canvas: Any, point: QPoint, monkeypatch: pytest.MonkeyPatch) -> QMenu:
    """Open the context menu at a point of the desktop."""
    menus = list[QMenu]()
    monkeypatch.setattr(QMenu, "popup", lambda menu, _: menus.append(menu))
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(canvas, QContextMenuEvent(reason, point, canvas.mapToGlobal(point)))
    return menus[0]


def new_note(desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a desktop on which a note was just added by the context menu; it may not run yet."""
    window = active(desk, desk.open(local_recipe("liven:desktop", "Table")))
    canvas = window.view.widget()
    menu = menu_at(canvas, QPoint(500, 350), monkeypatch)
    menu.actions()[0].trigger()
    menu.close()
    return canvas


@pytest.mark.usefixtures("near")
def test_a_new_note_has_the_focus(desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    canvas = new_note(desk, local_recipe, monkeypatch)
    QTest.keyClicks(canvas, "H")  # before it runs; as a key of the desktop this is the hand
    QTest.keyClick(canvas, Qt.Key.Key_Backspace)
    QTest.keyClicks(canvas, "hello?")
    [key] = canvas.state.items
    desk.wait(lambda: canvas.editing == key)
    assert not canvas.zoom_and_view.hand
    page = keys()
    assert page is canvas.item_views.widget(key)
    QTest.keyClicks(page, " Hi")
    assert canvas.item_views.view(key).summary() == "hello? Hi"
    QTest.keyClick(page, Qt.Key.Key_Escape)
    assert canvas.editing is None
    assert canvas.hasFocus()


@pytest.mark.parametrize("by", ["Enter", "double click"])
@pytest.mark.usefixtures("near")
def test_a_note_added_from_the_popover_has_the_focus(desk: Any, local_recipe: Any, by: str) -> None:
    window = active(desk, desk.open(local_recipe("liven:desktop", "Table")))
    canvas = window.view.widget()
    desk.press(window, "Add something…")
    shown = window.insertion.popover
    desk.wait(shown.field.hasFocus)
    if by == "Enter":
        QTest.keyClicks(shown.field, "note")
        QTest.keyClick(shown.field, Qt.Key.Key_Return)
    else:
        [tile] = [one for one in shown.grid.tiles if one.text() == "Note"]
        QTest.mouseClick(tile, Qt.MouseButton.LeftButton)
    desk.wait(lambda: len(canvas.state.items) == 1)
    [key] = canvas.state.items
    QTest.keyClicks(keys(), "H")
    desk.wait(lambda: canvas.editing == key)
    QTest.keyClicks(keys(), "ello")
    assert canvas.item_views.view(key).summary() == "Hello"


@pytest.mark.usefixtures("near")
def test_another_action_cancels_entering_the_new_item(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas = new_note(desk, local_recipe, monkeypatch)
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    [key] = canvas.state.items
    desk.wait(lambda: (view := canvas.item_views.view(key)) is not None and not view.is_loading())
    assert canvas.editing is None
    assert canvas.selected == {key}
    QTest.keyClicks(canvas, "h")
    assert canvas.zoom_and_view.hand, "a key of the desktop again"


def test_the_edit_menu_has_the_actions_of_the_edited_item(desk: Any, local_recipe: Any) -> None:
    window = active(desk, desk.open(local_recipe("liven:desktop", "Table")))
    canvas = window.view.widget()
    pane = Reference("liven:window", (Parameter("caption", Plain("string", "Pane")),))
    window.view.insert(write(pane).decode(), "Pane")
    [key] = canvas.selected
    desk.wait(lambda: canvas.item_views.view(key) is not None)
    face = canvas.item_views.view(key)
    face.put(write(local_recipe("liven:text", "Page")).decode(), "Page")
    desk.wait(lambda: face.inner is not None)
    assert not edit_entries(window, "Take the object out")
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_Return)
    [entry] = edit_entries(window, "Take the object out")
    assert len(edit_entries(window, "Undo")) == 1, "the desktop's"
    assert edit_entries(window, "Find in note"), "of what is in the window"
    entry.trigger()
    assert face.inner is None
    desk.wait(lambda: not edit_entries(window, "Find in note"))
    assert canvas.editing == key
    canvas.escape()
    assert not edit_entries(window, "Take the object out")


def edit_entries(window: Any, words: str) -> list[QAction]:
    """Return the entries of the Edit menu with this name, without shortcuts."""
    bar = window.menuBar()
    [menu] = [one.menu() for one in bar.actions() if one.text().replace("&", "") == "Edit"]
    return [one for one in menu.actions() if one.text().partition("\t")[0] == words]
