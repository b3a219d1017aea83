"""The large desktop in the program: fill it, wait until everything in view is painted, pan over it."""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from desktop_figures.content import ACROSS, HIGH, THINGS, WIDE, kind_of, things
from desktop_figures.frames import Frames, p95
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QSizeF, QTimer
from PySide6.QtGui import QColor, QImage, QPainter

from liven.liveobjects.desktop.state import Add, Item
from liven.liveobjects.desktop.view.canvas.canvas import Canvas
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.folder.state import Put
from liven.liveobjects.image.view import ImageView

Say = Callable[[str, float], None]
Windows = Callable[[], list[Any]]
_AT_ONCE = 4
_RESIZED_MS = 500
_FEW_ACROSS = 10
_SIDE = 1000
_STEP = 24.0
"""The distance that the plane moves in a frame: 1,500 pixels a second."""
_TURNS = (4000.0, 700.0)
"""The distance to the right, and then down, before the way goes back."""


def canvas_of(windows: Windows) -> Canvas | None:
    """Return the canvas that fills a window, if there is one yet."""
    return next((w for w in (one.centralWidget() for one in windows()) if isinstance(w, Canvas)), None)


def fill(windows: Windows, say: Say, count: int) -> None:
    """Place so many things on the desktop, and give images their pictures and folders their entries. A
    desktop that fits the window is shown whole, and is found so at the next start."""
    canvas = canvas_of(windows)
    if canvas is None or not canvas.model.ready:
        QTimer.singleShot(20, partial(fill, windows, say, count))
        return
    put_beside_the_view(canvas, list(things("Large", count, ACROSS if count == THINGS else _FEW_ACROSS)))
    waiting = [item for item in canvas.state.items.values() if kind_of(item.z) in "if"]

    def filled() -> None:
        if count == THINGS:
            say("filled", time.monotonic())
            return
        size_of_canvas(windows)
        QTimer.singleShot(_RESIZED_MS, fit)

    def fit() -> None:
        canvas.zoom_and_view.zoom_to_fit()
        _wait(canvas, lambda: say("filled", time.monotonic()))

    _Filling(canvas, waiting, filled)


def put_beside_the_view(canvas: Canvas, items: list[Item]) -> None:
    """Place items on the desktop, none of them in view while it is filled."""
    canvas.initial_viewport.over = True
    canvas.camera.corner = QPointF(-1e6, -1e6)
    for at in range(0, len(items), 50):
        canvas.editor.edit("Fill", *(Add(item) for item in items[at : at + 50]))


def size_of_canvas(windows: Windows) -> None:
    """Give the canvas the size of the measurement."""
    [window], canvas = windows(), canvas_of(windows)
    assert canvas is not None
    window.resize(WIDE + window.width() - canvas.width(), HIGH + window.height() - canvas.height())


class _Filling:
    """Opens images and folders, a few at a time, and fills them."""

    def __init__(self, canvas: Canvas, waiting: list[Item], done: Callable[[], None]) -> None:
        self._context = canvas.model.context
        self._waiting = waiting
        self._open = 0
        self._done = done
        for _ in range(_AT_ONCE):
            self._next()

    def _next(self) -> None:
        if self._waiting:
            self._open += 1
            item = self._waiting.pop()
            self._context.dereference(item.reference, item.key).then(partial(self._built, item))
        elif not self._open:
            self._done()

    def _built(self, item: Item, done: Any) -> None:
        handle = done.value()
        showing = self._context.show(handle, lambda: None)
        model: Any = showing.shown.model

        def filled(_: object = None) -> None:
            showing.close()
            handle.close()
            self._open -= 1
            self._next()

        if kind_of(item.z) == "i":
            model.put(picture(item.z), f"Picture {item.z}.jpg").then(filled)
        else:
            self._fill_folder(model, item.reference, filled)

    def _fill_folder(self, model: Any, reference: str, filled: Callable[[], None]) -> None:
        if not model.ready:
            self._context.call_later(0.02, lambda: self._fill_folder(model, reference, filled))
            return
        model.change("Fill", *(Put(f"Thing {number}", reference) for number in range(5)))
        self._context.call_later(0.2, filled)


