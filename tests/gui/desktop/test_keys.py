"""Every row of the table of keys, pressed: what it says is what happens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QLineEdit

from liven.liveobjects.desktop.view.keys import KEYS, Key


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


# What is done before a key, and what must be so afterwards. Two things lie there, a at (100, 100) and b above
# it in the pile, at (300, 220); a is chosen.
BEFORE: dict[tuple[str, object], Callable[[Scene], object]] = {
    ("undo", None): lambda s: s.t.canvas.nudge((50, 0)),
    ("redo", None): lambda s: (s.t.canvas.nudge((50, 0)), s.t.settle(), s.t.canvas.undo()),
    ("rename_chosen", None): lambda s: _rename(s.t),
    ("start_chosen", None): lambda s: s.t.canvas.aside_chosen(),
    ("paste", None): lambda s: s.t.canvas.copy(),
    ("connect_chosen", None): lambda s: s.t.canvas.choose({s.a, s.b}),
    ("group_chosen", None): lambda s: s.t.canvas.choose({s.a, s.b}),
    ("ungroup_chosen", None): lambda s: (s.t.canvas.choose({s.a, s.b}), s.t.canvas.group_chosen()),
    ("stack", "backward"): lambda s: s.t.canvas.choose({s.b}),
    ("stack", "to_back"): lambda s: s.t.canvas.choose({s.b}),
    ("distribute", True): lambda s: (s.t.lay("c", 150, 400), s.t.canvas.choose_all()),
    ("distribute", False): lambda s: (s.t.lay("c", 150, 400), s.t.canvas.choose_all()),
    ("zoom_as_is", None): lambda s: s.t.canvas.zoom_in(),
    ("zoom_to_fit", None): lambda s: s.t.lay("far", 5000, 5000),
    ("zoom_to_chosen", None): lambda s: s.t.canvas.camera.pan(QPointF(-5000, 0)),
    ("choose_next", -1): lambda s: s.t.canvas.choose({s.b}),
    **{("align", side): lambda s: s.t.canvas.choose({s.a, s.b}) for side in
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
    ("connect_chosen", None): lambda s: (
        [(one.source, one.target) for one in s.t.canvas.state.links.values()] == [(s.a, s.b)]
    ),
    ("group_chosen", None): lambda s: s.t.item(s.a).group == s.t.item(s.b).group != "",
    ("ungroup_chosen", None): lambda s: s.t.item(s.a).group == "",
    ("lock_chosen", None): lambda s: s.t.item(s.a).locked and not s.t.item(s.b).locked,
    ("stack", "forward"): lambda s: s.t.labels() == ["b", "a"],
    ("stack", "to_front"): lambda s: s.t.labels() == ["b", "a"],
    ("stack", "backward"): lambda s: s.t.labels() == ["b", "a"],
    ("stack", "to_back"): lambda s: s.t.labels() == ["b", "a"],
    ("nudge", (-1, 0)): lambda s: _x(s.t, s.a) == 99,
    ("nudge", (1, 0)): lambda s: _x(s.t, s.a) == 101,
    ("nudge", (0, -1)): lambda s: _y(s.t, s.a) == 99,
    ("nudge", (0, 1)): lambda s: _y(s.t, s.a) == 101,
    ("nudge", (-10, 0)): lambda s: _x(s.t, s.a) == 90,
    ("nudge", (10, 0)): lambda s: _x(s.t, s.a) == 110,
    ("nudge", (0, -10)): lambda s: _y(s.t, s.a) == 90,
    ("nudge", (0, 10)): lambda s: _y(s.t, s.a) == 110,
    ("grow", (10, 0)): lambda s: s.t.place(s.a) == (100, 100, 110, 60),
    ("grow", (-10, 0)): lambda s: s.t.place(s.a) == (100, 100, 90, 60),
    ("grow", (0, 10)): lambda s: s.t.place(s.a) == (100, 100, 100, 70),
    ("grow", (0, -10)): lambda s: s.t.place(s.a) == (100, 100, 100, 50),
    ("turn", 15): lambda s: s.t.item(s.a).place.degrees == 15,
    ("turn", -15): lambda s: s.t.item(s.a).place.degrees == 345,
    ("align", "left"): lambda s: _x(s.t, s.a) == _x(s.t, s.b) == 100,
    ("align", "right"): lambda s: _x(s.t, s.a) == _x(s.t, s.b) == 300,
    ("align", "top"): lambda s: _y(s.t, s.a) == _y(s.t, s.b) == 100,
    ("align", "bottom"): lambda s: _y(s.t, s.a) == _y(s.t, s.b) == 220,
    ("align", "centre"): lambda s: _x(s.t, s.a) == _x(s.t, s.b) == 200,
    ("align", "middle"): lambda s: _y(s.t, s.a) == _y(s.t, s.b) == 160,
    ("distribute", True): lambda s: sorted(_x(s.t, k) for k in s.t.canvas.state.items) == [100, 200, 300],
    ("distribute", False): lambda s: sorted(_y(s.t, k) for k in s.t.canvas.state.items) == [100, 250, 400],
    ("zoom_in", None): lambda s: s.t.canvas.camera.zoom == 1.25,
    ("zoom_out", None): lambda s: s.t.canvas.camera.zoom == 0.8,
    ("zoom_as_is", None): lambda s: s.t.canvas.camera.zoom == 1,
    ("zoom_to_fit", None): lambda s: s.t.canvas.camera.zoom < 0.2,
    ("zoom_to_chosen", None): lambda s: s.t.canvas.rect().contains(s.t.middle(s.a).toPoint()),
    ("toggle_snapping", None): lambda s: s.t.canvas.snapping is True,
    ("look_for", None): lambda s: s.t.canvas.finding.isVisible(),
    ("toggle_map", None): lambda s: s.t.canvas.minimap.isVisible(),
    ("toggle_pointers", None): lambda s: not s.t.canvas.gazes.pointers,
    ("toggle_grid", None): lambda s: s.t.canvas.grid is False,
    ("choose_next", 1): lambda s: s.t.chosen() == {"b"},
    ("choose_next", -1): lambda s: s.t.chosen() == {"a"},
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
    assert table.said == ["There is nothing of yours to take back.", "There is nothing to do again."]


def test_tab_goes_round_and_shows_where_it_is(table: Any) -> None:
    table.lay("a", 100, 100)
    far = table.lay("far", 5000, 5000)
    for _ in range(2):
        QTest.keySequence(table.canvas, QKeySequence("Tab"))
    assert table.chosen() == {"far"}
    assert table.canvas.rect().contains(table.middle(far).toPoint())
    QTest.keySequence(table.canvas, QKeySequence("Tab"))
    assert table.chosen() == {"a"}
