"""The frame around the view of somebody whom you follow, in their colour, with their name."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from liven.liveobjects.look.tokens import Look

WIDE: Final = 4.0


def paint_follow_frame(painter: QPainter, area: QRectF, tone: str, look: Look) -> None:
    """Paint the frame inside an area."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(look.halo), 1))
    inner = area.adjusted(WIDE, WIDE, -WIDE - 1, -WIDE - 1)
    painter.drawRect(inner)  # it parts the colour from whatever lies beneath
    colour = QColor(tone)
    for side in (
        QRectF(area.topLeft(), QPointF(area.right(), area.top() + WIDE)),
        QRectF(QPointF(area.left(), area.bottom() - WIDE), area.bottomRight()),
        QRectF(area.topLeft(), QPointF(area.left() + WIDE, area.bottom())),
        QRectF(QPointF(area.right() - WIDE, area.top()), area.bottomRight()),
    ):
        painter.fillRect(side, colour)
    painter.restore()
