"""Marks: rounded boxes, the ring around what is selected or has the focus, handles, and round corners."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from liven.liveobjects.look.tokens import HANDLE, Look
from liven.liveobjects.look.view.signs import Sign, paint_sign

_HALO = 230
"""Opacity of a halo, of 255."""


def paint_box(
    painter: QPainter, area: QRectF, radius: float, fill: str, edge: str = "", width: float = 1.0
) -> None:
    """Paint a rounded box, with a line inside its edge."""
    painter.setPen(Qt.PenStyle.NoPen)
    if edge:  # two fills: a line as a stroke is slower, and its corners are thinner
        painter.setBrush(QColor(edge))
        painter.drawRoundedRect(area, radius, radius)
        area = area.adjusted(width, width, -width, -width)
        radius = max(0.0, radius - width)
    painter.setBrush(QColor(fill))
    painter.drawRoundedRect(area, radius, radius)


def paint_line_inside(
    painter: QPainter, area: QRectF, radius: float, colour: str, width: float = 1.0
) -> None:
    """Paint a line just inside a rounded area, of the same width in pixels at every zoom."""
    inside = width / 2 / max(math.sqrt(abs(painter.deviceTransform().determinant())), 1e-6)
    pen = QPen(QColor(colour), width)
    pen.setCosmetic(True)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    line = area.adjusted(inside, inside, -inside, -inside)
    if radius <= inside:
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        painter.drawRect(line)
    else:
        painter.drawRoundedRect(line, radius - inside, radius - inside)


def paint_ring(
    painter: QPainter, area: QRectF, radius: float, look: Look, colour: str = "", width: float = 0.0
) -> None:
    """Paint the ring around an area, with a halo at both sides that shows it on every ground."""
    width = width or look.ring
    out = width / 2
    around = area.adjusted(-out, -out, out, out)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if look.halo_width:
        halo = QColor(look.halo)
        halo.setAlpha(_HALO)
        painter.setPen(QPen(halo, width + 2 * look.halo_width))
        painter.drawRoundedRect(around, radius + out, radius + out)
    painter.setPen(QPen(QColor(colour or look.select), width))
    painter.drawRoundedRect(around, radius + out, radius + out)


def paint_handle(painter: QPainter, at: QPointF, look: Look) -> None:
    """Paint a handle that changes the size."""
    half = HANDLE / 2
    area = QRectF(at.x() - half, at.y() - half, HANDLE, HANDLE)
    paint_box(painter, area, 2.5, look.halo if look.dark else look.card, look.select, 2)


def paint_dot(painter: QPainter, at: QPointF, look: Look) -> None:
    """Paint a dot from which a connector is drawn."""
    half = HANDLE / 2
    painter.setPen(QPen(QColor(look.halo), look.halo_width) if look.halo_width else Qt.PenStyle.NoPen)
    painter.setBrush(QColor(look.select))
    painter.drawEllipse(at, half, half)
    paint_sign(painter, _around(at, half), Sign.PLUS, 8, look.on_select, 3)


def paint_knob(painter: QPainter, at: QPointF, look: Look) -> None:
    """Paint the knob that turns."""
    painter.setPen(QPen(QColor(look.select), 1.5 if not look.high_contrast else look.edge_width))
    painter.setBrush(QColor(look.island))
    painter.drawEllipse(at, HANDLE, HANDLE)
    paint_sign(painter, _around(at, HANDLE), Sign.TURN, 12, look.select, 2.2)


def clear_corners(painter: QPainter, area: QRectF, radius: float) -> None:
    """Erase what lies outside the rounded corners of an area. A clip path would have ragged edges."""
    if radius <= 0:
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationOut)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(Qt.GlobalColor.black)
    for x, y in ((0, 0), (1, 0), (0, 1), (1, 1)):
        painter.drawPath(_corner(area, radius, x, y))
    painter.restore()


def _corner(area: QRectF, radius: float, right: int, foot: int) -> QPainterPath:
    """Return the part of a corner that lies outside its arc."""
    x = area.right() if right else area.left()
    y = area.bottom() if foot else area.top()
    inwards_x, inwards_y = (-radius if right else radius), (-radius if foot else radius)
    path = QPainterPath(QPointF(x, y))
    path.lineTo(x + inwards_x, y)
    # a quarter of a circle as a cubic curve: https://pomax.github.io/bezierinfo/#circles_cubic
    bend = 1 - 0.5522847498
    path.cubicTo(
        QPointF(x + inwards_x * bend, y),
        QPointF(x, y + inwards_y * bend),
        QPointF(x, y + inwards_y),
    )
    path.closeSubpath()
    return path


def _around(at: QPointF, half: float) -> QRectF:
    return QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half)
