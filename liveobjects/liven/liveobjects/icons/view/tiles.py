"""A tile for each kind of object: a white drawing on the kind's own colour, or two letters where there is no
drawing. In high contrast the tiles use only the colours of the palette."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPalette, QPen, QPixmap
from PySide6.QtWidgets import QApplication

from liven.liveobjects.icons.view.drawings import DRAWINGS, WHOLE
from liven.liveobjects.view.accessibility import is_high_contrast

SIZE: Final = 48
_SIZES: Final = (16, 24, 32, SIZE, 2 * SIZE)
_PEN: Final = 2.6
_LEAST: Final = 10.0
"""The smallest tile with a drawing, in pixels. A smaller one shows only its colour."""


def icon_of(kind: str) -> QIcon:
    """Return the tile of a kind in the current colours."""
    text, base = _looks()
    return _icon(kind, text.name(), base.name(), is_high_contrast())


@lru_cache(maxsize=256)
def _icon(kind: str, *look: object) -> QIcon:
    del look  # each theme has its own icon
    made = QIcon()
    for size in _SIZES:
        picture = QPixmap(size, size)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        paint_tile(painter, QRectF(0, 0, size, size), kind)
        painter.end()
        made.addPixmap(picture)
    return made


def paint_tile(painter: QPainter, area: QRectF, kind: str) -> None:
    """Paint the tile of a kind into `area`."""
    ground, ink = colours_of(kind)
    seen = painter.deviceTransform().mapRect(area)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(area.topLeft())
    painter.scale(area.width() / WHOLE, area.height() / WHOLE)
    path = QPainterPath()
    path.addRoundedRect(QRectF(3, 3, WHOLE - 6, WHOLE - 6), 8, 8)
    painter.fillPath(path, ground)
    if is_high_contrast():
        painter.strokePath(path, QPen(ink, _PEN))
    if min(seen.width(), seen.height()) >= _LEAST:
        _draw(painter, kind, ink)
    painter.restore()


def colours_of(kind: str) -> tuple[QColor, QColor]:
    """Return the background and the foreground of a tile."""
    if is_high_contrast():
        text, base = _looks()
        return base, text
    if kind in DRAWINGS:
        return QColor(DRAWINGS[kind][0]), QColor("white")
    hue = int.from_bytes(blake2b(kind.encode(), digest_size=2).digest(), "big") % 360
    return QColor.fromHsv(hue, 150, 120), QColor("white")


def _draw(painter: QPainter, kind: str, ink: QColor) -> None:
    join, cap = Qt.PenJoinStyle.RoundJoin, Qt.PenCapStyle.RoundCap
    painter.setPen(QPen(ink, _PEN, Qt.PenStyle.SolidLine, cap, join))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if kind in DRAWINGS:
        DRAWINGS[kind][1](painter, ink)
        return
    font = painter.font()
    font.setPixelSize(18)
    font.setBold(True)
    painter.setFont(font)
    painter.drawText(QRectF(0, 0, WHOLE, WHOLE), Qt.AlignmentFlag.AlignCenter, kind[:2])


def _looks() -> tuple[QColor, QColor]:
    palette = QApplication.palette()
    return palette.color(QPalette.ColorRole.Text), palette.color(QPalette.ColorRole.Base)
