"""Outline and shadow of items: they separate items of the same colour that overlap."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPalette, QPen
from PySide6.QtWidgets import QApplication

from liven.liveobjects.view.accessibility import is_high_contrast

_INK: Final = 0.4
"""Share of the text colour in an outline; the rest is background."""
_SHADES: Final = (56, 32, 12)
"""Darkness of the shadow out of 255, pixel by pixel away from the item."""
SHADE: Final = len(_SHADES)
"""Width of the shadow in pixels."""
_PLAIN: Final = 24.0
"""Items smaller than this, in pixels, have no shadow."""


def paint_outline(painter: QPainter, area: QRectF) -> None:
    """Paint a line just inside an area, as thin as possible at every zoom. It is opaque, so that it is
    visible on every colour."""
    wide = 2 if is_high_contrast() else 1
    inside = wide / 2 / max(math.sqrt(abs(painter.deviceTransform().determinant())), 1e-6)
    pen = QPen(edge_colour(), wide)
    pen.setCosmetic(True)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(area.adjusted(inside, inside, -inside, -inside))


def paint_shadow(painter: QPainter, area: QRectF) -> None:
    """Paint a shadow at the right and bottom of an unrotated area, over anything a view painted there.

    It fills whole pixels: lines take twenty times as long, for each item that comes into view."""
    seen = painter.deviceTransform().mapRect(area)
    right, foot = math.ceil(seen.right()), math.ceil(seen.bottom())
    left, top = math.floor(seen.left()), math.floor(seen.top())
    painter.save()
    painter.resetTransform()
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
    painter.fillRect(right, top, SHADE, foot + SHADE - top, Qt.GlobalColor.transparent)
    painter.fillRect(left, foot, right - left, SHADE, Qt.GlobalColor.transparent)
    if not is_high_contrast() and min(seen.width(), seen.height()) >= _PLAIN:
        for far, dark in enumerate(_SHADES):
            begin, colour = far + 2, QColor(0, 0, 0, dark)
            painter.fillRect(right + far, top + begin, 1, foot + far + 1 - top - begin, colour)
            painter.fillRect(left + begin, foot + far, right + far - left - begin, 1, colour)
    painter.restore()


def edge_colour() -> QColor:
    """Return a grey between text and background; in high contrast, the text colour."""
    palette = QApplication.palette()
    ink, ground = palette.color(QPalette.ColorRole.Text), palette.color(QPalette.ColorRole.Base)
    share = 1.0 if is_high_contrast() else _INK
    parts = (share * a + (1 - share) * b for a, b in zip(_parts(ink), _parts(ground), strict=True))
    return QColor.fromRgbF(*parts)


def _parts(colour: QColor) -> tuple[float, float, float]:
    return colour.redF(), colour.greenF(), colour.blueF()
