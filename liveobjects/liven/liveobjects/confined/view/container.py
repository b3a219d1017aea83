"""The view of an object in a confined process: its picture, its input, and its state."""

from __future__ import annotations

import math
import time
from typing import Any

from PySide6.QtCore import QRectF, QSize, QSizeF, Qt, QTimer
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget

from liven.liveobjects.confined.view.appearance import look_of
from liven.liveobjects.confined.view.shared_picture import MOST_PIXELS, SharedPicture
from liven.liveobjects.confined.view.surface import NOTE_FLAGS, Surface
from liven.liveobjects.view.contract import Searchable, View, ViewHost
from liven.liveobjects.view.painting import paint_sheet
from liven.runtime.confined.process import BadMessageError
from liven.runtime.confined.remote_object import RemoteInterface
from liven.runtime.confined.remote_view import RemoteView
from liven.runtime.foreign_text import shown_line, shown_lines, shown_value

SILENT = "It does not answer."
_TO_END = "Double-click it to end it."
STARTING = "Starting…"
_LONGEST = 10_000
"""Characters of a text from the process."""
_LARGEST_HINT = 2000.0
PIXELS_A_SECOND = 120e6
"""The pixels that a view may show: 58 pictures a second of 1920 × 1080, 14 of 3840 × 2160. Copying and
painting that many takes about a quarter of the program's time."""
_RETRY_MS = 200
_TOGETHER_MS = 50
"""Changes of texts within this time are shown together."""


