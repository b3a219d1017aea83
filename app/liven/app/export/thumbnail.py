"""A small picture of everything in a window, for the gallery."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QPainter

from liven.app.export.picture import drawing
from liven.liveobjects.desktop.view import Canvas
from liven.liveobjects.look.view import shade
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.view.contract import View

WIDTH, HEIGHT = 264, 170
_RATIO: Final = 2
_PAD: Final = 12.0


def thumbnail(view: View) -> QImage:
    """Return a small picture of what a view shows: all of a desktop, or the face of another object. Raise
    what the code of the view's author raises."""
    look, widget = current_look(), view.widget()
    made = QImage(WIDTH * _RATIO, HEIGHT * _RATIO, QImage.Format.Format_RGB32)
    ground = getattr(getattr(widget, "state", None), "background", "")
    made.fill(QColor(ground if ground and not look.high_contrast else look.plane))
    painter = QPainter(made)
    try:
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        painter.scale(_RATIO, _RATIO)
        if isinstance(widget, Canvas):
            _paint_plane(painter, widget)
        else:
            _paint_face(painter, view)
    finally:
        painter.end()  # Qt aborts the program if the picture is destroyed first
    return made


def _paint_plane(painter: QPainter, canvas: Canvas) -> None:
    if not canvas.state.items:
        return
    size, draw = drawing(canvas, selection=False, ground=QColor(current_look().plane))
    scale = _into(painter, QSizeF(size))
    painter.scale(scale, scale)
    draw(painter)


def _paint_face(painter: QPainter, view: View) -> None:
    size = view.size_hint()
    scale = _into(painter, size)
    painter.scale(scale, scale)
    area = QRectF(0, 0, size.width(), size.height())
    shade.paint_shadow(painter, area, current_look().shadows.rest, view.radius())
    painter.setClipRect(area)
    view.paint(painter, area)


def _into(painter: QPainter, size: QSizeF) -> float:
    """Move to where something of this size stands in the middle, and return its scale."""
    room = QRectF(0, 0, WIDTH, HEIGHT).adjusted(_PAD, _PAD, -_PAD, -_PAD)
    scale = min(room.width() / max(size.width(), 1), room.height() / max(size.height(), 1), 1.0)
    left = room.center().x() - size.width() * scale / 2
    painter.translate(left, room.center().y() - size.height() * scale / 2)
    return scale
