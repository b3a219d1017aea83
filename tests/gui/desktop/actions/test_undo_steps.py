"""Every action by mouse and keys is one named step, and Ctrl+Z undoes all of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QTimer
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QLineEdit

from liven.liveobjects.desktop.view.gestures.handles import CONNECT, TURN

CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


@dataclass
class Scene:
    """Three selected items on a table, and a connector from the first to the second."""

    t: Any
    a: str
    b: str
    c: str

    def press(self, keys: str, *only: str) -> None:
        """Press keys; select these items first if any are named."""
        if only:
            self.t.canvas.select(only)
        QTest.keySequence(self.t.canvas, QKeySequence(keys))

    def only(self, key: str) -> None:
        self.t.canvas.select({key})

    def from_handle(self, across: int, down: int, by: QPointF) -> None:
        self.only(self.c)
        self.t.drag(self.t.handle(self.c, across, down), by)

    def on_the_line(self) -> QPointF:
        [link] = self.t.canvas.state.links.values()
        found: QPointF = self.t.canvas.camera.to_window(self.t.canvas.connectors.middle(link))
        return found

    def click_line(self) -> None:
        QTest.mouseClick(self.t.canvas, Qt.MouseButton.LeftButton, pos=self.on_the_line().toPoint())

    def answer(self, words: str) -> None:
        """Answer the next dialog."""
        again = QTimer(self.t.canvas, interval=10)

        def give() -> None:
            for dialog in QApplication.topLevelWidgets():
                if isinstance(dialog, QInputDialog) and dialog.isVisible():
                    again.stop()
                    [line] = dialog.findChildren(QLineEdit)
                    line.setText(words)
                    QTest.keyClick(line, Qt.Key.Key_Return)

        again.timeout.connect(give)
        again.start()

    def drop(self) -> None:
        data = QMimeData()
        data.setText(self.t.recipe("dropped"))
        at, action = QPointF(600, 100), Qt.DropAction.CopyAction
        held, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        for event in (
            QDragEnterEvent(at.toPoint(), action, data, held, keys),
            QDropEvent(at, action, data, held, keys),
        ):
            QApplication.sendEvent(self.t.canvas, event)


def _rename(scene: Scene) -> None:
    scene.only(scene.a)
    scene.answer("another")
    scene.press("F2")


def _rename_line(scene: Scene) -> None:
    scene.click_line()
    scene.answer("leads to")
    scene.press("F2")


def _remove_line(scene: Scene) -> None:
    scene.click_line()
    scene.press("Del")


def _paste(scene: Scene) -> None:
    scene.press("Ctrl+C")
    scene.press("Ctrl+V")


def _ungroup(scene: Scene) -> None:
    scene.press("Ctrl+G")
    scene.t.settle()
    scene.press("Ctrl+Shift+G")


def _unlock(scene: Scene) -> None:
    scene.press("Ctrl+Shift+L")
    scene.t.settle()
    scene.press("Ctrl+Shift+L")


def _turn(scene: Scene) -> None:
    scene.from_handle(*TURN, QPointF(60, 40))


def _connect(scene: Scene) -> None:
    knob = scene.t.middle(scene.a)
    scene.only(scene.c)
    start = scene.t.handle(scene.c, *CONNECT)
    scene.t.drag(start, knob - start)


STEPS: dict[str, tuple[str, Callable[[Scene], object]]] = {
    "drag": ("Move", lambda s: s.t.drag(s.t.middle(s.a), QPointF(30, 45))),
    "nudge": ("Move", lambda s: s.press("Shift+Right")),
    "drag with Alt": ("Duplicate", lambda s: s.t.drag(s.t.middle(s.a), QPointF(30, 45), ALT)),
    "resize": ("Resize", lambda s: s.from_handle(1, 1, QPointF(40, 30))),
    "turn": ("Turn", _turn),
    "resize by keys": ("Resize", lambda s: s.press("Alt+Down")),
    "turn by keys": ("Turn", lambda s: s.press("Alt+.")),
    "draw a connector": ("Connect", _connect),
    "connect by keys": ("Connect", lambda s: s.press("Ctrl+L", s.b, s.c)),
    "disconnect by keys": ("Disconnect", lambda s: s.press("Ctrl+L", s.a, s.b)),
    "remove a connector": ("Remove connector", _remove_line),
    "name a connector": ("Rename connector", _rename_line),
    "rename": ("Rename", _rename),
    "delete and reconnect": ("Remove and reconnect", lambda s: s.press("Ctrl+Del", s.b)),
    "delete": ("Remove", lambda s: s.press("Del")),
    "cut": ("Remove", lambda s: s.press("Ctrl+X")),
    "paste": ("Add 3 items", _paste),
    "drop": ("Add dropped", lambda s: s.drop()),
    "duplicate": ("Duplicate", lambda s: s.press("Ctrl+D")),
    "group": ("Group", lambda s: s.press("Ctrl+G")),
    "ungroup": ("Ungroup", _ungroup),
    "lock": ("Lock", lambda s: s.press("Ctrl+Shift+L")),
    "unlock": ("Unlock", _unlock),
    "forward": ("Bring forward", lambda s: s.press("Ctrl+]", s.a)),
    "backward": ("Send backward", lambda s: s.press("Ctrl+[", s.c)),
    "front": ("Bring to front", lambda s: s.press("Ctrl+Shift+]", s.a)),
    "back": ("Send to back", lambda s: s.press("Ctrl+Shift+[", s.c)),
    "align": ("Align left", lambda s: s.press("Ctrl+Shift+Left")),
    "distribute": ("Distribute", lambda s: s.press("Alt+A, H")),
}


@pytest.mark.parametrize("what", STEPS)
def test_action_is_one_named_step_and_undone_completely(table: Any, what: str) -> None:
    name, do = STEPS[what]
    scene = Scene(table, table.lay("a", 60, 60), table.lay("b", 300, 160), table.lay("c", 400, 420))
    table.canvas.select({scene.a, scene.b})
    table.canvas.arrangement.connect()
    table.canvas.select_all()
    table.settle()
    QGuiApplication.clipboard().clear()
    undo, model = table.canvas.editor.undo_list, table.canvas.editor.model
    states = [model.digest(table.canvas.state)]
    steps = len(undo.undo_names)
    do(scene)
    table.settle()
    table.canvas.activateWindow()  # a dialog may have been open
    table.bot.waitUntil(table.canvas.isActiveWindow, timeout=60_000)
    many = len(undo.undo_names) - steps
    assert undo.undo_names[0] == name, table.said
    assert many == (2 if what in ("ungroup", "unlock") else 1)
    after = model.digest(table.canvas.state)
    assert after != states[0] or what in ("ungroup", "unlock")
    for _ in range(many):
        table.key(Qt.Key.Key_Z, CONTROL)
    assert model.digest(table.canvas.state) == states[0]
    assert table.said[-1].startswith("Undone: ")
    for _ in range(many):
        table.key(Qt.Key.Key_Y, CONTROL)
    assert model.digest(table.canvas.state) == after


@pytest.mark.parametrize("handle", [None, (1, 1), (0, -1), TURN, CONNECT], ids=str)
def test_esc_during_any_gesture_changes_nothing_and_adds_no_step(table: Any, handle: Any) -> None:
    a, b = table.lay("a", 200, 200), table.lay("b", 500, 400)
    table.click(a)
    model, undo = table.canvas.editor.model, table.canvas.editor.undo_list
    before, steps = model.digest(table.canvas.state), undo.undo_names
    start = table.middle(a) if handle is None else table.handle(a, *handle)
    table.press(start)
    table.move(table.middle(b))
    table.canvas.grab()
    table.key(Qt.Key.Key_Escape)
    table.canvas.grab()
    table.move(table.middle(b) + QPointF(5, 5))
    table.release(table.middle(b))
    assert table.canvas.gesture is None
    assert table.canvas.preview == {}
    assert model.digest(table.canvas.state) == before
    assert undo.undo_names == steps
    assert table.selected() == {"a"}
