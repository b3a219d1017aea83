"""The shape tools: each draws a shape from corner to corner."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.drawings.recipes import recipe_of
from liven.liveobjects.desktop.drawings.shape import NEW_HEIGHT, NEW_WIDTH, Shape
from liven.liveobjects.desktop.state import Place
from liven.liveobjects.desktop.view.drawings.painting import outline_of
from liven.liveobjects.desktop.view.gestures.gesture import Gesture, GestureCanvas
from liven.liveobjects.look.view.light import current_look

_LEAST: Final = 6.0
"""Pixels of the window: a shorter drag is a click, which puts a shape of the usual size."""


class DrawShape(Gesture):
    """Draws a shape from corner to corner; with Shift as wide as high. A click puts one around its point."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, canvas: GestureCanvas, start: QPointF, shape: Shape) -> None:
        super().__init__(canvas, start)
        self._shape = shape
        self._square = False

    def follow(self, point: QPointF, keys: Qt.KeyboardModifier) -> None:
        super().follow(point, keys)
        self._square = bool(keys & Qt.KeyboardModifier.ShiftModifier)

    @property
    def area(self) -> QRectF:
        """The shape, on the plane."""
        camera = self.canvas.camera
        start, end = camera.to_plane(self.start), camera.to_plane(self.at)
        if (self.at - self.start).manhattanLength() < _LEAST:
            return _around(start)
        across, down = end.x() - start.x(), end.y() - start.y()
        if self._square:
            side = max(abs(across), abs(down))
            across, down = (side if across >= 0 else -side), (side if down >= 0 else -side)
        drawn = QRectF(start, start + QPointF(across, down)).normalized()
        drawn.setWidth(max(drawn.width(), commands.SHORTEST))
        drawn.setHeight(max(drawn.height(), commands.SHORTEST))
        return drawn

    def end(self) -> None:
        add_shape(self.canvas, self._shape, self.area)

    def paint(self, painter: QPainter) -> None:
        camera = self.canvas.camera
        area = camera.transform().mapRect(self.area)
        if (self.at - self.start).manhattanLength() >= _LEAST:
            painter.setPen(QPen(QColor(current_look().select), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(outline_of(self._shape, area))


def add_shape_at(canvas: GestureCanvas, shape: Shape, middle: QPointF) -> None:
    """Add a shape of the usual size around a point of the plane."""
    add_shape(canvas, shape, _around(middle))


def add_shape(canvas: GestureCanvas, shape: Shape, area: QRectF) -> None:
    """Add a shape and select it, so that Enter writes in it."""
    place = Place(area.x(), area.y(), area.width(), area.height())
    name = f"Add {shape.outline}"
    key, command = commands.add(canvas.state, recipe_of(shape), "", place, name=name)
    if canvas.do(command):
        canvas.select({key})


def _around(middle: QPointF) -> QRectF:
    return QRectF(middle.x() - NEW_WIDTH / 2, middle.y() - NEW_HEIGHT / 2, NEW_WIDTH, NEW_HEIGHT)
