"""The pen and the eraser: ink is drawn by hand, stroke by stroke, and rubbed out the same way."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.drawings.ink import (
    MOST_POINTS,
    MOST_STROKES,
    Ink,
    smoothed,
    stretch,
    stroke,
    thinned,
)
from liven.liveobjects.desktop.drawings.recipes import INK, ink_of, recipe_of
from liven.liveobjects.desktop.view.background import background_of
from liven.liveobjects.desktop.view.drawings.painting import hue_of, paint_stroke
from liven.liveobjects.desktop.view.geometry import rect, unturned
from liven.liveobjects.desktop.view.gestures.gesture import Gesture, GestureCanvas

_OFF: Final = 0.5
"""Pixels of the window by which a stroke may differ from the hand."""
_LEAST: Final = 1.5
"""Pixels of the window between two points of a stroke."""
_REACH: Final = 6.0
"""Pixels of the window around the eraser within which it rubs out."""
_FULL: Final = f"Pen: a desktop holds up to {MOST_STROKES:,} strokes. Erase some, or use another desktop."


class DrawInk(Gesture):
    """Draws a stroke. One with too many points is drawn as several."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, canvas: GestureCanvas, start: QPointF, pen: Ink, pressure: float) -> None:
        super().__init__(canvas, start)
        self._pen = pen
        self.pressure = pressure
        """The present pressure of the pen, 0 to 1."""
        self._drawn = [self._located(start)]

    def follow(self, point: QPointF, keys: Qt.KeyboardModifier) -> None:
        moved = math.hypot(point.x() - self.at.x(), point.y() - self.at.y())
        if moved < _LEAST:
            return
        super().follow(point, keys)
        self._drawn.append(self._located(point))
        if len(self._drawn) >= MOST_POINTS:
            self.end()
            self._drawn = self._drawn[-1:]

    def end(self) -> None:
        canvas, zoom = self.canvas, self.canvas.camera.zoom
        if sum(INK in item.reference for item in canvas.state.items.values()) >= MOST_STROKES:
            canvas.notify(_FULL)
            return
        points = thinned(smoothed(self._drawn), _OFF / zoom)
        ink, place = stroke(points, self._pen)
        canvas.do(commands.add(canvas.state, recipe_of(ink), "", place, name="Draw")[1])

    def paint(self, painter: QPainter) -> None:
        painter.save()
        painter.setTransform(self.canvas.camera.transform(), True)
        thickness = self._pen.thickness
        points = [(x, y, thickness * stretch(pressure)) for x, y, pressure in self._drawn]
        even = len({width for _, _, width in points}) == 1
        ground = background_of(self.canvas.state)
        paint_stroke(painter, points, hue_of(self._pen.hue, ground), even=even)
        painter.restore()

    def _located(self, point: QPointF) -> tuple[float, float, float]:
        there = self.canvas.camera.to_plane(point)
        return there.x(), there.y(), self.pressure


class Erase(Gesture):
    """Rubs out the strokes that it touches; they fade until the button is released."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, canvas: GestureCanvas, start: QPointF) -> None:
        super().__init__(canvas, start)
        self._touch(start)

    def follow(self, point: QPointF, keys: Qt.KeyboardModifier) -> None:
        before = self.at
        super().follow(point, keys)
        far = math.hypot(point.x() - before.x(), point.y() - before.y())
        steps = max(1, math.ceil(far / _REACH))
        for step in range(1, steps + 1):  # a fast hand leaves no gaps
            self._touch(before + (point - before) * (step / steps))

    def end(self) -> None:
        state = self.canvas.state
        gone = commands.remove(state, self.faded)
        self.canvas.do(Command("Erase", gone.changes))

    def _touch(self, point: QPointF) -> None:
        camera = self.canvas.camera
        there, near = camera.to_plane(point), _REACH / camera.zoom
        for key, item in self.canvas.state.items.items():
            ink = None if item.locked or key in self.faded else ink_of(item.reference)
            if ink is None:
                continue
            place = rect(item.place)
            at = unturned(item.place, there)
            if not place.adjusted(-near, -near, near, near).contains(at):
                continue
            if ink.touches(at.x() - place.x(), at.y() - place.y(), place.width(), place.height(), near):
                self.faded |= {key}
