"""The drawings on the tiles of the known kinds: 48 by 48 units, with the pen of the caller."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPolygonF

WHOLE: Final = 48.0
Drawing: TypeAlias = Callable[[QPainter, QColor], None]
"""A function that draws in a colour."""


def _note(painter: QPainter, ink: QColor) -> None:
    """Draw a sheet with lines."""
    del ink
    painter.drawPolygon(_points((14, 10), (28, 10), (34, 16), (34, 38), (14, 38)))
    for y, right in ((19, 26), (25, 29), (31, 29)):
        painter.drawLine(19, y, right, y)


def _image(painter: QPainter, ink: QColor) -> None:
    """Draw two hills and the sun in a frame."""
    painter.drawRect(QRectF(10, 12, 28, 24))
    painter.setBrush(ink)
    painter.drawPolygon(_points((12, 34), (20, 23), (25, 30), (29, 26), (36, 34)))
    painter.drawEllipse(QPointF(30, 19), 2, 2)


def _folder(painter: QPainter, ink: QColor) -> None:
    """Draw an open folder."""
    painter.drawPolygon(_points((10, 36), (10, 13), (19, 13), (23, 17), (36, 17), (36, 23)))
    painter.setBrush(ink)
    painter.drawPolygon(_points((10, 36), (15, 24), (40, 24), (35, 36)))


def _desktop(painter: QPainter, ink: QColor) -> None:
    """Draw a plane with three items."""
    painter.drawRect(QRectF(9, 12, 30, 24))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    for x, y, wide, high in ((14, 17, 9, 7), (27, 17, 7, 11), (14, 27, 9, 5)):
        painter.drawRect(QRectF(x, y, wide, high))


def _chat(painter: QPainter, ink: QColor) -> None:
    """Draw a speech bubble with three dots."""
    path = QPainterPath()
    path.addRoundedRect(QRectF(9, 11, 30, 20), 6, 6)
    tail = QPainterPath()
    tail.addPolygon(_points((16, 30), (15, 39), (25, 30)))
    painter.drawPath(path.united(tail))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    for x in (17, 24, 31):
        painter.drawEllipse(QPointF(x, 21), 2.2, 2.2)


def _window(painter: QPainter, ink: QColor) -> None:
    """Draw a frame with a caption bar."""
    painter.drawRect(QRectF(9, 11, 30, 26))
    painter.fillRect(QRectF(9, 11, 30, 8), ink)


def _colour(painter: QPainter, ink: QColor) -> None:
    """Draw a drop."""
    path = QPainterPath(QPointF(24, 8))
    path.cubicTo(24, 8, 36, 21, 36, 28)
    path.arcTo(QRectF(12, 16, 24, 24), 0, -180)
    path.cubicTo(12, 21, 24, 8, 24, 8)
    painter.setBrush(ink)
    painter.drawPath(path)


def _counter(painter: QPainter, ink: QColor) -> None:
    """Draw two counter wheels with figures."""
    del ink
    for left in (10, 25):
        painter.drawRect(QRectF(left, 13, 13, 22))
    painter.drawLine(16, 19, 16, 29)
    painter.drawPolyline(_points((28.5, 20), (31, 18.5), (34, 20.5), (28.5, 29), (34.5, 29)))


def _vote(painter: QPainter, ink: QColor) -> None:
    """Draw a tick and bars."""
    painter.drawPolyline(_points((10, 19), (15, 24), (24, 12)))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    for y, wide in ((17, 11), (25, 28), (32, 18)):
        painter.drawRect(QRectF(10 if y > 20 else 28, y + 3, wide, 4))


def _roster(painter: QPainter, ink: QColor) -> None:
    """Draw two people."""
    painter.setBrush(ink)
    for x, y in ((17, 18), (31, 20)):
        painter.drawEllipse(QPointF(x, y), 4, 4)
        painter.drawChord(QRectF(x - 7, y + 8, 14, 20), 0, 180 * 16)


DRAWINGS: Final[Mapping[str, tuple[str, Drawing]]] = {
    "Note": ("#9a6a00", _note),
    "Image": ("#1f6f8b", _image),
    "Folder": ("#a04a12", _folder),
    "Desktop": ("#2f5fa8", _desktop),
    "Chat": ("#2e7d45", _chat),
    "Window": ("#566573", _window),
    "Colour": ("#a8326e", _colour),
    "Counter": ("#6c3fa0", _counter),
    "Vote": ("#a93226", _vote),
    "Roster": ("#13756a", _roster),
}
"""The colour of each kind's tile, on which white is legible, and its drawing."""


def _points(*corners: tuple[float, float]) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in corners])
