"""The large desktop in the program: fill it, wait until everything in view is painted, pan over it."""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from desktop_figures.content import HIGH, THINGS, WIDE, kind_of, things
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QPointF, QSizeF, QTimer
from PySide6.QtGui import QColor, QImage, QPainter

from liven.liveobjects.desktop.state import Add, Item
from liven.liveobjects.desktop.view.canvas.canvas import Canvas
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.folder.state import Put
from liven.liveobjects.image.view import ImageView

Say = Callable[[str, float], None]
Windows = Callable[[], list[Any]]
FRAME_MS = 16
_AT_ONCE = 4
_SIDE = 1000
_STEP = 24.0
"""The distance that the plane moves in a frame: 1,500 pixels a second."""
_TURNS = (4000.0, 700.0)
"""The distance to the right, and then down, before the way goes back."""


def canvas_of(windows: Windows) -> Canvas | None:
    """Return the canvas that fills a window, if there is one yet."""
    return next((w for w in (one.centralWidget() for one in windows()) if isinstance(w, Canvas)), None)


def fill(windows: Windows, say: Say, _: int) -> None:
    """Place everything on the desktop, and give images their pictures and folders their entries."""
    canvas = canvas_of(windows)
    if canvas is None or not canvas.model.ready:
        QTimer.singleShot(20, partial(fill, windows, say, 0))
        return
    canvas.initial_viewport.over = True
    canvas.camera.corner = QPointF(-1e6, -1e6)  # nothing is in view while it is filled
    made = list(things("Large"))
    for at in range(0, THINGS, 50):
        canvas.editor.edit("Fill", *(Add(item) for item in made[at : at + 50]))
    waiting = [item for item in made if kind_of(item.z) in "if"]
    _Filling(canvas, waiting, lambda: say("filled", time.monotonic()))


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
    [window] = windows()
    window.resize(WIDE + window.width() - canvas.width(), HIGH + window.height() - canvas.height())
    if len(canvas.state.items) < count or canvas.width() != WIDE or canvas.height() != HIGH:
        QTimer.singleShot(1, partial(ready, windows, say, count))
        return
    say("things", time.monotonic())
    canvas.camera.zoom, canvas.camera.corner = 1.0, QPointF(0, 0)
    canvas.viewport_changed()
    _wait(canvas, say)


def _wait(canvas: Canvas, say: Say) -> None:
    seen = in_view(canvas)
    if not all(_whole(canvas, item) for item in seen):
        QTimer.singleShot(10, partial(_wait, canvas, say))
        return
    say("ready", time.monotonic())
    say("spent", time.process_time())
    say("seen", len(seen))
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
    _Panning(canvas, say, count)


class _Panning(QObject):
    """Frames, each begun by a timer, so that the loop can do its work between them."""

    def __init__(self, canvas: Canvas, say: Say, count: int) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._say = say
        self._count = count
        self._way = way()
        self._frames: list[float] = []
        self._spent: list[float] = []
        self._between: list[float] = []
        self._left_at: float | None = None
        self._came: set[str] = set(_running(canvas))
        self._ran: set[str] = set(self._came)
        self._ends = 0
        self._timer = QTimer(self, interval=FRAME_MS)
        self._timer.timeout.connect(self._frame)
        self._timer.start()

    def _frame(self) -> None:
        begin, used = time.perf_counter(), time.thread_time()
        if self._left_at is not None:
            self._between.append(used - self._left_at)
        self._canvas.camera.pan(next(self._way))
        self._canvas.viewport_changed()
        self._canvas.repaint()
        self._frames.append(time.perf_counter() - begin)
        self._spent.append(time.thread_time() - used)
        now = set(_running(self._canvas))
        self._ends += len(self._ran - now)
        self._came, self._ran = self._came | now, now
        if len(self._frames) == self._count:
            self._tell()
        self._left_at = time.thread_time()

    def _tell(self) -> None:
        self._timer.stop()
        for event, times in (("frame", self._frames), ("own", self._spent), ("between", self._between)):
            self._say(event, sorted(times)[int(len(times) * 0.95)] * 1000)
        self._say("begun", len(self._came))
        self._say("ended", self._ends)
        self._say("memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def _running(canvas: Canvas) -> list[str]:
    return [key for key in canvas.state.items if canvas.item_views.view(key) is not None]
