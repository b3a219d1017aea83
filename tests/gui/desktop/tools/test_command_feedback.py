"""No key is silent: whatever is chosen, each does something that is seen, or says why it cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.view.canvas.painting import LINK
from liven.liveobjects.desktop.view.tools import rename
from liven.liveobjects.desktop.view.tools.shortcuts import KEYS, Key

CONTROL = Qt.KeyboardModifier.ControlModifier
QUIET = {"escape", "looking.zoom_to_fit", "looking.zoom_to_chosen"}
"""Esc lets go of what there is; who asks to see what is seen already sees it."""


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
    table.canvas.connectors.choose(link)


def _locked(table: Any) -> None:
    keys = _connected(table)
    table.canvas.do(commands.lock(table.canvas.state, keys))
    table.canvas.choose(keys)


def _smallest(table: Any) -> None:
    table.canvas.choose({table.lay("a", 100, 100, 24, 24)})


CHOICES: dict[str, Callable[[Any], object]] = {
    "nothing lies there": lambda table: table.settle(),
    "nothing": _connected,
    "the only thing": _smallest,
    "one of two": lambda table: table.canvas.choose(_connected(table)[:1]),
    "all": lambda table: table.canvas.choose(_connected(table)),
    "locked things": _locked,
    "a connector": _connector,
}


def _seen(table: Any) -> tuple[object, ...]:
    """All that a person would see of the desktop's state, and what was said."""
    canvas = table.canvas
    looking = canvas.looking.hand, canvas.snapping, canvas.grid, canvas.gazes.pointers, canvas.gazes.followed
    return (
        canvas.editor.model.digest(canvas.state),
        canvas.chosen,
        canvas.connectors.chosen,
        (canvas.camera.zoom, canvas.camera.corner.toTuple()),
        (canvas.editing, canvas.finding.isVisible(), canvas.minimap.isVisible(), *looking),
        {key: id(canvas.actors.view(key)) for key in canvas.state.items},
        QGuiApplication.clipboard().text(),
        (len(table.opened), len(table.said)),
    )


def _clear(table: Any) -> None:
    """An empty desktop, seen as at first."""
    canvas = table.canvas
    canvas.leave_editing()
    canvas.finding.leave()
    for command in (commands.lock, commands.remove):
        canvas.choose_all()
        if command is commands.remove or all(item.locked for item in canvas.state.items.values()):
            canvas.do(command(canvas.state, canvas.chosen))
    canvas.looking.zoom_as_is()
    QGuiApplication.clipboard().clear()
    table.settle()


@pytest.mark.parametrize("choice", CHOICES)
def test_whatever_is_chosen_a_key_does_something_or_says_why_not(
    table: Any, choice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("other", True))
    silent: list[Key] = []
    for key in KEYS:
        _clear(table)
        CHOICES[choice](table)
        table.settle()
        before = _seen(table)
        table.canvas.press(key.action, key.argument)
        table.settle()
        if before == _seen(table) and key.action not in QUIET:
            silent.append(key)
    assert silent == []


@pytest.mark.parametrize(
    ("choice", "keys", "said"),
    [
        ("a connector", "Ctrl+Del", "Remove and reconnect: a connector is selected, which F2 names and Del"),
        ("nothing", "Del", "Remove: select something first."),
        ("one of two", "Ctrl+G", "Group: select two things or more first."),
        ("all", "Alt+A, H", "Distribute: select three things or more first."),
        ("locked things", "Del", "Remove: all of them are locked; Ctrl+Shift+L unlocks what is selected."),
        ("all", "F2", "Rename: select one thing alone."),
        ("the only thing", "Alt+Left", "Resize: it is as small as things are made."),
        ("nothing", "Ctrl+Shift+L", "Lock: select something first."),
        ("nothing lies there", "Tab", "Nothing lies here yet."),
    ],
)
def test_what_is_missing_is_said(table: Any, choice: str, keys: str, said: str) -> None:
    CHOICES[choice](table)
    table.settle()
    table.said.clear()
    _press(table, keys)
    [words] = table.said
    assert words.startswith(said)


def test_where_some_are_locked_what_is_said_to_unlock_them_does(table: Any) -> None:
    keys = [table.lay(name, 100 * number, 100, 80, 60) for number, name in enumerate("abc")]
    table.canvas.do(commands.lock(table.canvas.state, keys[1:]))
    table.canvas.choose(keys)
    table.said.clear()
    _press(table, "Alt+A, H")
    assert table.said == [
        "Distribute: all but 1 are locked; Ctrl+Shift+L, pressed twice, unlocks what is selected."
    ]
    for _ in range(2):
        _press(table, "Ctrl+Shift+L")
    assert not any(item.locked for item in table.canvas.state.items.values())


def test_a_locked_thing_that_is_dragged_says_that_it_is_locked_and_a_click_says_nothing(table: Any) -> None:
    _locked(table)
    at = QPointF(150, 130)
    table.said.clear()
    table.drag(at, QPointF(0, 0))
    assert table.said == []
    table.drag(at, QPointF(80, 40))
    assert table.said == ["Move: what is selected is locked; Ctrl+Shift+L unlocks it."]


def test_a_connector_that_is_drawn_where_one_is_says_so(table: Any) -> None:
    a, b = _connected(table)
    table.canvas.choose({a})
    start = table.handle(a, *LINK)
    table.said.clear()
    table.drag(start, table.middle(b) - start)
    assert table.said == ["Connect: there is such a connector already."]
    assert len(table.canvas.state.links) == 1


@pytest.mark.parametrize("what", ["a connector", "the only thing"])
def test_what_went_while_another_name_was_asked_for_stays_gone_and_that_is_said(
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
    """As somebody else does."""
    removed = commands.remove(table.canvas.state, table.canvas.state.items)
    table.canvas.editor.edit("Remove", *removed.changes)
    table.settle()
