"""Mouse gestures: each is an object that begins with a press, follows the mouse, and ends or is cancelled.

While it lasts, it shows what would be (`Board.preview`); nobody else sees anything. When it ends, it makes
one command. Cancelling leaves all as it was.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPalette, QPen, QPolygonF, QTransform
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.snap import Box, Snap, snap, snap_side
from liven.liveobjects.desktop.state import Desktop, Item, Link, Place
from liven.liveobjects.desktop.view.viewport.camera import Camera

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.transfer.drop_targets import Receiving

REACH = 8.0
"""How near, in the window, a line draws what is moved to it."""
SMALLEST = commands.SHORTEST
NOWHERE = Snap(0.0, 0.0, None, None)
TURN = 15.0
"""Degrees between the turns that one snaps to."""


class Board(Protocol):
    """What a gesture works on."""

    camera: Camera
    preview: dict[str, Place]
    """Where things are shown for the time being, instead of where they lie."""

    @property
    def state(self) -> Desktop: ...

    @property
    def chosen(self) -> frozenset[str]: ...

    @property
    def snapping(self) -> bool: ...

    def choose(self, keys: frozenset[str], link: Link | None = None) -> None: ...

    @property
    def receiving(self) -> Receiving: ...

    def thing_at(self, point: QPointF) -> Item | None: ...

    def do(self, command: Command) -> bool: ...

    def notify(self, message: str) -> None: ...


class Gesture:
    """One gesture. Points are of the window."""

    cursor = Qt.CursorShape.ArrowCursor

    def __init__(self, board: Board, start: QPointF) -> None:
        self.board = board
        self.start = start
        self.at = start

    def follow(self, point: QPointF, keys: Qt.KeyboardModifier) -> None:
        """The mouse is at `point`, with these keys held."""
        del keys
        self.at = point

    def end(self) -> None:
        """The button was released: do it."""

    def cancel(self) -> None:
        """Leave all as it was."""
        self.board.preview.clear()

    def paint(self, painter: QPainter) -> None:
        """What is drawn over the window meanwhile."""

    @property
    def delta(self) -> QPointF:
        """How far the mouse has come, on the plane."""
        return (self.at - self.start) / self.board.camera.zoom


class Pan(Gesture):
    """Moves the plane under the window."""

    cursor = Qt.CursorShape.ClosedHandCursor

    def follow(self, point: QPointF, keys: Qt.KeyboardModifier) -> None:
        self.board.camera.pan(point - self.at)
        super().follow(point, keys)


class Choose(Gesture):
    """Draws a frame; what it touches is chosen."""

    def __init__(self, board: Board, start: QPointF, before: frozenset[str]) -> None:
        super().__init__(board, start)
        self._before = before

    @property
    def area(self) -> QRectF:
        """The frame, on the plane."""
        camera = self.board.camera
        return QRectF(camera.to_plane(self.start), camera.to_plane(self.at)).normalized()

    def follow(self, point: QPointF, keys: Qt.KeyboardModifier) -> None:
        super().follow(point, keys)
        area = self.area
        touched = {key for key, item in self.board.state.items.items() if area.intersects(rect(item.place))}
        self.board.choose(self._before | commands.with_groups(self.board.state, touched))

    def cancel(self) -> None:
        self.board.choose(self._before)

    def paint(self, painter: QPainter) -> None:
        colour = QApplication.palette().color(QPalette.ColorRole.Highlight)
        painter.setPen(QPen(colour, 1))
        colour.setAlpha(40)
        painter.setBrush(colour)
        painter.drawRect(QRectF(self.start, self.at).normalized())


class MoveThings(Gesture):
    """Moves what is chosen; with Alt, a copy of it. A hand that trembles in a click moves nothing."""

    cursor = Qt.CursorShape.SizeAllCursor

    def __init__(self, board: Board, start: QPointF) -> None:
        super().__init__(board, start)
        self._items = [
            board.state.items[key] for key in sorted(board.chosen) if not board.state.items[key].locked
        ]
        self._others = [item for key, item in board.state.items.items() if key not in board.chosen]
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
        if self._items and self.board.snapping and not keys & Qt.KeyboardModifier.ControlModifier:
            left, top, right, bottom = commands.bounds(self._items)
            box = Box(left + by.x(), top + by.y(), right + by.x(), bottom + by.y())
            self._snap = snap(box, self._others, REACH / self.board.camera.zoom, grid=True)
            by += QPointF(self._snap.dx, self._snap.dy)
        self._by = by
        for item in self._items:
            place = item.place
            self.board.preview[item.key] = replace(place, x=place.x + by.x(), y=place.y + by.y())
        self.board.receiving.carry(self._items, point)

    def cancel(self) -> None:
        self.board.receiving.leave()
        super().cancel()

    def end(self) -> None:
        self.board.preview.clear()
        if not self._begun or self.board.receiving.put_in(copy=self._copy):
            return
        if not self._items:
            self.board.notify("Move: what is selected is locked; Ctrl+Shift+L unlocks it.")
        keys = [item.key for item in self._items]
        if self._copy:
            copies, command = commands.duplicate(self.board.state, keys, self._by.x(), self._by.y())
            if self.board.do(command):
                self.board.choose(frozenset(copies))
        else:
            self.board.do(commands.drop(self.board.state, keys, self._by.x(), self._by.y()))

    def paint(self, painter: QPainter) -> None:
        _paint_lines(painter, self.board.camera, self._snap)


class Resize(Gesture):
    """Drags a side or a corner of one thing. `handle` says which: -1, 0 or 1 across and down. With Shift it
    keeps its proportions; else the sides that move snap, unless it is turned: they are level with nothing."""

    def __init__(self, board: Board, start: QPointF, item: Item, handle: tuple[int, int]) -> None:
        super().__init__(board, start)
        self._item = item
        self._handle = handle
        self._place = item.place
        self._others = [other for key, other in board.state.items.items() if key != item.key]
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
        self.board.preview[self._item.key] = self._place

    def end(self) -> None:
        self.board.preview.clear()
        self.board.do(commands.place(self.board.state, {self._item.key: self._place}, "Resize"))

    def paint(self, painter: QPainter) -> None:
        _paint_lines(painter, self.board.camera, self._snap)

    def _snapped(self, by: QPointF, keys: Qt.KeyboardModifier) -> Snap:
        held = keys & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier)
        moved = by.manhattanLength() >= QApplication.startDragDistance() / self.board.camera.zoom
        if held or not moved or not self.board.snapping or self._item.place.degrees:
            return NOWHERE
        old = self._item.place
        box = Box(old.x + by.x(), old.y + by.y(), old.x + old.width + by.x(), old.y + old.height + by.y())
        return snap_side(box, self._handle, self._others, REACH / self.board.camera.zoom, grid=True)


class Rotate(Gesture):
    """Turns one thing around its middle; with Shift, in steps."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, board: Board, start: QPointF, item: Item) -> None:
        super().__init__(board, start)
        self._item = item
        self._middle = board.camera.to_window(rect(item.place).center())
        self._place = item.place

    def follow(self, point: QPointF, keys: Qt.KeyboardModifier) -> None:
        super().follow(point, keys)
        turned = _angle(point - self._middle) - _angle(self.start - self._middle)
        degrees = (self._item.place.degrees + turned) % 360
        if keys & Qt.KeyboardModifier.ShiftModifier:
            degrees = round(degrees / TURN) * TURN % 360
        self._place = replace(self._item.place, degrees=degrees)
        self.board.preview[self._item.key] = self._place

    def end(self) -> None:
        self.board.preview.clear()
        self.board.do(commands.place(self.board.state, {self._item.key: self._place}, "Turn"))