class ConfinedView(View, Searchable):
    """Shows the picture that the process paints. The picture follows the size that is asked for: there is one
    request at a time, and the last picture is stretched meanwhile."""

    def __init__(self, interface: RemoteInterface, host: ViewHost) -> None:
        super().__init__()
        self._host = host
        self._shared: SharedPicture | None = None
        self._image: QImage | None = None
        self._wanted: tuple[float, float, float] | None = None
        self._asked: tuple[float, float, float] | None = None
        self._which = 0
        """The number of the last request for a picture."""
        self._awaited = False
        self._unshown = False
        self._expected = False
        """True if the process may send a picture: it was asked for one, or knows that the last is shown."""
        self._came_at = 0.0
        """The time of the last picture."""
        self._told = 0.0
        self._works = False
        self._title = self._summary = ""
        self._hint = QSizeF(240, 160)
        self._loading = True
        self.is_silent = False
        self.problem = ""
        self._remote: RemoteView | None = RemoteView(interface, self)
        self._soon = QTimer(self, interval=_TOGETHER_MS, singleShot=True)
        self._soon.timeout.connect(self.changed.emit)
        self._later = QTimer(self, interval=_RETRY_MS, singleShot=True)
        self._later.timeout.connect(self._ask)
        self._next = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._next.timeout.connect(self._let_follow)

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint the last picture, and ask for one that fits."""
        scale = painter.combinedTransform().m11() * painter.device().devicePixelRatio()
        if not self._works:
            self.want(area.size(), scale)
        note = self.note()
        self.paint_picture(painter, area, f"{note}\n{_TO_END}" if note == SILENT else note)

    def note(self) -> str:
        """Return what there is to say about the object instead of its picture; empty if it is well."""
        return self.problem or (SILENT if self.is_silent else "" if self._image is not None else STARTING)

    def paint_picture(self, painter: QPainter, area: QRectF, note: str) -> None:
        """Paint the last picture, and a sentence about it unless that is empty."""
        if self._image is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(area, self._image)
            if self._unshown and self._remote is not None:
                self._unshown = False
                self._next.start(self._pause_ms())
        else:
            paint_sheet(painter, area)
        if note:
            _paint_note(painter, area, note)

    def make_widget(self) -> QWidget:
        """Make the widget that passes input on."""
        self._works = True
        self._asked = None
        surface = Surface(self)
        self.changed.connect(surface.refresh)
        surface.refresh()
        return surface

    def release_widget(self, widget: QWidget) -> None:
        """Paint the object as it looks when nobody works in it."""
        assert isinstance(widget, Surface)
        self.changed.disconnect(widget.refresh)
        self._works = False
        self._asked = None

    def summary(self) -> str:
        return self._summary

    def title(self) -> str:
        return self._title

    def is_loading(self) -> bool:
        return self._loading and not self.problem

    def size_hint(self) -> QSizeF:
        return self._hint

    def close(self) -> None:
        self._release()
        super().close()

    def picture_size(self) -> QSize:
        """Return the size of the last picture, in pixels."""
        return self._image.size() if self._image is not None else QSize()

    def want(self, size: QSizeF, scale: float) -> None:
        """Ask for a picture of this size, in points, at about that scale."""
        scale = min(4.0, max(0.5, math.ceil(scale * 2) / 2))
        width, height = max(1.0, math.ceil(size.width())), max(1.0, math.ceil(size.height()))
        while width * height * scale * scale > MOST_PIXELS:
            scale /= 2
        self._wanted = (width, height, scale)
        if self._wanted != self._asked and not self._later.isActive():
            self._later.start(0)  # not within a paint event

    def input(self, row: list[Any]) -> None:
        """Pass an event on."""
        if self._remote is not None and not self.problem:
            self._remote.send("input", *row)
            self._remote.ask()

    def end_process(self) -> None:
        """End the process, because a person asked for it."""
        if self._remote is not None:
            self._remote.end_process()

    def came(self, what: str, rest: list[Any]) -> None:
        """Take a message from the process."""
        match what, rest:
            case "frame", [int(which)]:
                self._take_picture(which)
            case "about", [str(title), str(summary), bool(loading), float(width), float(height)]:
                self._title, self._loading = shown_line(title[:200]).strip(), loading
                self._summary = shown_lines(summary[:_LONGEST])
                if 1.0 <= width <= _LARGEST_HINT and 1.0 <= height <= _LARGEST_HINT:
                    self._hint = QSizeF(width, height)
                self._soon.start()
            case "cursor", [int(shape)]:
                if isinstance(self._widget, Surface):
                    self._widget.show_cursor(shape)
            case "message", [str(text)]:
                self._say(text)
            case "failed", [str(problem)]:
                self.problem = shown_line(problem[:500])
                self._soon.start()
            case _:
                raise BadMessageError(f"view {what[:40]!r} {shown_value(rest)}")

    def silent(self, silent: bool) -> None:
        """Say that the process does not answer, or no longer say it."""
        self.is_silent = silent
        self.changed.emit()

    def gone(self) -> None:
        """Keep the last picture; the host says why the object has stopped."""
        self._release()

    def _say(self, text: str) -> None:
        """Show a sentence of the object, as its own and not as one of the program; at most one a second."""
        now = time.monotonic()
        if now - self._told >= 1.0:
            self._told = now
            self._host.show_message(f"{self._title or 'This object'}: {shown_line(text[:500])}")

    def _pause_ms(self) -> int:
        """Return the milliseconds until the next picture may come."""
        pixels = self._image.width() * self._image.height() if self._image is not None else 0
        due = self._came_at + pixels / PIXELS_A_SECOND
        return max(0, math.ceil((due - time.monotonic()) * 1000))

    def _let_follow(self) -> None:
        """Say that the picture is shown, so that the next one may come."""
        if self._remote is not None:
            self._expected = True
            self._remote.send("shown")

    def _take_picture(self, which: int) -> None:
        if self._shared is None or which != self._which:
            return  # it was of another size
        if not self._expected:
            raise BadMessageError("a picture before the last one was shown")
        self._expected = False
        self._came_at = time.monotonic()
        self._image = self._shared.read()
        self._awaited = False
        self._unshown = True
        self.changed.emit()
        if self._wanted != self._asked:
            self._later.start(0)

    def _ask(self) -> None:
        """Ask for a picture of the wanted size, unless one is awaited."""
        if self._remote is None or self._wanted is None or self._awaited or self._wanted == self._asked:
            return
        width, height, scale = self._wanted
        try:
            made = SharedPicture.make(max(1, round(width * scale)), max(1, round(height * scale)))
        except OSError:
            self._later.start(_RETRY_MS)
            return
        if not self._remote.hand_over(made.descriptor):
            made.close()
            self._later.start(_RETRY_MS)
            return
        made.close_descriptor()
        if self._shared is not None:
            self._shared.close()
        self._shared, self._asked, self._awaited, self._unshown = made, self._wanted, True, False
        qt = QApplication.instance()
        assert isinstance(qt, QApplication)
        mode = "widget" if self._works else "paint"
        self._which += 1
        self._next.stop()
        self._expected = True
        pixels = (made.width, made.height)
        self._remote.send("size", mode, width, height, scale, self._which, *pixels, look_of(qt))

    def _release(self) -> None:
        for timer in (self._later, self._soon, self._next):
            timer.stop()
        remote, self._remote = self._remote, None
        if remote is not None:
            remote.close()
        if self._shared is not None:
            self._shared.close()
            self._shared = None


def _paint_note(painter: QPainter, area: QRectF, text: str) -> None:
    palette = QApplication.palette()
    painter.save()
    veil = palette.base().color()
    veil.setAlpha(170)
    painter.fillRect(area, veil)
    painter.setPen(palette.text().color())
    painter.drawText(area, NOTE_FLAGS, text)
    painter.restore()


def show(model: RemoteInterface, host: ViewHost) -> ConfinedView:
    """Make the view of an object in a confined process."""
    return ConfinedView(model, host)
