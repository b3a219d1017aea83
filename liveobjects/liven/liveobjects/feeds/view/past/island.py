"""An island: a rounded panel that floats over what a window shows."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from liven.liveobjects.look.tokens import ISLAND_RADIUS
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.shade import paint_shadow

SHADE = 16
"""Pixels around the island for its shadow, which fades out there."""


class Island(QWidget):
    """A floating panel. Its layout keeps `SHADE` pixels free on all sides for the shadow."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the shadow, the ground and the edge."""
        del event
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(SHADE, SHADE, -SHADE, -SHADE)
        paint_shadow(painter, area, look.shadows.island, ISLAND_RADIUS)
        painter.setPen(QPen(QColor(look.edge), look.edge_width))
        painter.setBrush(QColor(look.island))
        inset = look.edge_width / 2
        painter.drawRoundedRect(area.adjusted(inset, inset, -inset, -inset), ISLAND_RADIUS, ISLAND_RADIUS)
        painter.end()
