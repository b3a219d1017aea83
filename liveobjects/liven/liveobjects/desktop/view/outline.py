"""The edge of what lies on a plane: by it, two things of one colour are told apart where they overlap."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPalette, QPen
from PySide6.QtWidgets import QApplication

from liven.liveobjects.view import is_high_contrast

_INK: Final = 0.4
"""How much of the colour of letters is in an edge; the rest is the ground's."""
_SHADES: Final = (56, 32, 12)
"""How dark a shadow is, of 255, from pixel to pixel away from the thing."""
SHADE: Final = len(_SHADES)
"""So many pixels a shadow is wide."""
_PLAIN: Final = 24.0
"""What is painted smaller, in pixels, has no shadow."""


def outline(painter: QPainter, area: QRectF) -> None:
    """Paints the edge just within an area, as thin as it can be however near one looks: opaque, for it has to
    be seen on every colour."""
    wide = 2 if is_high_contrast() else 1
    inside = wide / 2 / _scale(painter)
    _take_pen(painter, edge_colour(), wide)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(area.adjusted(inside, inside, -inside, -inside))


def shade(painter: QPainter, area: QRectF) -> None:
    """Paints a shadow beside an area, at its right and its foot."""
    scale = _scale(painter)
    if is_high_contrast() or min(area.width(), area.height()) * scale < _PLAIN:
        return
    for number, dark in enumerate(_SHADES):
        far = (number + 0.5) / scale
        right, foot, begin = area.right() + far, area.bottom() + far, (number + 2) / scale
        _take_pen(painter, QColor(0, 0, 0, dark), 1)
        painter.drawLine(QLineF(right, area.top() + begin, right, foot))
        painter.drawLine(QLineF(area.left() + begin, foot, right - 1 / scale, foot))


def edge_colour() -> QColor:
    """A quiet grey between letters and ground; with high contrast, the letters' own."""
    palette = QApplication.palette()
    ink, ground = palette.color(QPalette.ColorRole.Text), palette.color(QPalette.ColorRole.Base)
    share = 1.0 if is_high_contrast() else _INK
    parts = (share * a + (1 - share) * b for a, b in zip(_parts(ink), _parts(ground), strict=True))
    return QColor.fromRgbF(*parts)


def _parts(colour: QColor) -> tuple[float, float, float]:
    return colour.redF(), colour.greenF(), colour.blueF()


def _take_pen(painter: QPainter, colour: QColor, wide: int) -> None:
    pen = QPen(colour, wide)
    pen.setCosmetic(True)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)


def _scale(painter: QPainter) -> float:
    """How many pixels one unit of the painter is."""
    return max(math.sqrt(abs(painter.deviceTransform().determinant())), 1e-6)
