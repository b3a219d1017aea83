"""An island: a rounded panel that floats over what a window shows."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QWidget

from liven.liveobjects.view.accessibility import is_high_contrast

RADIUS = 12
SHADE = 6
"""Pixels of shadow around the island."""
_SHADE_STEPS = 5


class Island(QWidget):
    """A floating panel. Its layout keeps `SHADE` pixels free on all sides for the shadow."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the shadow, the ground and the edge."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        roles, palette = QPalette.ColorRole, self.palette()
        area = QRectF(self.rect()).adjusted(SHADE, SHADE, -SHADE, -SHADE)
        edge = QColor(palette.color(roles.WindowText))
        painter.setPen(Qt.PenStyle.NoPen)
        if not is_high_contrast():
            for step in range(_SHADE_STEPS):
                out = SHADE - step
                painter.setBrush(QColor(0, 0, 0, 5 + 2 * step))
                painter.drawRoundedRect(area.adjusted(-out, -out + 2, out, out), RADIUS + out, RADIUS + out)
            edge.setAlpha(60)
        painter.setPen(QPen(edge, 2 if is_high_contrast() else 1))
        painter.setBrush(palette.color(roles.Window))
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.end()
