"""A board of many faces in the program: its first paint, frames while something is dragged over it, and
entering a note."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from itertools import cycle
from statistics import median
from typing import Any

from desktop_figures.content import faces
from desktop_figures.frames import Frames, p95
from desktop_figures.large_desktop import canvas_of, in_view, put_beside_the_view, size_of_canvas
from PySide6.QtCore import QEvent, QObject, QPointF, QSizeF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view.canvas.canvas import SETTLE_MS, Canvas
from liven.liveobjects.desktop.view.geometry import rect

Say = Callable[[str, float], None]
Windows = Callable[[], list[Any]]
FAR = 0.22
"""The zoom at which the faces are painted for the first time."""
NEAR = 0.3
"""The zoom at which the faces fill the window, and are dragged."""
DRAGGED = 105
"""A note in the middle of them."""
FRAMES = 300
_ROUNDS = 20
_STEP_MS = 60
_LEFT = Qt.MouseButton.LeftButton
_NO_BUTTON = Qt.MouseButton.NoButton


def crowd(windows: Windows, say: Say, count: int) -> None:
    """Place so many faces, and report when all of them run and are painted in the window."""
    canvas = canvas_of(windows)
    if canvas is None or not canvas.model.ready:
        QTimer.singleShot(20, partial(crowd, windows, say, count))
        return
    put_beside_the_view(canvas, list(faces(count)))
    size_of_canvas(windows)
    look_at(canvas, FAR)
    _when_painted(canvas, count, lambda: say("crowded", len(in_view(canvas))))


def first(windows: Windows, say: Say, _: int) -> None:
    """Report the times in which all faces are painted, without a picture of any: the least of several."""
    canvas = _canvas(windows)
    look_at(canvas, FAR)

    def step(_: int) -> None:
        canvas.item_views.pictures.clear()

    def tell(frames: Frames) -> None:
        say("first", min(frames.wall) * 1000)
        say("first_own", min(frames.spent) * 1000)

    # once the plane rests: while it moves, old pictures would do
    QTimer.singleShot(3 * SETTLE_MS, lambda: Frames(canvas, step, _ROUNDS, tell))


def drag(windows: Windows, say: Say, count: int) -> None:
    """Drag so many faces by the mouse, one step in a frame, and report the frames."""
    canvas = _canvas(windows)
    look_at(canvas, NEAR)
    keys = [f"{(DRAGGED + at) % len(canvas.state.items):04}" for at in range(count)]
    canvas.select(keys)
    start = _middle(canvas, canvas.state.items[keys[0]])
    ways = cycle([*range(0, 120, 3), *range(120, 0, -3)])
    _mouse(canvas, QEvent.Type.MouseButtonPress, start, _LEFT, _LEFT)

    def step(_: int) -> None:
        by = next(ways)
        _mouse(canvas, QEvent.Type.MouseMove, start + QPointF(by, by / 2), _NO_BUTTON, _LEFT)

    def tell(frames: Frames) -> None:
        if canvas.preview.keys() < set(keys):
            raise RuntimeError("the faces were not dragged")
        canvas.escape()
        _mouse(canvas, QEvent.Type.MouseButtonRelease, start, _LEFT, _NO_BUTTON)
        canvas.select(())
        say("drag", p95(frames.wall))
        say("drag_own", p95(frames.spent))
        say("drag_between", p95(frames.between))

    Frames(canvas, step, FRAMES, tell)


def enter(windows: Windows, say: Say, _: int) -> None:
    """Enter a note by a double-click and leave it again, several times. Report the time from the second
    press to the painted window."""
    canvas = _canvas(windows)
    _Entering(canvas, say).look()


class _Entering(QObject):
    """Enters and leaves a note, one step of the loop at a time."""

    def __init__(self, canvas: Canvas, say: Say) -> None:
        super().__init__(canvas)
        self._canvas, self._say = canvas, say
        self._item = canvas.state.items[f"{DRAGGED:04}"]
        self._handled: list[float] = []
        self._painted: list[float] = []

    def look(self) -> None:
        self._canvas.camera.zoom = 1.0
        self._canvas.camera.corner = rect(self._item.place).topLeft() - QPointF(500, 300)
        self._canvas.viewport_changed()
        QTimer.singleShot(10 * _STEP_MS, self._enter)

    def _enter(self) -> None:
        canvas, at = self._canvas, _middle(self._canvas, self._item)
        _mouse(canvas, QEvent.Type.MouseButtonPress, at, _LEFT, _LEFT)
        _mouse(canvas, QEvent.Type.MouseButtonRelease, at, _LEFT, _NO_BUTTON)
        QApplication.processEvents()
        begun = time.thread_time()
        _mouse(canvas, QEvent.Type.MouseButtonDblClick, at, _LEFT, _LEFT)
        handled = time.thread_time()
        canvas.repaint()
        painted = time.thread_time()
        _mouse(canvas, QEvent.Type.MouseButtonRelease, at, _LEFT, _NO_BUTTON)
        if canvas.editing != self._item.key:
            raise RuntimeError("the note was not entered")
        self._handled.append(handled - begun)
        self._painted.append(painted - begun)
        QTimer.singleShot(_STEP_MS, self._leave)

    def _leave(self) -> None:
        self._canvas.leave_editing(back=True)
        self._canvas.select(())
        if len(self._painted) < _ROUNDS:
            QTimer.singleShot(_STEP_MS, self._enter)
            return
        self._say("enter", median(self._handled) * 1000)
        self._say("entered", median(self._painted) * 1000)


def look_at(canvas: Canvas, zoom: float) -> None:
    """Show the plane from its corner at a zoom."""
    canvas.camera.zoom, canvas.camera.corner = zoom, QPointF(-20 / zoom, -20 / zoom)
    canvas.viewport_changed()


def _when_painted(canvas: Canvas, count: int, then: Callable[[], object]) -> None:
    if sum(_is_painted(canvas, item) for item in in_view(canvas)) == count:
        then()
    else:
        QTimer.singleShot(50, partial(_when_painted, canvas, count, then))


def _is_painted(canvas: Canvas, item: Item) -> bool:
    view = canvas.item_views.view(item.key)
    size = QSizeF(item.place.width, item.place.height)
    return (
        view is not None
        and not view.is_loading()
        and canvas.item_views.pictures.has(item.key, size, canvas.camera.zoom)
    )


def _canvas(windows: Windows) -> Canvas:
    canvas = canvas_of(windows)
    assert canvas is not None
    return canvas


def _middle(canvas: Canvas, item: Item) -> QPointF:
    return canvas.camera.to_window(rect(item.place).center())


def _mouse(canvas: Canvas, kind: QEvent.Type, at: QPointF, button: Any, held: Any) -> None:
    where = QPointF(canvas.mapToGlobal(at.toPoint()))
    event = QMouseEvent(kind, at, where, button, held, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(canvas, event)
