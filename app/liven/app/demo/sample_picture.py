"""A picture to put on a desktop: a lake in the evening."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QLinearGradient, QPainter, QPolygonF

_WIDTH, _HEIGHT = 240, 180
_SHORE = 118
_FAR = [(0, 96), (46, 70), (88, 92), (130, 58), (186, 94), (240, 74)]
_NEAR = [(0, 112), (60, 98), (120, 114), (178, 100), (240, 112)]


def paint_lake(path: Path) -> None:
    """Paint the picture, the same one each time."""
    made = QImage(_WIDTH, _HEIGHT, QImage.Format.Format_RGB32)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.fillRect(0, 0, _WIDTH, _SHORE, _shades(0, _SHORE, "#5a7fb0", "#f6c893"))
    painter.setBrush(QColor("#fff1c9"))
    painter.drawEllipse(QPointF(168, 62), 13, 13)
    for hills, colour in ((_FAR, "#6d7f9c"), (_NEAR, "#3f5a63")):
        painter.setBrush(QColor(colour))
        painter.drawPolygon(
            QPolygonF([QPointF(*one) for one in (*hills, (_WIDTH, _SHORE + 2), (0, _SHORE + 2))])
        )
    painter.fillRect(0, _SHORE, _WIDTH, _HEIGHT - _SHORE, _shades(_SHORE, _HEIGHT, "#c9a98b", "#31506b"))
    painter.setBrush(QColor(255, 241, 201, 120))
    for row in range(6):
        painter.drawRoundedRect(168 - 15 + row, _SHORE + 5 + 9 * row, 30 - 3 * row, 3, 1.5, 1.5)
    painter.end()
    made.save(str(path))


def _shades(top: float, bottom: float, first: str, last: str) -> QLinearGradient:
    made = QLinearGradient(0, top, 0, bottom)
    made.setColorAt(0, QColor(first))
    made.setColorAt(1, QColor(last))
    return made
