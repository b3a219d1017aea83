"""The frame tool: it draws a frame, or puts one around the selection."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.frames import NEW_HEIGHT, NEW_WIDTH, add_frame, place_around
from liven.liveobjects.desktop.state import Desktop, Link, Place
from liven.liveobjects.desktop.view.gestures.gesture import Gesture
from liven.liveobjects.look.view.light import current_look

_LEAST: Final = commands.SHORTEST
"""A smaller frame is a click: it gets the usual size."""


class FrameCanvas(Protocol):
    """The part of the canvas that frames need."""

    @property
    def state(self) -> Desktop: ...

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def visible_area(self) -> QRectF: ...

    def select(self, keys: Iterable[str], link: Link | None = None) -> None: ...

    def do(self, command: Command) -> bool: ...


class DrawFrame(Gesture):
    """Draws a frame from corner to corner."""

    cursor = Qt.CursorShape.CrossCursor

    @property
    def area(self) -> QRectF:
        """The frame, on the plane."""
        camera = self.canvas.camera
        drawn = QRectF(camera.to_plane(self.start), camera.to_plane(self.at)).normalized()
        if min(drawn.width(), drawn.height()) >= _LEAST:
            return drawn
        return QRectF(camera.to_plane(self.start), camera.to_plane(self.start)).adjusted(
            0, 0, NEW_WIDTH, NEW_HEIGHT
        )

    def end(self) -> None:
        area = self.area
        _add(self.canvas, Place(area.x(), area.y(), area.width(), area.height()))

    def paint(self, painter: QPainter) -> None:
        painter.setPen(QPen(QColor(current_look().select), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(self.start, self.at).normalized())


def frame_selection(canvas: FrameCanvas) -> None:
    """Put a frame around the selection; without one, in the middle of the view."""
    if canvas.selected:
        _add(canvas, place_around(canvas.state.items[key] for key in canvas.selected))
    else:
        frame_at(canvas, canvas.visible_area.center())


def frame_at(canvas: FrameCanvas, middle: QPointF) -> None:
    """Add a frame of the usual size around a point of the plane."""
    x, y = middle.x() - NEW_WIDTH / 2, middle.y() - NEW_HEIGHT / 2
    _add(canvas, Place(x, y, NEW_WIDTH, NEW_HEIGHT))


class _AddingCanvas(Protocol):
    @property
    def state(self) -> Desktop: ...

    def select(self, keys: Iterable[str], link: Link | None = None) -> None: ...

    def do(self, command: Command) -> bool: ...


def _add(canvas: _AddingCanvas, place: Place) -> None:
    key, command = add_frame(canvas.state, place)
    if canvas.do(command):
        canvas.select({key})
