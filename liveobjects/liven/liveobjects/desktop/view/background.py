"""The background of a desktop: its colour, a grid of dots on it, and a text colour that is legible there."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from liven.liveobjects.desktop.state import Desktop
from liven.liveobjects.look.tokens import Look
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.view.accessibility import is_high_contrast

_LIGHT_FROM: Final = 128
_FAINT: Final = 28
"""Opacity of dots on a colour that people chose, of 255."""
_LARGEST_TILE: Final = 1024
_EXACT: Final = 0.01
"""Pixels by which the dots of a tile may be off in the whole window."""
_DOT: Final = 0.9
"""Radius of a dot in pixels."""


def background_of(state: Desktop) -> QColor:
    """Return the background colour. In high contrast, people's choice is ignored."""
    selected = "" if is_high_contrast() else state.background
    return QColor(selected or current_look().plane)


def text_colour_on(ground: QColor) -> QColor:
    """Return the text colour for a background: that of the look, or black or white on a colour that people
    chose."""
    look = current_look()
    if ground == QColor(look.plane):
        return QColor(look.ink)
    return QColor(Qt.GlobalColor.black if ground.lightness() >= _LIGHT_FROM else Qt.GlobalColor.white)


def paint_grid(painter: QPainter, area: QRectF, ground: QColor, origin: QPointF, gap: float) -> None:
    """Fill an area with the ground and dots on it: one at `origin`, and the others `gap` pixels apart.

    An opaque tile is copied, which takes a tenth of a millisecond; single dots would take five."""
    ratio = painter.device().devicePixelRatio()
    tile = _tile(ground.name(), _dots(ground).name(QColor.NameFormat.HexArgb), round(gap * ratio, 6), ratio)
    half = gap / 2  # dots are in the middle of their cells, so that none is cut
    start = area.topLeft() - origin + QPointF(half, half)
    painter.drawTiledPixmap(area, tile, QPointF(_whole(start.x(), ratio), _whole(start.y(), ratio)))


def _dots(ground: QColor) -> QColor:
    look: Look = current_look()
    if ground == QColor(look.plane) and not look.high_contrast:
        return QColor(look.dots)
    made = text_colour_on(ground)
    made.setAlpha(3 * _FAINT if look.high_contrast else _FAINT)
    return made


def _whole(length: float, ratio: float) -> float:
    """Return a length as whole pixels of the screen, so that the tile stays sharp."""
    return round(length * ratio) / ratio


@lru_cache(maxsize=8)
def _tile(ground: str, dots: str, gap: float, ratio: float) -> QPixmap:
    """Make a tile of dots; `gap` is in pixels of the screen."""
    count = _cells(gap)
    side = max(1, round(count * gap))
    made = QPixmap(side, side)
    made.fill(QColor(ground))
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(dots))
    cell = side / count
    for column in range(count):
        for row in range(count):
            at = QPointF((column + 0.5) * cell, (row + 0.5) * cell)
            painter.drawEllipse(at, _DOT * ratio, _DOT * ratio)
    painter.end()
    made.setDevicePixelRatio(ratio)
    return made


def _cells(gap: float) -> int:
    """Return how many cells a tile has along each side, so that its side is almost a whole number of pixels:
    tiles are repeated, and each would move its dots by the rest."""
    most = max(1, int(_LARGEST_TILE / gap))
    rests = {count: abs(count * gap - round(count * gap)) / count for count in range(1, most + 1)}
    exact = [count for count, rest in rests.items() if rest * count <= _EXACT]
    return exact[0] if exact else min(rests, key=lambda count: rests[count])
