"""Every shortcut, pressed: it does what its text says."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog, QLineEdit, QMenu

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.view.actions.shortcut import Shortcut
from liven.liveobjects.desktop.view.actions.shortcuts import SHORTCUTS
from liven.liveobjects.desktop.view.people.reactions import REACTIONS
from liven.liveobjects.desktop.wire import Gaze
from liven.liveobjects.look.view.signs import Sign


@dataclass
class Scene:
    """A table with two items."""

    t: Any
    a: str
    b: str


Check = Callable[[Scene], bool]


def _x(table: Any, key: str) -> float:
    found: float = table.place(key)[0]
    return found


def _y(table: Any, key: str) -> float:
    found: float = table.place(key)[1]
    return found


def _rename(table: Any) -> None:
    """Answer the rename dialog once it opens."""
    again = QTimer(table.canvas, interval=10)

    def answer() -> None:
        for dialog in QApplication.topLevelWidgets():
            if isinstance(dialog, QInputDialog) and dialog.isVisible():
                again.stop()
                [line] = dialog.findChildren(QLineEdit)
                line.setText("other")
                QTest.keyClick(line, Qt.Key.Key_Return)

    again.timeout.connect(answer)
    again.start()


def _links(table: Any) -> set[tuple[str, str]]:
    """Return the connected items as pairs of names."""
    links = table.canvas.state.links.values()
    return {(table.item(link.source).label, table.item(link.target).label) for link in links}


def _chain(scene: Scene) -> None:
    """Connect a new item to a, and a to b."""
    before = scene.t.lay("before", 20, 20)
    for source, target in ((before, scene.a), (scene.a, scene.b)):
        scene.t.canvas.do(commands.connect(scene.t.canvas.state, source, target))
    scene.t.canvas.select({scene.a})


def _others(table: Any, *names: str) -> None:
    for at, name in enumerate(names):
        numbers = (10.0 * at, 0.0, 800.0, 600.0, 0.0, 0.0)
        nobody = uuid.UUID(int=0)
        gaze = Gaze(uuid.uuid4(), name, "#102030", *numbers, False, [], 1.0, nobody, 0.0, 0.0)
        table.desktop.instance.shown(str(at), gaze)


# Actions before the key is pressed; AFTER lists the conditions that must hold afterwards. There
# are two items: a at (100, 100), which is selected, and b on top of it in the stack, at (300, 220).
BEFORE: dict[str, Callable[[Scene], object]] = {
    "Ctrl+Z": lambda s: s.t.canvas.arrangement.nudge((50, 0)),
    "Ctrl+Shift+Z": lambda s: (s.t.canvas.arrangement.nudge((50, 0)), s.t.settle(), s.t.canvas.undo()),
    "F2": lambda s: _rename(s.t),
    "F5": lambda s: s.t.canvas.pause_selected(),
    "Ctrl+V": lambda s: s.t.canvas.clipboard.copy(),
    "Ctrl+Alt+V": lambda s: s.t.canvas.clipboard.copy(),
    "Ctrl+G": lambda s: s.t.canvas.select({s.a, s.b}),
    "Ctrl+Shift+G": lambda s: (s.t.canvas.select({s.a, s.b}), s.t.canvas.arrangement.group()),
    "Ctrl+[": lambda s: s.t.canvas.select({s.b}),
    "Ctrl+Shift+[": lambda s: s.t.canvas.select({s.b}),
    "Alt+A, H": lambda s: (s.t.lay("c", 150, 400), s.t.canvas.select_all()),
    "Alt+A, V": lambda s: (s.t.lay("c", 150, 400), s.t.canvas.select_all()),
    "Ctrl+0": lambda s: s.t.canvas.zoom_and_view.zoom_in(),
    "Shift+1": lambda s: s.t.lay("far", 5000, 5000),
    "Shift+2": lambda s: s.t.canvas.camera.pan(QPointF(-5000, 0)),
    "Shift+Tab": lambda s: s.t.canvas.select({s.b}),
    "Ctrl+Return": lambda s: s.t.opened.clear(),
    "Alt+Shift+N": lambda s: s.t.canvas.select({s.b}),
    "Ctrl+L": lambda s: s.t.canvas.select({s.a, s.b}),
    "Ctrl+Del": lambda s: _chain(s),
    "Alt+W": lambda s: _others(s.t, "Ann", "Bob"),
    "V": lambda s: s.t.canvas.held_tool.take("Connector"),
    "/": lambda s: s.t.canvas.palette_requested.connect(lambda: s.t.opened.append("the palette")),
    **{keys: lambda s: s.t.canvas.select({s.a, s.b}) for keys in
       ("Ctrl+Shift+Left", "Ctrl+Shift+Right", "Ctrl+Shift+Up", "Ctrl+Shift+Down", "Alt+A, C", "Alt+A, M")},
}  # fmt: skip


def _rises(sign: Sign) -> Check:
    """Return a check that this reaction is seen."""
    return lambda s: s.t.canvas.collaborators.reactions.signs == (sign,)


AFTER: dict[str, Check] = {
    "Ctrl+Z": lambda s: _x(s.t, s.a) == 100,
    "Ctrl+Shift+Z": lambda s: _x(s.t, s.a) == 150,
    "Ctrl+A": lambda s: s.t.selected() == {"a", "b"},
    "Esc": lambda s: s.t.selected() == set(),
    "Return": lambda s: s.t.canvas.editing == s.a,
    "F2": lambda s: s.t.item(s.a).label == "other",
    "Del": lambda s: s.t.labels() == ["b"],
    "F5": lambda s: s.t.canvas.item_views.view(s.a) is not None,
    "Shift+F5": lambda s: s.t.canvas.item_views.view(s.a) is None,
    "Ctrl+C": lambda s: "<Root" in QGuiApplication.clipboard().text() and s.t.labels() == ["a", "b"],
    "Ctrl+X": lambda s: "<Root" in QGuiApplication.clipboard().text() and s.t.labels() == ["b"],
    "Ctrl+V": lambda s: s.t.labels() == ["a", "b", "a"],
    "Ctrl+Alt+V": lambda s: s.t.labels() == ["a", "b", "a"],
    "Ctrl+D": lambda s: s.t.labels() == ["a", "b", "a"],
    "Ctrl+Shift+D": lambda s: s.t.labels() == ["a", "b", "a"],
    "Ctrl+G": lambda s: s.t.item(s.a).group == s.t.item(s.b).group != "",
    "Ctrl+Shift+G": lambda s: s.t.item(s.a).group == "",
    "Ctrl+Shift+L": lambda s: s.t.item(s.a).locked and not s.t.item(s.b).locked,
    "Ctrl+]": lambda s: s.t.labels() == ["b", "a"],
    "Ctrl+Shift+]": lambda s: s.t.labels() == ["b", "a"],
    "Ctrl+[": lambda s: s.t.labels() == ["b", "a"],
    "Ctrl+Shift+[": lambda s: s.t.labels() == ["b", "a"],
    "Left": lambda s: _x(s.t, s.a) == 99,
    "Right": lambda s: _x(s.t, s.a) == 101,
    "Up": lambda s: _y(s.t, s.a) == 99,
    "Down": lambda s: _y(s.t, s.a) == 101,
    "Shift+Left": lambda s: _x(s.t, s.a) == 90,
    "Shift+Right": lambda s: _x(s.t, s.a) == 110,
    "Shift+Up": lambda s: _y(s.t, s.a) == 90,
    "Shift+Down": lambda s: _y(s.t, s.a) == 110,
    "Ctrl+Shift+Left": lambda s: _x(s.t, s.a) == _x(s.t, s.b) == 100,
    "Ctrl+Shift+Right": lambda s: _x(s.t, s.a) == _x(s.t, s.b) == 300,
    "Ctrl+Shift+Up": lambda s: _y(s.t, s.a) == _y(s.t, s.b) == 100,
    "Ctrl+Shift+Down": lambda s: _y(s.t, s.a) == _y(s.t, s.b) == 220,
    "Alt+A, C": lambda s: _x(s.t, s.a) == _x(s.t, s.b) == 200,
    "Alt+A, M": lambda s: _y(s.t, s.a) == _y(s.t, s.b) == 160,
    "Alt+A, H": lambda s: sorted(_x(s.t, k) for k in s.t.canvas.state.items) == [100, 200, 300],
    "Alt+A, V": lambda s: sorted(_y(s.t, k) for k in s.t.canvas.state.items) == [100, 250, 400],
    "Ctrl+=": lambda s: s.t.canvas.camera.zoom == 1.25,
    "Ctrl+-": lambda s: s.t.canvas.camera.zoom == 0.8,
    "Ctrl+0": lambda s: s.t.canvas.camera.zoom == 1,
    "Shift+1": lambda s: s.t.canvas.camera.zoom < 0.2,
    "Shift+2": lambda s: s.t.canvas.rect().contains(s.t.middle(s.a).toPoint()),
    "Alt+S": lambda s: s.t.canvas.snapping is True,
    "Ctrl+F": lambda s: s.t.canvas.find_bar.isVisible(),
    "Ctrl+M": lambda s: s.t.canvas.minimap.isVisible(),
    "Alt+P": lambda s: not s.t.canvas.collaborators.pointers,
    "Ctrl+'": lambda s: s.t.canvas.grid is False,
    "Ctrl+Return": lambda s: s.t.opened == ["a"],
    "Alt+N": lambda s: s.t.selected() == {"a", "b"},
    "Alt+Shift+N": lambda s: s.t.selected() == {"a", "b"},
    "Ctrl+L": lambda s: _links(s.t) == {("a", "b")},
    "Ctrl+Del": lambda s: _links(s.t) == {("before", "b")},
    "Alt+Right": lambda s: s.t.place(s.a) == (100, 100, 120, 60),
    "Alt+Left": lambda s: s.t.place(s.a) == (100, 100, 80, 60),
    "Alt+Down": lambda s: s.t.place(s.a) == (100, 100, 100, 80),
    "Alt+Up": lambda s: s.t.place(s.a) == (100, 100, 100, 40),
    "Alt+.": lambda s: s.t.item(s.a).place.degrees == 15,
    "Alt+,": lambda s: s.t.item(s.a).place.degrees == 345,
    "Alt+W": lambda s: s.t.said[-1:] == ["Following Ann."],
    "H": lambda s: s.t.canvas.zoom_and_view.hand,
    "F": lambda s: s.t.selected() == {"Frame"} and s.t.labels() == ["Frame", "a", "b"],
    "V": lambda s: s.t.canvas.held_tool.name == "Select",
    "N": lambda s: s.t.canvas.held_tool.name == "Note",
    "T": lambda s: s.t.canvas.held_tool.name == "Text",
    "C": lambda s: s.t.canvas.held_tool.name == "Connector",
    "R": lambda s: s.t.canvas.held_tool.name == "Box",
    "O": lambda s: s.t.canvas.held_tool.name == "Ellipse",
    "D": lambda s: s.t.canvas.held_tool.name == "Diamond",
    "P": lambda s: s.t.canvas.held_tool.name == "Pen",
    "E": lambda s: s.t.canvas.held_tool.name == "Eraser",
    "I": lambda s: s.t.said[-1:] == ["which pictures?"],
    "/": lambda s: s.t.opened[-1:] == ["the palette"],
    "Tab": lambda s: s.t.selected() == {"b"},
    "Shift+Tab": lambda s: s.t.selected() == {"a"},
    "S": lambda s: s.t.canvas.collaborators.chat.isVisible(),
    "L": lambda s: s.t.canvas.collaborators.laser,
    "Alt+Shift+T": lambda s: s.t.opened[-1:] == ["a menu"],
    **{f"Alt+{number}": _rises(sign) for number, sign in enumerate(REACTIONS.values(), start=1)},
}


@pytest.mark.parametrize(
    ("key", "sequence"),
    [(key, sequence) for key in SHORTCUTS for sequence in key.keys],
    ids=lambda one: one if isinstance(one, str) else one.words,
)
def test_shortcut_does_what_it_says(
    table: Any, key: Shortcut, sequence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(*_: object) -> tuple[list[str], str]:
        table.said.append("which pictures?")
        return [], ""

    monkeypatch.setattr(QFileDialog, "getOpenFileNames", ask)
    monkeypatch.setattr(QMenu, "popup", lambda *_: table.opened.append("a menu"))
    what = key.keys[0]
    assert what in AFTER, f"{key.words} is a new shortcut; add what it does"
    a, b = table.lay("a", 100, 100), table.lay("b", 300, 220)
    table.canvas.select({a})
    scene = Scene(table, a, b)
    QGuiApplication.clipboard().clear()  # other tests may have filled it
    if what in BEFORE:
        BEFORE[what](scene)
    table.settle()
    assert not AFTER[what](scene), "it must not be so before the key is pressed"
    QTest.keySequence(table.canvas, QKeySequence(sequence))
    table.settle()
    table.canvas.grab()
    assert AFTER[what](scene), table.said


def test_no_two_shortcuts_share_a_key() -> None:
    sequences = [QKeySequence(sequence).toString() for key in SHORTCUTS for sequence in key.keys]
    assert len(sequences) == len(set(sequences))
    assert "" not in sequences


def test_arrow_keys_pan_without_a_selection(table: Any) -> None:
    table.lay("a", 100, 100)
    table.canvas.select(())
    QTest.keySequence(table.canvas, QKeySequence("Right"))
    assert table.canvas.camera.corner == QPointF(8, 0)


def test_undo_without_a_step_says_so(table: Any) -> None:
    QTest.keySequence(table.canvas, QKeySequence("Ctrl+Z"))
    QTest.keySequence(table.canvas, QKeySequence("Ctrl+Y"))
    assert table.said == ["There is nothing of yours to undo.", "There is nothing to redo."]


def test_tab_cycles_through_items_and_brings_them_into_view(table: Any) -> None:
    table.lay("a", 100, 100)
    far = table.lay("far", 5000, 5000)
    for _ in range(2):
        QTest.keySequence(table.canvas, QKeySequence("Tab"))
    assert table.selected() == {"far"}
    assert table.canvas.rect().contains(table.middle(far).toPoint())
    QTest.keySequence(table.canvas, QKeySequence("Tab"))
    assert table.selected() == {"a"}


def test_ctrl_l_on_connected_items_disconnects_them(table: Any) -> None:
    for name, x in (("a", 100), ("b", 300), ("c", 500)):
        table.lay(name, x, 100)
    table.canvas.select_all()
    for wanted in ({("a", "b"), ("b", "c")}, set()):
        QTest.keySequence(table.canvas, QKeySequence("Ctrl+L"))
        table.settle()
        assert _links(table) == wanted
    QTest.keySequence(table.canvas, QKeySequence("Ctrl+Z"))
    table.settle()
    assert _links(table) == {("a", "b"), ("b", "c")}, "one gesture is one step"


def test_single_item_cannot_be_connected(table: Any) -> None:
    table.lay("a", 100, 100)
    table.canvas.select_all()
    QTest.keySequence(table.canvas, QKeySequence("Ctrl+L"))
    assert table.said == ["Connect: select at least two items first."]


def test_two_of_five_items_are_selected_by_keys(table: Any) -> None:
    for at, name in enumerate("abcde"):
        table.lay(name, 20 + 120 * at, 100)
    table.canvas.select(())
    for keys in ("Tab", "Alt+N", "Alt+N"):
        QTest.keySequence(table.canvas, QKeySequence(keys))
    assert table.selected() == {"a", "b", "c"}
    for keys in ("Tab", "Alt+Shift+N"):
        QTest.keySequence(table.canvas, QKeySequence(keys))
    assert table.selected() == {"a", "b"}


def test_resizing_by_keys_stops_at_the_smallest_size(table: Any) -> None:
    a = table.lay("a", 100, 100, 30, 30)
    table.canvas.select_all()
    for keys in ("Alt+Left", "Alt+Up", "Alt+Left"):
        QTest.keySequence(table.canvas, QKeySequence(keys))
    table.settle()
    assert table.place(a) == (100, 100, 24, 24)


def test_alt_w_follows_each_person_in_turn_and_then_nobody(table: Any) -> None:
    QTest.keySequence(table.canvas, QKeySequence("Alt+W"))
    _others(table, "Ann", "Bob")
    for _ in range(3):
        QTest.keySequence(table.canvas, QKeySequence("Alt+W"))
    assert table.said == [
        "Nobody else has this desktop open.",
        "Following Ann.",
        "Following Bob.",
        "You stopped following.",
    ]
    assert table.canvas.collaborators.followed is None


def test_hand_tool_pans_over_items_until_esc(table: Any) -> None:
    a = table.lay("a", 100, 100)
    QTest.keySequence(table.canvas, QKeySequence("H"))
    table.drag(table.middle(a), QPointF(50, 0))
    assert table.canvas.camera.corner == QPointF(-50, 0)
    assert table.place(a)[:2] == (100, 100)
    QTest.keySequence(table.canvas, QKeySequence("Esc"))
    table.drag(table.middle(a), QPointF(50, 0))
    table.settle()
    assert table.place(a)[:2] == (150, 100)
