"""Safe opening shows a desktop without running anything on it, so that a bad item can be removed."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from liven.app.program import safe_opening
from liven.app.window.pages.prompt_bar import PromptBar
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Place
from liven.runtime.reference.model import Reference, Requirement
from liven.runtime.reference.xml import write


def bar_of(window: Any) -> str:
    return " ".join(
        label.text() for bar in window.findChildren(PromptBar) for label in bar.findChildren(QLabel)
    )


def with_item(desk: Any, local_recipe: Any) -> Any:
    """Return the recipe of a desktop that has one item, and keep it open in a window of its own."""
    recipe = local_recipe("liven:desktop", "Table")
    window = desk.open(recipe, "table")
    canvas = window.centralWidget()
    text = write(local_recipe("liven:text", "Bad")).decode()
    _, command = commands.add(canvas.state, text, "Bad", Place(0, 0, 200, 100))
    canvas.editor.edit(command.name, *command.changes)
    desk.wait(lambda: canvas.state.items)
    return recipe


def safely(desk: Any, recipe: Any) -> Any:
    desk.windows.open_files([str(desk.file("safe", recipe))], safe=True)
    window = desk.windows.open_windows[-1]
    desk.wait(lambda: window.view is not None)
    return window


def test_items_of_a_safely_opened_desktop_are_cards_that_can_be_removed(desk: Any, local_recipe: Any) -> None:
    recipe = with_item(desk, local_recipe)
    window = safely(desk, recipe)
    canvas = window.centralWidget()
    desk.wait(lambda: canvas.state.items)
    canvas.grab()
    [item] = canvas.state.items.values()
    canvas.item_views.restart(item)
    for _ in range(50):  # anything that was to start has started by now
        QApplication.processEvents()
    assert canvas.item_views.running_items.presence(item.key) is None
    assert canvas.item_views.running_items.running == 0
    assert "nothing in it runs. You can remove items" in bar_of(window)
    [hide] = [one for one in window.findChildren(QPushButton) if one.text() == "Hide this bar"]
    QTest.mouseClick(hide, Qt.MouseButton.LeftButton)
    desk.wait(lambda: not window.findChildren(PromptBar))
    assert canvas.item_views.running_items.running == 0, "it stays safe"
    command = commands.remove(canvas.state, {item.key})
    canvas.editor.edit(command.name, *command.changes)
    desk.wait(lambda: not canvas.state.items)


def test_the_bar_opens_it_normally(desk: Any, local_recipe: Any) -> None:
    window = safely(desk, with_item(desk, local_recipe))
    [button] = [one for one in window.findChildren(QPushButton) if one.text() == "Open normally"]
    before = window.view
    button.click()
    desk.wait(lambda: window.view is not None and window.view is not before)
    canvas = window.centralWidget()
    desk.wait(lambda: canvas.item_views.running_items.running == 1)


def test_after_two_crashes_in_a_row_the_object_opens_safely_by_itself(desk: Any, local_recipe: Any) -> None:
    recipe = with_item(desk, local_recipe)
    marks = desk.folders.state / "openings"
    marks.mkdir(parents=True, exist_ok=True)
    for name in ("a", "b"):  # the marks of two programs that ended while they opened it
        (marks / f"{desk.program.identity(recipe)}-{name}").touch()
    window = desk.open(recipe, "again")
    assert "Liven ended 2 times while it opened this" in bar_of(window)
    assert window.centralWidget().item_views.running_items.running == 0


@pytest.mark.parametrize("crashes", [0, safe_opening.CRASHES_OF_CARDS])
def test_a_desktop_with_other_code_or_with_crashing_cards_is_shown_as_a_picture(
    desk: Any, local_recipe: Any, crashes: int
) -> None:
    recipe = local_recipe("liven:desktop", "Table")
    if not crashes:
        recipe = Reference(recipe.id, recipe.parameters, requires=(Requirement("AB"),))
    marks = desk.folders.state / "openings"
    marks.mkdir(parents=True, exist_ok=True)
    for number in range(crashes):
        (marks / f"{desk.program.identity(recipe)}-{number}").touch()
    desk.windows.open_files([str(desk.file("safe", recipe))], safe=True)
    window = desk.windows.open_windows[-1]
    assert any("This object is not running" in one.text() for one in window.findChildren(QLabel))
    assert window.view is None
    assert "item" not in bar_of(window), "there are none to see"
    assert not desk.program.session.node.running


@pytest.mark.parametrize(
    ("keys", "safe"),
    [
        (Qt.KeyboardModifier.ShiftModifier, True),
        (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier, False),
        (Qt.KeyboardModifier.NoModifier, False),
    ],
)
def test_shift_alone_asks_for_it(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch, keys: Qt.KeyboardModifier, safe: bool
) -> None:
    monkeypatch.setattr(QGuiApplication, "queryKeyboardModifiers", lambda: keys)
    desk.windows.open_files([str(desk.file("held", local_recipe("liven:desktop", "Table")))])
    assert desk.windows.open_windows[-1].is_safe is safe


def test_an_object_that_lived_for_a_while_leaves_no_mark(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(safe_opening, "LIVED_MS", 10)
    marks = desk.folders.state / "openings"
    desk.open(local_recipe("liven:text", "Note"))
    desk.wait(lambda: not list(marks.iterdir()))


def test_an_object_that_was_closed_in_order_has_not_crashed(desk: Any, local_recipe: Any) -> None:
    recipe = local_recipe("liven:text", "Note")
    marks = desk.folders.state / "openings"
    marks.mkdir(parents=True, exist_ok=True)
    (marks / f"{desk.program.identity(recipe)}-a").touch()
    desk.open(recipe).close()
    desk.wait(lambda: not list(marks.iterdir()))


def test_an_object_that_was_open_safely_is_opened_safely_again(desk: Any, local_recipe: Any) -> None:
    recipe = local_recipe("liven:desktop", "Table")
    marks = desk.folders.state / "openings"
    marks.mkdir(parents=True, exist_ok=True)
    for name in ("a", "b"):
        (marks / f"{desk.program.identity(recipe)}-{name}").touch()
    for _ in range(2):
        window = desk.open(recipe)
        assert window.is_safe
        window.close()
