"""No key is silent: with every selection it has a visible effect or says why it has none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMenu

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.view.actions import rename
from liven.liveobjects.desktop.view.actions.shortcut import Shortcut
from liven.liveobjects.desktop.view.actions.shortcuts import SHORTCUTS
from liven.liveobjects.desktop.view.gestures.handles import CONNECT

CONTROL = Qt.KeyboardModifier.ControlModifier
QUIET = {"Esc", "Shift+1", "Shift+2", "V"}
"""Esc, the arrow, and zooming to what is already in view, may change nothing visible."""


def _press(table: Any, keys: str) -> None:
    QTest.keySequence(table.canvas, QKeySequence(keys))
    table.settle()


def _connected(table: Any) -> list[str]:
    keys = [table.lay("a", 100, 100), table.lay("b", 300, 220)]
    table.canvas.do(commands.connect(table.canvas.state, *keys))
    table.settle()
    return keys


def _connector(table: Any) -> None:
    _connected(table)
    [link] = table.canvas.state.links.values()
    table.canvas.connectors.select(link)


def _locked(table: Any) -> None:
    keys = _connected(table)
    table.canvas.do(commands.lock(table.canvas.state, keys))
    table.canvas.select(keys)


def _smallest(table: Any) -> None:
    table.canvas.select({table.lay("a", 100, 100, 24, 24)})


CHOICES: dict[str, Callable[[Any], object]] = {
    "nothing lies there": lambda table: table.settle(),
    "nothing": _connected,
    "the only thing": _smallest,
    "one of two": lambda table: table.canvas.select(_connected(table)[:1]),
    "all": lambda table: table.canvas.select(_connected(table)),
    "locked things": _locked,
    "a connector": _connector,
}


def _seen(table: Any) -> tuple[object, ...]:
    """Return everything about the desktop that a user can notice."""
    canvas = table.canvas
    others = canvas.collaborators
    options = canvas.zoom_and_view.hand, canvas.snapping, canvas.grid, others.pointers, others.followed
    return (
        canvas.editor.model.digest(canvas.state),
        canvas.selected,
        canvas.connectors.selected,
        (canvas.camera.zoom, canvas.camera.corner.toTuple()),
        (canvas.editing, canvas.find_bar.isVisible(), canvas.minimap.isVisible(), *options),
        {key: id(canvas.item_views.view(key)) for key in canvas.state.items},
        QGuiApplication.clipboard().text(),
        (len(table.opened), len(table.said)),
        (others.chat.isVisible(), others.laser, len(others.reactions.signs)),
    )


def _clear(table: Any) -> None:
    """Restore an empty desktop with its initial viewport."""
    canvas = table.canvas
    canvas.leave_editing()
    canvas.find_bar.close_bar()
    while canvas.collaborators.end_signals():
        pass
    for command in (commands.lock, commands.remove):
        canvas.select_all()
        if command is commands.remove or all(item.locked for item in canvas.state.items.values()):
            canvas.do(command(canvas.state, canvas.selected))
    canvas.zoom_and_view.zoom_to_100()
    QGuiApplication.clipboard().clear()
    table.settle()


@pytest.mark.parametrize("choice", CHOICES)
def test_every_key_with_every_selection_does_something_or_says_why_not(
    table: Any, choice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("other", True))

    def ask(*_: object) -> tuple[list[str], str]:
        table.said.append("which pictures?")
        return [], ""

    monkeypatch.setattr(QFileDialog, "getOpenFileNames", ask)
    monkeypatch.setattr(QMenu, "popup", lambda *_: table.said.append("a menu"))
    table.canvas.palette_requested.connect(lambda: table.said.append("the palette"))
    silent: list[Shortcut] = []
    for key in SHORTCUTS:
        _clear(table)
        CHOICES[choice](table)
        table.settle()
        before = _seen(table)
        key.run(table.canvas)
        table.settle()
        if before == _seen(table) and key.keys[0] not in QUIET:
            silent.append(key)
    assert silent == []


@pytest.mark.parametrize(
    ("choice", "keys", "said"),
    [
        (
            "a connector",
            "Ctrl+Del",
            "Remove and reconnect: a connector is selected; press F2 to name it or Del",
        ),
        ("nothing", "Del", "Remove: select an item first."),
        ("one of two", "Ctrl+G", "Group: select at least two items first."),
        ("all", "Alt+A, H", "Distribute: select at least three items first."),
        (
            "locked things",
            "Del",
            "Remove: all of them are locked; press Ctrl+Shift+L to unlock the selection.",
        ),
        ("all", "F2", "Rename: select only one item."),
        ("the only thing", "Alt+Left", "Resize: it cannot be smaller."),
        ("nothing", "Ctrl+Shift+L", "Lock: select an item first."),
        ("nothing lies there", "Tab", "This desktop is empty."),
    ],
)
def test_key_says_what_is_missing(table: Any, choice: str, keys: str, said: str) -> None:
    CHOICES[choice](table)
    table.settle()
    table.said.clear()
    _press(table, keys)
    [words] = table.said
    assert words.startswith(said)


def test_advice_for_partly_locked_items_unlocks_them(table: Any) -> None:
    keys = [table.lay(name, 100 * number, 100, 80, 60) for number, name in enumerate("abc")]
    table.canvas.do(commands.lock(table.canvas.state, keys[1:]))
    table.canvas.select(keys)
    table.said.clear()
    _press(table, "Alt+A, H")
    assert table.said == [
        "Distribute: all but 1 are locked; press Ctrl+Shift+L twice to unlock the selection."
    ]
    for _ in range(2):
        _press(table, "Ctrl+Shift+L")
    assert not any(item.locked for item in table.canvas.state.items.values())


def test_dragging_a_locked_item_says_that_it_is_locked_but_a_click_does_not(table: Any) -> None:
    _locked(table)
    at = QPointF(150, 130)
    table.said.clear()
    table.drag(at, QPointF(0, 0))
    assert table.said == []
    table.drag(at, QPointF(80, 40))
    assert table.said == ["Move: the selection is locked; press Ctrl+Shift+L to unlock it."]


def test_drawing_a_connector_twice_says_so(table: Any) -> None:
    a, b = _connected(table)
    table.canvas.select({a})
    start = table.handle(a, *CONNECT)
    table.said.clear()
    table.drag(start, table.middle(b) - start)
    assert table.said == ["Connect: there is already a connector."]
    assert len(table.canvas.state.links) == 1


@pytest.mark.parametrize("what", ["a connector", "the only thing"])
def test_item_removed_during_rename_stays_removed_and_the_user_is_told(
    table: Any, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    CHOICES[what](table)

    def answer(*_: object, **__: object) -> tuple[str, bool]:
        _remove_all(table)
        return "other", True

    monkeypatch.setattr(QInputDialog, "getText", answer)
    table.said.clear()
    _press(table, "F2")
    assert table.said == [rename.GONE]
    assert not table.canvas.state.items
    assert not table.canvas.state.links


def _remove_all(table: Any) -> None:
    """Remove everything, as somebody else would."""
    removed = commands.remove(table.canvas.state, table.canvas.state.items)
    table.canvas.editor.edit("Remove", *removed.changes)
    table.settle()
