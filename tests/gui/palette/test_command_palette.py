"""The command palette and the list of shortcuts: search, selection and Enter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QTreeWidget, QWidget

from liven.app.palette.command_palette import NOTHING, CommandPalette, KeySheet, fits, readable
from liven.liveobjects.view.contract import Action


class Done:
    """Actions that record what was run, in order."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def action(self, words: str, *keys: str, group: str = "File") -> Action:
        return Action(words, keys, lambda: self.words.append(words), group)


@pytest.fixture
def palette(qtbot: Any) -> Iterator[tuple[Any, Done]]:
    done = Done()
    over = QWidget()
    qtbot.addWidget(over)
    actions = (
        done.action("Open…", "Ctrl+O"),
        done.action("Open from clipboard", "Ctrl+Shift+V"),
        done.action("Align left edges", "Ctrl+Shift+Left", "Alt+A, L", group="Arrange"),
        done.action("About Liven", group="Help"),
    )
    over.show()
    made = CommandPalette(over, actions)
    made.open()
    yield made, done  # and what it lies over stays


def found(dialog: Any) -> list[str]:
    listed = dialog.findChild(QListWidget)
    return [listed.item(row).text().partition("    ")[0] for row in range(listed.count())]


def test_the_palette_lists_all_actions_with_shortcuts_at_first(palette: Any) -> None:
    dialog, _ = palette
    assert found(dialog) == [
        "Open…", "Open from clipboard", "Align left edges", "About Liven",
    ]  # fmt: skip
    first = dialog.findChild(QListWidget).item(0)
    assert first.data(Qt.ItemDataRole.AccessibleDescriptionRole) == readable("Ctrl+O")


def test_first_letters_of_words_find_actions_and_enter_runs_the_first(palette: Any) -> None:
    dialog, done = palette
    line = dialog.findChild(QLineEdit)
    QTest.keyClicks(line, "op cl")
    assert found(dialog) == ["Open from clipboard"]
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert done.words == ["Open from clipboard"]
    assert not dialog.isVisible()


def test_arrow_keys_move_the_selection_while_typing_and_wrap_around(palette: Any) -> None:
    dialog, done = palette
    line = dialog.findChild(QLineEdit)
    QTest.keyClicks(line, "open")
    QTest.keyClick(line, Qt.Key.Key_Down)
    QTest.keyClick(line, Qt.Key.Key_Down)
    QTest.keyClick(line, Qt.Key.Key_Up)
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert done.words == ["Open from clipboard"]


def test_menu_names_and_shortcuts_find_actions(palette: Any) -> None:
    dialog, _ = palette
    line = dialog.findChild(QLineEdit)
    QTest.keyClicks(line, "arrange")
    assert found(dialog) == ["Align left edges"]
    line.clear()
    QTest.keyClicks(line, "ctrl+o")
    assert found(dialog) == ["Open…"]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_without_a_match_or_after_escape_nothing_runs(palette: Any, key: Qt.Key) -> None:
    dialog, done = palette
    line = dialog.findChild(QLineEdit)
    QTest.keyClicks(line, "zebra")
    assert found(dialog) == []
    QTest.keyClick(line, Qt.Key.Key_Down)
    QTest.keyClick(line, key)
    assert done.words == []
    assert not dialog.isVisible()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("delete", "Remove from the desktop"),
        ("rotate", "Rotate clockwise"),
        ("print", "Export…"),
    ],
)
def test_words_of_other_programs_find_actions(desk: Any, local_recipe: Any, typed: str, words: str) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    window.menus.find_command()
    dialog = window.findChild(CommandPalette)
    QTest.keyClicks(dialog.findChild(QLineEdit), typed)
    assert words in found(dialog)


def test_without_a_match_a_message_says_so(palette: Any) -> None:
    dialog, _ = palette
    [said] = [one for one in dialog.findChildren(QLabel) if one.text() == NOTHING]
    assert not said.isVisible()
    line = dialog.findChild(QLineEdit)
    QTest.keyClicks(line, "zebra")
    assert said.isVisible()
    assert not dialog.findChild(QListWidget).isVisible()
    line.clear()
    assert not said.isVisible()
    assert dialog.findChild(QListWidget).isVisible()


def test_letters_inside_a_word_do_not_match() -> None:
    action = Action("Align left edges", (), lambda: None, "Arrange")
    assert fits(action, "LEFT al")
    assert not fits(action, "lign")


def test_the_shortcut_list_groups_by_menu_and_can_be_searched(qtbot: Any) -> None:
    done = Done()
    actions = (
        done.action("Open", "Ctrl+O"),
        done.action("About"),
        done.action("Undo", "Ctrl+Z", group="Edit"),
    )
    over = QWidget()
    qtbot.addWidget(over)
    sheet = KeySheet(over, actions)
    tree = sheet.findChild(QTreeWidget)
    assert isinstance(tree, QTreeWidget)

    def listed() -> dict[str, list[str]]:
        root: Any = tree.invisibleRootItem()
        tops = [root.child(at) for at in range(root.childCount())]
        return {one.text(0): [one.child(row).text(0) for row in range(one.childCount())] for one in tops}

    assert listed() == {"File": ["Open"], "Edit": ["Undo"]}
    line = sheet.findChild(QLineEdit)
    assert isinstance(line, QLineEdit)
    QTest.keyClicks(line, "ctrl+z")
    assert listed() == {"Edit": ["Undo"]}


def test_the_shortcut_opens_the_palette_with_the_actions_of_the_object(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(window, Qt.Key.Key_P, keys)
    desk.wait(lambda: window.findChild(CommandPalette) is not None)
    assert {"Quit", "Zoom in", "Align left edges"} <= set(found(window.findChild(CommandPalette)))
