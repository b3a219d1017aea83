"""The icon of the program's windows, the same drawing that `register-files` installs."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap

_SIZES = (16, 32, 64)
_WHOLE = 64.0
_LINES = ((29, 19, 51), (29, 27, 51), (29, 35, 42))


def icon() -> QIcon:
    """Return the icon, painted by code: loading the SVG module would slow the start."""
    made = QIcon()
    for size in _SIZES:
        made.addPixmap(_picture(size))
    return made


def _picture(size: int) -> QPixmap:
    picture = QPixmap(size, size)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size / _WHOLE, size / _WHOLE)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor("#2471a3"))
    painter.drawRoundedRect(QRectF(6, 14, 36, 40), 5, 5)
    painter.setPen(QPen(QColor("#8a8371"), 2))
    painter.setBrush(QColor("#fff7d1"))
    painter.drawRoundedRect(QRectF(22, 8, 36, 40), 5, 5)
    painter.setPen(QPen(QColor("#2b2720"), 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    for left, y, right in _LINES:
        painter.drawLine(left, y, right, y)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor("#1e8449"))
    painter.drawEllipse(QRectF(43, 41, 16, 16))
    painter.end()
    return picture