def picture(number: int) -> bytes:
    """Return a JPEG of a million pixels."""
    dice = random.Random(number)
    image = QImage(_SIDE, _SIDE, QImage.Format.Format_RGB32)
    image.fill(QColor.fromHsv(dice.randrange(360), 90, 220))
    painter = QPainter(image)
    for _ in range(150):
        painter.setBrush(QColor.fromHsv(dice.randrange(360), dice.randrange(256), dice.randrange(256)))
        painter.drawEllipse(
            *(dice.randrange(_SIDE) for _ in range(2)), *(dice.randrange(300) for _ in range(2))
        )
    painter.end()
    stored = QByteArray()
    buffer = QBuffer(stored)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "JPEG", 85)  # type: ignore[call-overload]  # its stub wants bytes for the format
    return bytes(stored.data())


def ready(windows: Windows, say: Say, count: int) -> None:
    """Report when every item in view is running and painted, for a desktop of so many items."""
    canvas = canvas_of(windows)
    if canvas is None:
        QTimer.singleShot(1, partial(ready, windows, say, count))
        return
    size_of_canvas(windows)
    if len(canvas.state.items) < count or canvas.width() != WIDE or canvas.height() != HIGH:
        QTimer.singleShot(1, partial(ready, windows, say, count))
        return
    say("things", time.monotonic())
    canvas.camera.zoom, canvas.camera.corner = 1.0, QPointF(0, 0)
    canvas.viewport_changed()
    _wait(canvas, partial(_tell_ready, canvas, say))


def complete(windows: Windows, say: Say, count: int) -> None:
    """Report when a desktop of so many items, seen as it was left, is painted with all its contents."""
    canvas = canvas_of(windows)
    if canvas is None or len(canvas.state.items) < count:
        QTimer.singleShot(1, partial(complete, windows, say, count))
        return
    say("things", time.monotonic())
    _wait(canvas, partial(_tell_ready, canvas, say))


def _wait(canvas: Canvas, then: Callable[[], object]) -> None:
    """Wait until all that is in view is whole."""
    if all(_whole(canvas, item) for item in in_view(canvas)):
        then()
    else:
        QTimer.singleShot(10, partial(_wait, canvas, then))


def _tell_ready(canvas: Canvas, say: Say) -> None:
    say("ready", time.monotonic())
    say("spent", time.process_time())
    say("seen", len(in_view(canvas)))
    say("running", canvas.item_views.running_items.running)


def in_view(canvas: Canvas) -> list[Item]:
    """Return the items that are at least partly visible."""
    seen = canvas.camera.seen(QSizeF(canvas.size()))
    return [item for item in canvas.state.items.values() if seen.intersects(rect(item.place))]


def _whole(canvas: Canvas, item: Item) -> bool:
    """True if an item is running, has its content, and is painted with it."""
    view: Any = canvas.item_views.view(item.key)
    size = QSizeF(item.place.width, item.place.height)
    if view is None or not canvas.item_views.pictures.has(item.key, size, canvas.camera.zoom):
        return False
    if isinstance(view, ImageView):
        return view.image is not None
    return not hasattr(view, "_note") or bool(view._note.text)


def way() -> Iterator[QPointF]:
    """Yield steps to the right, down, and back, without end."""
    across, down = (int(length / _STEP) for length in _TURNS)
    while True:
        for step, count in (((-1, 0), across), ((0, -1), down), ((1, 0), across), ((0, -1), down)):
            for _ in range(count):
                yield QPointF(step[0] * _STEP, step[1] * _STEP)


def pan(windows: Windows, say: Say, count: int) -> None:
    """Pan one step every 16 ms, and report the times of the frames and of the work between them."""
    canvas = canvas_of(windows)
    assert canvas is not None
    steps, turnover = way(), _Turnover(canvas)

    def step(_: int) -> None:
        canvas.camera.pan(next(steps))
        canvas.viewport_changed()
        turnover.count()

    def tell(frames: Frames) -> None:
        for event, times in (("frame", frames.wall), ("own", frames.spent), ("between", frames.between)):
            say(event, p95(times))
        say("begun", len(turnover.came))
        say("ended", turnover.ends)
        say("memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)

    Frames(canvas, step, count, tell)


class _Turnover:
    """Counts the items that start and stop."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._ran: set[str] = set(_running(canvas))
        self.came: set[str] = set(self._ran)
        self.ends = 0

    def count(self) -> None:
        now = set(_running(self._canvas))
        self.ends += len(self._ran - now)
        self.came, self._ran = self.came | now, now


def _running(canvas: Canvas) -> list[str]:
    return [key for key in canvas.state.items if canvas.item_views.view(key) is not None]
