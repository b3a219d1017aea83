"""Every row of the table of keys, pressed: what it says is what happens."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QLineEdit

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.view.tools.shortcuts import KEYS, Key
from liven.liveobjects.desktop.wire import Gaze


@dataclass
class Scene:
    """A table with two things on it."""

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
    """Answers the question for a name, once it is asked."""
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
    """What is connected, by names."""
    links = table.canvas.state.links.values()
    return {(table.item(link.source).label, table.item(link.target).label) for link in links}


def _chain(scene: Scene) -> None:
    """Something leads to a, and a to b."""
    before = scene.t.lay("before", 20, 20)
    for source, target in ((before, scene.a), (scene.a, scene.b)):
        scene.t.canvas.do(commands.connect(scene.t.canvas.state, source, target))
    scene.t.canvas.choose({scene.a})


def _others(table: Any, *names: str) -> None:
    for at, name in enumerate(names):
        numbers = (10.0 * at, 0.0, 800.0, 600.0, 0.0, 0.0)
        nobody = uuid.UUID(int=0)
        gaze = Gaze(uuid.uuid4(), name, "#102030", *numbers, False, [], 1.0, nobody, 0.0, 0.0)
        table.desktop.instance.shown(str(at), gaze)


# What is done before a key, and what must be so afterwards. Two things lie there, a at (100, 100) and b above
# it in the pile, at (300, 220); a is chosen.
BEFORE: dict[tuple[str, object], Callable[[Scene], object]] = {
    ("undo", None): lambda s: s.t.canvas.arranging.nudge((50, 0)),
    ("redo", None): lambda s: (s.t.canvas.arranging.nudge((50, 0)), s.t.settle(), s.t.canvas.undo()),
    ("rename_chosen", None): lambda s: _rename(s.t),
    ("start_chosen", None): lambda s: s.t.canvas.aside_chosen(),
    ("paste", None): lambda s: s.t.canvas.copy(),
    ("arranging.group", None): lambda s: s.t.canvas.choose({s.a, s.b}),
    ("arranging.ungroup", None): lambda s: (s.t.canvas.choose({s.a, s.b}), s.t.canvas.arranging.group()),
    ("arranging.stack", "backward"): lambda s: s.t.canvas.choose({s.b}),
    ("arranging.stack", "to_back"): lambda s: s.t.canvas.choose({s.b}),
    ("arranging.distribute", True): lambda s: (s.t.lay("c", 150, 400), s.t.canvas.choose_all()),
    ("arranging.distribute", False): lambda s: (s.t.lay("c", 150, 400), s.t.canvas.choose_all()),
    ("looking.zoom_as_is", None): lambda s: s.t.canvas.looking.zoom_in(),
    ("looking.zoom_to_fit", None): lambda s: s.t.lay("far", 5000, 5000),
    ("looking.zoom_to_chosen", None): lambda s: s.t.canvas.camera.pan(QPointF(-5000, 0)),
    ("walking.next", -1): lambda s: s.t.canvas.choose({s.b}),
    ("open_chosen", None): lambda s: s.t.opened.clear(),
    ("walking.next_too", -1): lambda s: s.t.canvas.choose({s.b}),
    ("arranging.connect", None): lambda s: s.t.canvas.choose({s.a, s.b}),
    ("remove_through", None): lambda s: _chain(s),
    ("looking.follow_next", None): lambda s: _others(s.t, "Ann", "Bob"),
    **{("arranging.align", side): lambda s: s.t.canvas.choose({s.a, s.b}) for side in
       ("left", "right", "top", "bottom", "centre", "middle")},
}  # fmt: skip
AFTER: dict[tuple[str, object], Check] = {
    ("undo", None): lambda s: _x(s.t, s.a) == 100,
    ("redo", None): lambda s: _x(s.t, s.a) == 150,
    ("choose_all", None): lambda s: s.t.chosen() == {"a", "b"},
    ("escape", None): lambda s: s.t.chosen() == set(),
    ("edit_chosen", None): lambda s: s.t.canvas.editing == s.a,
    ("rename_chosen", None): lambda s: s.t.item(s.a).label == "other",
    ("remove_chosen", None): lambda s: s.t.labels() == ["b"],
    ("start_chosen", None): lambda s: s.t.canvas.actors.view(s.a) is not None,
    ("aside_chosen", None): lambda s: s.t.canvas.actors.view(s.a) is None,
    ("copy", None): lambda s: "<Root" in QGuiApplication.clipboard().text() and s.t.labels() == ["a", "b"],
    ("cut", None): lambda s: "<Root" in QGuiApplication.clipboard().text() and s.t.labels() == ["b"],
    ("paste", None): lambda s: s.t.labels() == ["a", "b", "a"],
    ("duplicate_chosen", None): lambda s: s.t.labels() == ["a", "b", "a"],
    ("arranging.group", None): lambda s: s.t.item(s.a).group == s.t.item(s.b).group != "",
    ("arranging.ungroup", None): lambda s: s.t.item(s.a).group == "",
    ("arranging.lock", None): lambda s: s.t.item(s.a).locked and not s.t.item(s.b).locked,
    ("arranging.stack", "forward"): lambda s: s.t.labels() == ["b", "a"],
    ("arranging.stack", "to_front"): lambda s: s.t.labels() == ["b", "a"],
    ("arranging.stack", "backward"): lambda s: s.t.labels() == ["b", "a"],
    ("arranging.stack", "to_back"): lambda s: s.t.labels() == ["b", "a"],
    ("arranging.nudge", (-1, 0)): lambda s: _x(s.t, s.a) == 99,
    ("arranging.nudge", (1, 0)): lambda s: _x(s.t, s.a) == 101,
    ("arranging.nudge", (0, -1)): lambda s: _y(s.t, s.a) == 99,
    ("arranging.nudge", (0, 1)): lambda s: _y(s.t, s.a) == 101,
    ("arranging.nudge", (-10, 0)): lambda s: _x(s.t, s.a) == 90,
    ("arranging.nudge", (10, 0)): lambda s: _x(s.t, s.a) == 110,
    ("arranging.nudge", (0, -10)): lambda s: _y(s.t, s.a) == 90,
    ("arranging.nudge", (0, 10)): lambda s: _y(s.t, s.a) == 110,
    ("arranging.align", "left"): lambda s: _x(s.t, s.a) == _x(s.t, s.b) == 100,
    ("arranging.align", "right"): lambda s: _x(s.t, s.a) == _x(s.t, s.b) == 300,
    ("arranging.align", "top"): lambda s: _y(s.t, s.a) == _y(s.t, s.b) == 100,
    ("arranging.align", "bottom"): lambda s: _y(s.t, s.a) == _y(s.t, s.b) == 220,
    ("arranging.align", "centre"): lambda s: _x(s.t, s.a) == _x(s.t, s.b) == 200,
    ("arranging.align", "middle"): lambda s: _y(s.t, s.a) == _y(s.t, s.b) == 160,
    ("arranging.distribute", True): lambda s: (
        sorted(_x(s.t, k) for k in s.t.canvas.state.items) == [100, 200, 300]
    ),
    ("arranging.distribute", False): lambda s: (
        sorted(_y(s.t, k) for k in s.t.canvas.state.items) == [100, 250, 400]
    ),
    ("looking.zoom_in", None): lambda s: s.t.canvas.camera.zoom == 1.25,
    ("looking.zoom_out", None): lambda s: s.t.canvas.camera.zoom == 0.8,
    ("looking.zoom_as_is", None): lambda s: s.t.canvas.camera.zoom == 1,
    ("looking.zoom_to_fit", None): lambda s: s.t.canvas.camera.zoom < 0.2,
    ("looking.zoom_to_chosen", None): lambda s: s.t.canvas.rect().contains(s.t.middle(s.a).toPoint()),
    ("looking.toggle_snapping", None): lambda s: s.t.canvas.snapping is True,
    ("look_for", None): lambda s: s.t.canvas.finding.isVisible(),
    ("looking.toggle_map", None): lambda s: s.t.canvas.minimap.isVisible(),
    ("looking.toggle_pointers", None): lambda s: not s.t.canvas.gazes.pointers,
    ("looking.toggle_grid", None): lambda s: s.t.canvas.grid is False,
    ("open_chosen", None): lambda s: s.t.opened == ["a"],
    ("walking.next_too", 1): lambda s: s.t.chosen() == {"a", "b"},
    ("walking.next_too", -1): lambda s: s.t.chosen() == {"a", "b"},
    ("arranging.connect", None): lambda s: _links(s.t) == {("a", "b")},
    ("remove_through", None): lambda s: _links(s.t) == {("before", "b")},
    ("arranging.size", (1, 0)): lambda s: s.t.place(s.a) == (100, 100, 120, 60),
    ("arranging.size", (-1, 0)): lambda s: s.t.place(s.a) == (100, 100, 80, 60),
    ("arranging.size", (0, 1)): lambda s: s.t.place(s.a) == (100, 100, 100, 80),
    ("arranging.size", (0, -1)): lambda s: s.t.place(s.a) == (100, 100, 100, 40),
    ("arranging.turn", 15.0): lambda s: s.t.item(s.a).place.degrees == 15,
    ("arranging.turn", -15.0): lambda s: s.t.item(s.a).place.degrees == 345,
    ("looking.follow_next", None): lambda s: s.t.said[-1:] == ["You see what Ann sees."],
    ("looking.toggle_hand", None): lambda s: s.t.canvas.looking.hand,
    ("walking.next", 1): lambda s: s.t.chosen() == {"b"},
    ("walking.next", -1): lambda s: s.t.chosen() == {"a"},
}


@pytest.mark.parametrize(
    ("key", "sequence"),
    [(key, sequence) for key in KEYS for sequence in key.keys],
    ids=lambda one: one if isinstance(one, str) else one.action,
)
def test_the_key_does_what_its_row_says(table: Any, key: Key, sequence: str) -> None:
    what = (key.action, key.argument)
    assert what in AFTER, f"{key.action} is a new row; say here what it does"
    a, b = table.lay("a", 100, 100), table.lay("b", 300, 220)
    table.canvas.choose({a})
    scene = Scene(table, a, b)
    QGuiApplication.clipboard().clear()  # of what other tests left there
    if what in BEFORE:
        BEFORE[what](scene)
    table.settle()
    assert not AFTER[what](scene), "it must not be so before the key is pressed"
    QTest.keySequence(table.canvas, QKeySequence(sequence))
    table.settle()
    table.canvas.grab()
    assert AFTER[what](scene), table.said


def test_no_two_rows_have_one_key() -> None:
    sequences = [QKeySequence(sequence).toString() for key in KEYS for sequence in key.keys]
    assert len(sequences) == len(set(sequences))
    assert "" not in sequences


def test_with_nothing_chosen_arrows_move_the_plane(table: Any) -> None:
    table.lay("a", 100, 100)
    table.canvas.choose(())
    QTest.keySequence(table.canvas, QKeySequence("Right"))
    assert table.canvas.camera.corner == QPointF(8, 0)


def test_undo_of_nothing_says_so(table: Any) -> None:
    QTest.keySequence(table.canvas, QKeySequence("Ctrl+Z"))
    QTest.keySequence(table.canvas, QKeySequence("Ctrl+Y"))
    assert table.said == ["There is nothing of yours to undo.", "There is nothing to redo."]


def test_tab_goes_round_and_shows_where_it_is(table: Any) -> None:
    table.lay("a", 100, 100)
    far = table.lay("far", 5000, 5000)
    for _ in range(2):
        QTest.keySequence(table.canvas, QKeySequence("Tab"))
    assert table.chosen() == {"far"}
    assert table.canvas.rect().contains(table.middle(far).toPoint())
    QTest.keySequence(table.canvas, QKeySequence("Tab"))
    assert table.chosen() == {"a"}


def test_connecting_again_takes_the_connectors_away(table: Any) -> None:
    for name, x in (("a", 100), ("b", 300), ("c", 500)):
        table.lay(name, x, 100)
    table.canvas.choose_all()
    for wanted in ({("a", "b"), ("b", "c")}, set()):
        QTest.keySequence(table.canvas, QKeySequence("Ctrl+L"))
        table.settle()
        assert _links(table) == wanted
    QTest.keySequence(table.canvas, QKeySequence("Ctrl+Z"))
    table.settle()
    assert _links(table) == {("a", "b"), ("b", "c")}, "one gesture is one step"


def test_one_thing_alone_is_connected_to_nothing(table: Any) -> None:
    table.lay("a", 100, 100)
    table.canvas.choose_all()
    QTest.keySequence(table.canvas, QKeySequence("Ctrl+L"))
    assert table.said == ["Connect: select two things or more first."]


def test_two_of_five_are_chosen_by_keys(table: Any) -> None:
    for at, name in enumerate("abcde"):
        table.lay(name, 20 + 120 * at, 100)
    table.canvas.choose(())
    for keys in ("Tab", "Alt+N", "Alt+N"):
        QTest.keySequence(table.canvas, QKeySequence(keys))
    assert table.chosen() == {"a", "b", "c"}
    for keys in ("Tab", "Alt+Shift+N"):
        QTest.keySequence(table.canvas, QKeySequence(keys))
    assert table.chosen() == {"a", "b"}


def test_nothing_becomes_smaller_than_can_be_seen(table: Any) -> None:
    a = table.lay("a", 100, 100, 30, 30)
    table.canvas.choose_all()
    for keys in ("Alt+Left", "Alt+Up", "Alt+Left"):
        QTest.keySequence(table.canvas, QKeySequence(keys))
    table.settle()
    assert table.place(a) == (100, 100, 24, 24)


def test_one_goes_along_with_each_of_the_others_and_then_ones_own_way(table: Any) -> None:
    QTest.keySequence(table.canvas, QKeySequence("Alt+W"))
    _others(table, "Ann", "Bob")
    for _ in range(3):
        QTest.keySequence(table.canvas, QKeySequence("Alt+W"))
    assert table.said == [
        "Nobody else is here.",
        "You see what Ann sees.",
        "You see what Bob sees.",
        "You go your own way.",
    ]
    assert table.canvas.gazes.followed is None


def test_with_the_hand_a_drag_on_a_thing_moves_the_plane_until_esc(table: Any) -> None:
    a = table.lay("a", 100, 100)
    QTest.keySequence(table.canvas, QKeySequence("H"))
    table.drag(table.middle(a), QPointF(50, 0))
    assert table.canvas.camera.corner == QPointF(-50, 0)
    assert table.place(a)[:2] == (100, 100)
    QTest.keySequence(table.canvas, QKeySequence("Esc"))
    table.drag(table.middle(a), QPointF(50, 0))
    table.settle()
    assert table.place(a)[:2] == (150, 100)
