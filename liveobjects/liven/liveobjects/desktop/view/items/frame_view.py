"""The view of a frame, and its name above the corner."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.frames import NEW_HEIGHT, NEW_WIDTH
from liven.liveobjects.desktop.object import FrameObject
from liven.liveobjects.look.tokens import CARD_RADIUS
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_line_inside
from liven.liveobjects.view.contract import View, ViewHost

_ABOVE: Final = 6.0
"""Pixels between a frame and its name."""
_LEAST_WIDTH: Final = 24.0
"""Pixels: a narrower frame shows no name."""
NO_LINE: Final = "#00000000"
_SHEER: Final = 140
"""Opacity of the ground of a frame, of 255."""


class FrameView(View):
    """An empty area with an edge. The desktop shows its name, and renames it where others are entered."""

    def paint(self, painter: QPainter, area: QRectF) -> None:
        paint_frame(painter, area)

    def make_widget(self) -> QWidget:
        return _Plain()

    def size_hint(self) -> QSizeF:
        return QSizeF(NEW_WIDTH, NEW_HEIGHT)

    def is_flat(self) -> bool:
        return True

    def edge_colour(self) -> str:
        return NO_LINE


class _Plain(QWidget):
    """A frame in a window of its own."""

    def paintEvent(self, _event: object) -> None:
        painter = QPainter(self)
        paint_frame(painter, QRectF(self.rect()))
        painter.end()


def paint_frame(painter: QPainter, area: QRectF) -> None:
    """Paint the area of a frame."""
    look = current_look()
    ground = QColor(look.card)
    ground.setAlpha(0 if look.high_contrast else _SHEER)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(area, CARD_RADIUS, CARD_RADIUS)
    paint_line_inside(painter, area, CARD_RADIUS, look.line, look.edge_width)
    painter.restore()


def paint_frame_name(painter: QPainter, area: QRectF, name: str, colour: QColor) -> None:
    """Paint the name above the upper left corner, in letters of the window's size at every zoom."""
    scale = max(math.sqrt(abs(painter.worldTransform().determinant())), 1e-6)
    width = area.width() * scale
    if width < _LEAST_WIDTH or not name:
        return
    letters = font("label")
    painter.save()
    painter.translate(area.topLeft())
    painter.scale(1 / scale, 1 / scale)
    painter.setFont(letters)
    painter.setPen(colour)
    words = QFontMetricsF(letters).elidedText(name, Qt.TextElideMode.ElideRight, width)
    painter.drawText(QPointF(2, -_ABOVE), words)
    painter.restore()


def make(model: FrameObject, host: ViewHost) -> FrameView:
    """Make the view of a frame."""
    del model, host
    return FrameView()
