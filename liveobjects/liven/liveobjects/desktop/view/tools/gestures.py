"""Mouse gestures: each starts with a press, follows the mouse, and ends or is cancelled.

While it lasts, it shows the result in `GestureCanvas.preview`; nobody else sees anything. When it ends, it
makes one command. Cancelling changes nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPalette, QPen
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.frames import is_frame, with_contents
from liven.liveobjects.desktop.snap import Box, Snap, snap, snap_side
from liven.liveobjects.desktop.state import Desktop, Item, Link, Place
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.view.transfer.drop_targets import DropTargets
from liven.liveobjects.desktop.view.transfer.separate_copies import SeparateCopies

REACH = 8.0
"""Distance in pixels of the window within which an item snaps to a line."""
SMALLEST = commands.SHORTEST
NOWHERE = Snap(0.0, 0.0, None, None)
TURN = 15.0
"""Degrees between the rotations that Shift snaps to."""


class GestureCanvas(Protocol):
    """The part of the canvas that gestures use."""

    snapping: bool

    @property
    def camera(self) -> Camera: ...

    @property
    def preview(self) -> dict[str, Place]:
        """Places where items are shown during a gesture, instead of their own."""

    @property
    def state(self) -> Desktop: ...

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def drop_targets(self) -> DropTargets: ...

    @property
    def copies(self) -> SeparateCopies: ...

    def select(self, keys: Iterable[str], link: Link | None = None) -> None: ...

    def item_at(self, point: QPointF) -> Item | None: ...

    def do(self, command: Command) -> bool: ...

    def notify(self, message: str) -> None: ...


class Gesture:
    """One gesture. Points are in window coordinates."""

    cursor = Qt.CursorShape.ArrowCursor

    def __init__(self, canvas: GestureCanvas, start: QPointF) -> None:
        self.canvas = canvas
        self.start = start
        self.at = start

    def follow(self, point: QPointF, keys: Qt.KeyboardModifier) -> None:
        """Follow the mouse to `point`, with these modifier keys held."""
        del keys
        self.at = point

    def end(self) -> None:
        """Carry the gesture out: the button was released."""

    def cancel(self) -> None:
        """Leave everything as it was."""
        self.canvas.preview.clear()

    def paint(self, painter: QPainter) -> None:
        """Paint over the window while the gesture lasts."""

    @property
    def delta(self) -> QPointF:
        """The distance of the mouse from the start, on the plane."""
        return (self.at - self.start) / self.canvas.camera.zoom


class Pan(Gesture):
    """Moves the plane under the window."""

    cursor = Qt.CursorShape.ClosedHandCursor

    def follow(self, point: QPointF, keys: Qt.KeyboardModifier) -> None:
        self.canvas.camera.pan(point - self.at)
        super().follow(point, keys)


class SelectionFrame(Gesture):
    """Draws a frame and selects the items it touches."""

    def __init__(self, canvas: GestureCanvas, start: QPointF, before: frozenset[str]) -> None:
        super().__init__(canvas, start)
        self._before = before

    @property
    def area(self) -> QRectF:
        """The frame, on the plane."""
        camera = self.canvas.camera
        return QRectF(camera.to_plane(self.start), camera.to_plane(self.at)).normalized()

    def follow(self, point: QPointF, keys: Qt.KeyboardModifier) -> None:
        super().follow(point, keys)
        area = self.area
        touched = {key for key, item in self.canvas.state.items.items() if area.intersects(rect(item.place))}
        self.canvas.select(self._before | commands.with_groups(self.canvas.state, touched))

    def cancel(self) -> None:
        self.canvas.select(self._before)

    def paint(self, painter: QPainter) -> None:
        colour = QApplication.palette().color(QPalette.ColorRole.Highlight)
        painter.setPen(QPen(colour, 1))
        colour.setAlpha(40)
        painter.setBrush(colour)
        painter.drawRect(QRectF(self.start, self.at).normalized())


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
        _paint_lines(painter, self.canvas.camera, self._snap)


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
        width = max(SMALLEST, old.width + across * by.x()) if across else old.width
        height = max(SMALLEST, old.height + down * by.y()) if down else old.height
        if keys & Qt.KeyboardModifier.ShiftModifier and across and down:
            scale = max(width / old.width, height / old.height)
            width, height = old.width * scale, old.height * scale
        self._place = _anchored(old, QSizeF(width, height), across, down)
        self.canvas.preview[self._item.key] = self._place

    def end(self) -> None:
        self.canvas.preview.clear()
        self.canvas.do(commands.place(self.canvas.state, {self._item.key: self._place}, "Resize"))

    def paint(self, painter: QPainter) -> None:
        _paint_lines(painter, self.canvas.camera, self._snap)

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


class DrawConnector(Gesture):
    """Draws a connector from one item to another and selects it, so that the next keys apply to it."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, canvas: GestureCanvas, start: QPointF, source: Item) -> None:
        super().__init__(canvas, start)
        self._source = source

    def end(self) -> None:
        target = self.canvas.item_at(self.at)
        if target is None or target.key == self._source.key:
            return
        command = commands.connect(self.canvas.state, self._source.key, target.key)
        if not command.changes:
            self.canvas.notify("Connect: there is already a connector.")
        self.canvas.do(command)
        drawn = commands.connector(self.canvas.state, self._source.key, target.key)
        if drawn is not None:
            self.canvas.select(frozenset(), drawn)

    def paint(self, painter: QPainter) -> None:
        painter.setPen(QPen(QApplication.palette().color(QPalette.ColorRole.Highlight), 2))
        painter.drawLine(self.canvas.camera.to_window(rect(self._source.place).center()), self.at)


def _paint_lines(painter: QPainter, camera: Camera, found: Snap) -> None:
    """Paint the lines of other items that the moved item snaps to."""
    painter.setPen(QPen(QApplication.palette().color(QPalette.ColorRole.Highlight), 1, Qt.PenStyle.DotLine))
    view = painter.viewport()
    if found.upright is not None:
        x = camera.to_window(QPointF(found.upright, 0)).x()
        painter.drawLine(QPointF(x, 0), QPointF(x, view.height()))
    if found.level is not None:
        y = camera.to_window(QPointF(0, found.level)).y()
        painter.drawLine(QPointF(0, y), QPointF(view.width(), y))


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
