"""Painting the plane: the grid, what lies on it, and the frame of what is chosen."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPalette, QPen, QTransform
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop.snap import GRID
from liven.liveobjects.desktop.state import Item, Place
from liven.liveobjects.desktop.view.items.background import ground_of
from liven.liveobjects.desktop.view.tools.gestures import edges, rect

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

HANDLE = 8.0
_FAR = 26.0
_AROUND = 10
"""So many pixels stay free around words."""
NOTHING_YET = "Nothing lies here yet.\nDrop a .liveobject file or a picture, or press Ctrl+P for the palette."
WAITING = "Looking for what lies here…\nIt may take some seconds after a crash, or until others answer."
TURN, LINK = (0, 2), (2, 0)
"""The handles that turn a thing and that draw a connector from it."""
_SIDES = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
_CURSORS = {
    (-1, -1): Qt.CursorShape.SizeFDiagCursor,
    (1, 1): Qt.CursorShape.SizeFDiagCursor,
    (-1, 1): Qt.CursorShape.SizeBDiagCursor,
    (1, -1): Qt.CursorShape.SizeBDiagCursor,
    (0, -1): Qt.CursorShape.SizeVerCursor,
    (0, 1): Qt.CursorShape.SizeVerCursor,
    (-1, 0): Qt.CursorShape.SizeHorCursor,
    (1, 0): Qt.CursorShape.SizeHorCursor,
    TURN: Qt.CursorShape.CrossCursor,
    LINK: Qt.CursorShape.CrossCursor,
}


def paint(painter: QPainter, canvas: Canvas, exposed: QRectF) -> None:
    """Paints the part of the window that needs it."""
    background = ground_of(canvas.state)
    painter.fillRect(exposed, background)
    if canvas.grid:
        _grid(painter, canvas, background)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not canvas.hurrying)
    seen = canvas.camera.seen(QSizeF(canvas.size()))
    painter.setWorldTransform(canvas.camera.transform())
    canvas.connectors.paint(painter, seen)
    for item in canvas.spread.within(edges(seen), canvas.preview):
        if item.key != canvas.editing:
            _thing(painter, canvas, item, canvas.place_of(item))
    painter.resetTransform()
    for key in sorted(canvas.chosen):
        _host(painter, canvas, canvas.state.items[key])
    if not canvas.state.items and not canvas.taking.expects:
        _say(painter, canvas, NOTHING_YET if canvas.model.ready else WAITING)


def unturned(place: Place, point: QPointF) -> QPointF:
    """A point of the plane as it would be if the thing were not turned."""
    middle = rect(place).center()
    return QTransform().rotate(-place.degrees).map(point - middle) + middle


def handle_at(canvas: Canvas, item: Item, point: QPointF) -> tuple[int, int] | None:
    """The handle of a chosen thing under a point of the window."""
    for handle, at in _handles(canvas, item):
        if math.hypot(at.x() - point.x(), at.y() - point.y()) <= HANDLE:
            return handle
    return None


def cursor_at(canvas: Canvas, point: QPointF) -> Qt.CursorShape:
    """The cursor that says what a press at a point would do."""
    if len(canvas.chosen) == 1:
        item = canvas.state.items[next(iter(canvas.chosen))]
        handle = None if item.locked else handle_at(canvas, item, point)
        if handle is not None:
            return _CURSORS[handle]
    return Qt.CursorShape.ArrowCursor


def _thing(painter: QPainter, canvas: Canvas, item: Item, place: Place) -> None:
    painter.save()
    area = rect(place)
    sharp = canvas.camera.zoom * canvas.devicePixelRatioF()  # a screen may have several pixels for each
    painter.translate(area.center())
    painter.rotate(place.degrees)
    painter.translate(-area.width() / 2, -area.height() / 2)
    if place == item.place or canvas.actors.pictures.kept(item.key, area.size()) is not None:
        canvas.actors.paint(painter, item, sharp, hurry=canvas.hurrying)
    else:  # it is being resized: its last picture, stretched
        old = QSizeF(item.place.width, item.place.height)
        painter.scale(area.width() / old.width(), area.height() / old.height())
        canvas.actors.paint(painter, item, sharp, hurry=True)
    painter.restore()


def _grid(painter: QPainter, canvas: Canvas, background: QColor) -> None:
    step = GRID
    while step * canvas.camera.zoom < 16:
        step *= 4
    seen = canvas.camera.seen(QSizeF(canvas.size()))
    colour = QColor(Qt.GlobalColor.black if background.lightness() > 127 else Qt.GlobalColor.white)
    colour.setAlpha(28)
    gap = step * canvas.camera.zoom
    pen = QPen(colour, 1)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([1, gap - 1])  # a row of dots is one line, which is much quicker than its points
    painter.setPen(pen)
    left, y = math.floor(seen.left() / step) * step, math.floor(seen.top() / step) * step
    while y < seen.bottom():
        start = canvas.camera.to_window(QPointF(left, y))
        painter.drawLine(start, QPointF(canvas.width(), start.y()))
        y += step


def _handles(canvas: Canvas, item: Item) -> list[tuple[tuple[int, int], QPointF]]:
    """The handles of a thing, in the window."""
    place = canvas.place_of(item)
    area = rect(place)
    half = QSizeF(area.width() / 2, area.height() / 2) * canvas.camera.zoom
    turn = QTransform().rotate(place.degrees)
    middle = canvas.camera.to_window(area.center())

    def at(x: float, y: float) -> QPointF:
        return middle + turn.map(QPointF(x, y))

    found = [((x, y), at(x * half.width(), y * half.height())) for x, y in _SIDES]
    found.append((TURN, at(0, -half.height() - _FAR)))
    found.append((LINK, at(half.width() + _FAR, 0)))
    return found


def _host(painter: QPainter, canvas: Canvas, item: Item) -> None:
    """A frame around a chosen thing; with handles when it is the only one."""
    colour = QApplication.palette().color(QPalette.ColorRole.Highlight)
    place = canvas.place_of(item)
    area = rect(place)
    painter.save()
    painter.translate(canvas.camera.to_window(area.center()))
    painter.rotate(place.degrees)
    size = area.size() * canvas.camera.zoom
    if item.key == canvas.editing:  # around its widget, which covers what lies beneath
        size += QSizeF(2, 2)
    painter.setPen(QPen(colour, 2, Qt.PenStyle.DashLine if item.locked else Qt.PenStyle.SolidLine))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(QRectF(QPointF(-size.width() / 2, -size.height() / 2), size))
    painter.restore()
    if len(canvas.chosen) != 1 or item.locked or canvas.editing is not None:
        return
    painter.setPen(QPen(colour, 1.5))
    painter.setBrush(QApplication.palette().base())
    for handle, at in _handles(canvas, item):
        if handle in (TURN, LINK):
            painter.drawEllipse(at, HANDLE / 2, HANDLE / 2)
        else:
            painter.drawRect(QRectF(at - QPointF(HANDLE, HANDLE) / 2, QSizeF(HANDLE, HANDLE)))


def _say(painter: QPainter, canvas: Canvas, words: str) -> None:
    painter.setPen(QApplication.palette().color(QPalette.ColorRole.PlaceholderText))
    room = canvas.rect().adjusted(_AROUND, _AROUND, -_AROUND, -_AROUND)  # narrow, where it lies on another
    painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, words)
