"""A panel that floats over what a window shows: a rounded ground with an edge and a shadow."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from liven.liveobjects.look.tokens import Layer
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box
from liven.liveobjects.look.view.shade import paint_shadow


def paint_panel(widget: QWidget, room: int, layers: tuple[Layer, ...], radius: float, ground: str) -> None:
    """Paint a whole widget as a panel with a shadow of these layers, which has `room` on all sides."""
    look = current_look()
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    area = QRectF(widget.rect()).adjusted(room, room, -room, -room)
    paint_shadow(painter, area, layers, radius)
    paint_box(painter, area, radius, ground, look.edge, look.edge_width)
    painter.end()
