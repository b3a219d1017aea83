"""Painting of the plane: background, grid, items, selection frames and handles."""

from __future__ import annotations

import math
from typing import Protocol

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPalette, QPen
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.snap import GRID
from liven.liveobjects.desktop.spatial_index import SpatialIndex
from liven.liveobjects.desktop.state import Item, Place
from liven.liveobjects.desktop.view.geometry import edges, rect
from liven.liveobjects.desktop.view.items.background import background_of
from liven.liveobjects.desktop.view.items.connectors import Connectors
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.desktop.view.tools import handles
from liven.liveobjects.desktop.view.tools.handles import HandleCanvas
from liven.liveobjects.desktop.view.transfer.drop_and_paste import DropAndPaste

_MARGIN = 10
"""Pixels around a message."""
_NARROWEST_GRID = 16
"""Pixels between grid points; zoomed out further, only every fourth point is painted."""
EMPTY = "This desktop is empty.\nDouble-click to add something, or drop a picture."


class PaintedCanvas(HandleCanvas, Protocol):
    """The part of the canvas that painting needs."""

    grid: bool

    @property
    def model(self) -> DesktopObject: ...

    @property
    def spatial_index(self) -> SpatialIndex: ...

    @property
    def connectors(self) -> Connectors: ...

    @property
    def item_views(self) -> ItemViews: ...

    @property
    def drop_and_paste(self) -> DropAndPaste: ...

    @property
    def moving(self) -> frozenset[str]: ...

    @property
    def editing(self) -> str | None: ...

    @property
    def is_moving(self) -> bool: ...

    @property
    def visible_area(self) -> QRectF: ...

    def rect(self) -> QRect: ...

    def devicePixelRatioF(self) -> float: ...


def paint(painter: QPainter, canvas: PaintedCanvas, exposed: QRectF) -> None:
    """Paint the exposed part of the canvas."""
    background = background_of(canvas.state)
    painter.fillRect(exposed, background)
    if canvas.grid:
        _paint_grid(painter, canvas, background)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not canvas.is_moving)
    seen = canvas.visible_area
    painter.setWorldTransform(canvas.camera.transform())
    canvas.connectors.paint(painter, seen)
    moving = canvas.moving
    items = canvas.spatial_index.within(edges(seen), moving)
    if moving:  # what is moved, above all others
        items.sort(key=lambda one: one.key in moving)
    for item in items:
        if item.key != canvas.editing:
            _paint_item(painter, canvas, item, canvas.place_of(item))
    painter.resetTransform()
    for key in sorted(canvas.selected):
        _paint_frame(painter, canvas, canvas.state.items[key])
    if canvas.model.ready and not canvas.state.items and not canvas.drop_and_paste.is_reading:
        _paint_message(painter, canvas, EMPTY)  # before that, the host says that it is loading


def _paint_item(painter: QPainter, canvas: PaintedCanvas, item: Item, place: Place) -> None:
    painter.save()
    area = rect(place)
    sharp = canvas.camera.zoom * canvas.devicePixelRatioF()  # in device pixels, so that it is sharp
    painter.translate(area.center())
    painter.rotate(place.degrees)
    painter.translate(-area.width() / 2, -area.height() / 2)
    if place == item.place or canvas.item_views.pictures.kept(item.key, area.size()) is not None:
        canvas.item_views.paint(painter, item, sharp, hurry=canvas.is_moving)
    else:  # it is being resized: stretch its last picture
        old = QSizeF(item.place.width, item.place.height)
        painter.scale(area.width() / old.width(), area.height() / old.height())
        canvas.item_views.paint(painter, item, sharp, hurry=True)
    painter.restore()


def _paint_grid(painter: QPainter, canvas: PaintedCanvas, background: QColor) -> None:
    step = GRID
    while step * canvas.camera.zoom < _NARROWEST_GRID:
        step *= 4
    seen = canvas.visible_area
    colour = QColor(Qt.GlobalColor.black if background.lightness() > 127 else Qt.GlobalColor.white)
    colour.setAlpha(28)
    gap = step * canvas.camera.zoom
    pen = QPen(colour, 1)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([1, gap - 1])  # a row of dots is one line, which is much faster than points
    painter.setPen(pen)
    left, y = math.floor(seen.left() / step) * step, math.floor(seen.top() / step) * step
    while y < seen.bottom():
        start = canvas.camera.to_window(QPointF(left, y))
        painter.drawLine(start, QPointF(canvas.rect().width(), start.y()))
        y += step


def _paint_frame(painter: QPainter, canvas: PaintedCanvas, item: Item) -> None:
    """Paint the frame of a selected item, with handles if it is the only one."""
    colour = QApplication.palette().color(QPalette.ColorRole.Highlight)
    place = canvas.place_of(item)
    area = rect(place)
    painter.save()
    painter.translate(canvas.camera.to_window(area.center()))
    painter.rotate(place.degrees)
    size = area.size() * canvas.camera.zoom
    if item.key == canvas.editing:  # around its widget, which covers what is beneath
        size += QSizeF(2, 2)
    painter.setPen(QPen(colour, 2, Qt.PenStyle.DashLine if item.locked else Qt.PenStyle.SolidLine))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(QRectF(QPointF(-size.width() / 2, -size.height() / 2), size))
    painter.restore()
    if len(canvas.selected) != 1 or item.locked or canvas.editing is not None:
        return
    painter.setPen(QPen(colour, 1.5))
    painter.setBrush(QApplication.palette().base())
    for handle, at in handles.handles_of(canvas, item):
        if handle in (handles.TURN, handles.CONNECT):
            painter.drawEllipse(at, handles.SIZE / 2, handles.SIZE / 2)
        else:
            half = QPointF(handles.SIZE, handles.SIZE) / 2
            painter.drawRect(QRectF(at - half, QSizeF(handles.SIZE, handles.SIZE)))


def _paint_message(painter: QPainter, canvas: PaintedCanvas, words: str) -> None:
    painter.setPen(QApplication.palette().color(QPalette.ColorRole.PlaceholderText))
    area = canvas.rect().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)  # narrow in a nested desktop
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, words)
