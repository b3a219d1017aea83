"""The gesture that moves items, or a copy of them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.frames import is_frame, with_contents
from liven.liveobjects.desktop.snap import Box, snap
from liven.liveobjects.desktop.view.gestures.gesture import Gesture, GestureCanvas
from liven.liveobjects.desktop.view.gestures.snap_lines import NOWHERE, REACH, paint_lines


class MoveItems(Gesture):
    """Moves the selection, or with Alt a copy of it. A movement shorter than the system's drag distance
    is a click."""

    cursor = Qt.CursorShape.SizeAllCursor

    def __init__(self, canvas: GestureCanvas, start: QPointF) -> None:
        super().__init__(canvas, start)
        state = canvas.state
        carried = with_contents(state, canvas.selected)
        self._items = [state.items[key] for key in sorted(carried) if not state.items[key].locked]
        self._others = [item for key, item in state.items.items() if key not in carried]
        self._by = QPointF(0, 0)
        self._begun = False
        self._copy = False
        self._snap = NOWHERE

    def follow(self, point: QPointF, keys: Qt.KeyboardModifier) -> None:
        super().follow(point, keys)
        self._begun = (
            self._begun or (point - self.start).manhattanLength() >= QApplication.startDragDistance()
        )
        if not self._begun:
            return
        self._copy = bool(keys & Qt.KeyboardModifier.AltModifier)
        by = self.delta
        if keys & Qt.KeyboardModifier.ShiftModifier:  # along one axis
            by = QPointF(by.x(), 0) if abs(by.x()) >= abs(by.y()) else QPointF(0, by.y())
        self._snap = NOWHERE
        if self._items and self.canvas.snapping and not keys & Qt.KeyboardModifier.ControlModifier:
            left, top, right, bottom = commands.bounds(self._items)
            box = Box(left + by.x(), top + by.y(), right + by.x(), bottom + by.y())
            self._snap = snap(box, self._others, REACH / self.canvas.camera.zoom, grid=True)
            by += QPointF(self._snap.dx, self._snap.dy)
        self._by = by
        for item in self._items:
            place = item.place
            self.canvas.preview[item.key] = replace(place, x=place.x + by.x(), y=place.y + by.y())
        self.canvas.drop_targets.drag_items(self._items, point)

    def cancel(self) -> None:
        self.canvas.drop_targets.end_drag()
        super().cancel()

    def end(self) -> None:
        self.canvas.preview.clear()
        if not self._begun or self.canvas.drop_targets.drop_items(copy=self._copy):
            return
        if not self._items:
            self.canvas.notify("Move: the selection is locked; press Ctrl+Shift+L to unlock it.")
        keys = [item.key for item in self._items]
        if self._copy:
            self.canvas.copies.duplicate(keys, self._by.x(), self._by.y())
        else:
            frames = any(is_frame(item.reference) for item in self._items)
            put = commands.move if frames else commands.drop  # a frame stays beneath what it does not hold
            self.canvas.do(put(self.canvas.state, keys, self._by.x(), self._by.y()))

    def paint(self, painter: QPainter) -> None:
        paint_lines(painter, self.canvas.camera, self._snap)
