"""The gestures that resize and rotate an item."""

from __future__ import annotations

import math
from dataclasses import replace

from PySide6.QtCore import QPointF, QSizeF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.snap import Box, Snap, snap_side
from liven.liveobjects.desktop.state import Item, Place
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.view.gestures.gesture import Gesture, GestureCanvas
from liven.liveobjects.desktop.view.gestures.snap_lines import NOWHERE, REACH, paint_lines

SMALLEST = commands.SHORTEST
TURN = 15.0
"""Degrees between the rotations that Shift snaps to."""


class Resize(Gesture):
    """Drags a side or corner of one item. `handle` names it: -1, 0 or 1 horizontally and vertically.

    Shift keeps the proportions; otherwise the dragged sides snap, unless the item is rotated."""

    def __init__(self, canvas: GestureCanvas, start: QPointF, item: Item, handle: tuple[int, int]) -> None:
        super().__init__(canvas, start)
        self._item = item
        self._handle = handle
        self._place = item.place
        self._others = [other for key, other in canvas.state.items.items() if key != item.key]
        self._snap = NOWHERE

    def follow(self, point: QPointF, keys: Qt.KeyboardModifier) -> None:
        super().follow(point, keys)
        old = self._item.place
        by = _turned(self.delta, -old.degrees)
        self._snap = self._snapped(by, keys)
        by += QPointF(self._snap.dx, self._snap.dy)
        across, down = self._handle
        width = max(min(SMALLEST, old.width), old.width + across * by.x()) if across else old.width
        height = max(min(SMALLEST, old.height), old.height + down * by.y()) if down else old.height
        if keys & Qt.KeyboardModifier.ShiftModifier and across and down:
            scale = max(width / old.width, height / old.height)
            width, height = old.width * scale, old.height * scale
        self._place = _anchored(old, QSizeF(width, height), across, down)
        self.canvas.preview[self._item.key] = self._place

    def end(self) -> None:
        self.canvas.preview.clear()
        self.canvas.do(commands.place(self.canvas.state, {self._item.key: self._place}, "Resize"))

    def paint(self, painter: QPainter) -> None:
        paint_lines(painter, self.canvas.camera, self._snap)

    def _snapped(self, by: QPointF, keys: Qt.KeyboardModifier) -> Snap:
        held = keys & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier)
        moved = by.manhattanLength() >= QApplication.startDragDistance() / self.canvas.camera.zoom
        if held or not moved or not self.canvas.snapping or self._item.place.degrees:
            return NOWHERE
        old = self._item.place
        box = Box(old.x + by.x(), old.y + by.y(), old.x + old.width + by.x(), old.y + old.height + by.y())
        return snap_side(box, self._handle, self._others, REACH / self.canvas.camera.zoom, grid=True)


class Rotate(Gesture):
    """Rotates one item around its centre; with Shift, in steps."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, canvas: GestureCanvas, start: QPointF, item: Item) -> None:
        super().__init__(canvas, start)
        self._item = item
        self._middle = canvas.camera.to_window(rect(item.place).center())
        self._place = item.place

    def follow(self, point: QPointF, keys: Qt.KeyboardModifier) -> None:
        super().follow(point, keys)
        turned = _angle(point - self._middle) - _angle(self.start - self._middle)
        degrees = (self._item.place.degrees + turned) % 360
        if keys & Qt.KeyboardModifier.ShiftModifier:
            degrees = round(degrees / TURN) * TURN % 360
        self._place = replace(self._item.place, degrees=degrees)
        self.canvas.preview[self._item.key] = self._place

    def end(self) -> None:
        self.canvas.preview.clear()
        self.canvas.do(commands.place(self.canvas.state, {self._item.key: self._place}, "Turn"))


def _turned(vector: QPointF, degrees: float) -> QPointF:
    turn = math.radians(degrees)
    cos, sin = math.cos(turn), math.sin(turn)
    return QPointF(vector.x() * cos - vector.y() * sin, vector.x() * sin + vector.y() * cos)


def _angle(vector: QPointF) -> float:
    return math.degrees(math.atan2(vector.y(), vector.x()))


def _anchored(old: Place, size: QSizeF, across: int, down: int) -> Place:
    """Return a place of another size whose side opposite the handle stays where it is."""
    grown = QPointF(across * (size.width() - old.width) / 2, down * (size.height() - old.height) / 2)
    middle = rect(old).center() + _turned(grown, old.degrees)
    corner = middle - QPointF(size.width() / 2, size.height() / 2)
    return Place(corner.x(), corner.y(), size.width(), size.height(), old.degrees)
