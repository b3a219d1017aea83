"""The desktop in words: what a screen reader says as you go from item to item."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtGui import QAccessible, QKeySequence
from PySide6.QtTest import QTest

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.view.people import screen_reader
from liven.liveobjects.view.accessibility import announce


def keys(table: Any, *sequences: str) -> str:
    """Press these keys and return the announcement."""
    for one in sequences:
        QTest.keySequence(table.canvas, QKeySequence(one))
    table.settle()
    told = QAccessible.queryAccessibleInterface(table.canvas)
    assert told.text(QAccessible.Text.Name) == "Desktop"
    return told.text(QAccessible.Text.Description)


def test_item_and_connector_are_described_with_position_and_connections(table: Any) -> None:
    a, b = table.lay("Milk", 100, 100), table.lay("Bread", 300, 100)
    table.canvas.do(commands.connect(table.canvas.state, a, b))
    table.canvas.do(commands.lock(table.canvas.state, [b]))
    table.settle()
    table.canvas.select(())
    assert keys(table, "Tab") == "1 of 2: Milk. Connected to Bread."
    assert keys(table, "Tab") == "2 of 2: Bread. Locked."
    assert keys(table, "Tab") == "Connector from Milk to Bread."
    [link] = table.canvas.state.links
    table.canvas.do(commands.rename_link(table.canvas.state, link, "goes with"))
    assert keys(table, "Tab", "Shift+Tab") == "Connector from Milk to Bread: goes with."
    assert keys(table, "Esc") == "Nothing selected, 2 items."


def test_text_of_a_note_is_shortened(table: Any) -> None:
    a = table.lay("Milk", 100, 100)
    view = table.canvas.item_views.view(a)
    assert view is not None
    table.canvas.edit(table.item(a))
    QTest.keyClicks(view.widget(), "two bottles " * 30)
    table.canvas.leave_editing()
    table.canvas.select(())
    said = keys(table, "Tab")
    assert said.startswith("1 of 1: Milk. two bottles two")
    assert len(said) < 200


def test_large_selection_is_counted_and_some_names_are_given(table: Any) -> None:
    for at in range(7):
        table.lay(f"n{at}", 20 + 110 * at, 100)
    assert keys(table, "Ctrl+A") == "7 of 7 are selected: n0, n1, n2, n3, n4 and more."


def test_item_that_does_not_run_says_why(table: Any) -> None:
    a = table.lay("Milk", 100, 100)
    table.canvas.select({a})
    QTest.keySequence(table.canvas, QKeySequence("Shift+F5"))
    table.canvas.select(())
    assert keys(table, "Tab") == "1 of 1: Milk. ⚠ it is paused."


def test_active_screen_reader_is_told_at_once(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(screen_reader, "announce", lambda _, words: said.append(words))
    table.lay("Milk", 100, 100)
    table.canvas.select(())
    keys(table, "Tab")
    assert said[-1] == "1 of 1: Milk."


def test_announcement_is_sent_only_while_a_screen_reader_is_active(
    table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Any] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: told.append(event.message()))
    for listens, wanted in ((False, []), (True, ["Milk"])):
        monkeypatch.setattr(QAccessible, "isActive", lambda listens=listens: listens)
        announce(table.canvas, "Milk")
        assert told == wanted