class DrawLink(Gesture):
    """Draws a connector from one thing to another; it is chosen then, so that the next keys mean it."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, board: Board, start: QPointF, source: Item) -> None:
        super().__init__(board, start)
        self._source = source

    def end(self) -> None:
        target = self.board.thing_at(self.at)
        if target is None or target.key == self._source.key:
            return
        command = commands.connect(self.board.state, self._source.key, target.key)
        if not command.changes:
            self.board.notify("Connect: there is such a connector already.")
        self.board.do(command)
        drawn = commands.connector(self.board.state, self._source.key, target.key)
        if drawn is not None:
            self.board.choose(frozenset(), drawn)

    def paint(self, painter: QPainter) -> None:
        painter.setPen(QPen(QApplication.palette().color(QPalette.ColorRole.Highlight), 2))
        painter.drawLine(self.board.camera.to_window(rect(self._source.place).center()), self.at)


def rect(place: Place) -> QRectF:
    """A place as a rectangle, before it is turned."""
    return QRectF(place.x, place.y, place.width, place.height)


def turned(place: Place) -> QPolygonF:
    """A place as it is seen, by its corners."""
    area = rect(place)
    middle = area.center()
    turn = QTransform.fromTranslate(middle.x(), middle.y()).rotate(place.degrees)
    return turn.map(QPolygonF(area.translated(-middle)))


def edges(area: QRectF) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a rectangle."""
    return area.left(), area.top(), area.right(), area.bottom()


def _paint_lines(painter: QPainter, camera: Camera, found: Snap) -> None:
    """The lines of other things on which what is moved lies now."""
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
    """`old` in another size, the side opposite to the handle staying where it is seen."""
    grown = QPointF(across * (size.width() - old.width) / 2, down * (size.height() - old.height) / 2)
    middle = rect(old).center() + _turned(grown, old.degrees)
    corner = middle - QPointF(size.width() / 2, size.height() / 2)
    return Place(corner.x(), corner.y(), size.width(), size.height(), old.degrees)
