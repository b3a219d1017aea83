"""The signs of the transport bar, drawn in the colour of the letters: play, pause, steps, A and B."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPalette, QPen, QPixmap, QPolygonF

SIZE = 18
_FINE = 2
"""Pixels of the drawing for each pixel of the sign, so that it is sharp on fine screens too."""
Draw = Callable[[QPainter], None]


def sign(name: str, palette: QPalette) -> QIcon:
    """Return a sign in the colours of a palette, enabled and disabled."""
    made = QIcon()
    for mode, group in (
        (QIcon.Mode.Normal, QPalette.ColorGroup.Active),
        (QIcon.Mode.Disabled, QPalette.ColorGroup.Disabled),
    ):
        made.addPixmap(_drawn(_DRAWN[name], palette.color(group, QPalette.ColorRole.ButtonText)), mode)
    return made


def _drawn(draw: Draw, colour: QColor) -> QPixmap:
    picture = QPixmap(SIZE * _FINE, SIZE * _FINE)
    picture.fill(Qt.GlobalColor.transparent)
    picture.setDevicePixelRatio(_FINE)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    draw(painter)
    painter.end()
    return picture


def _triangle(painter: QPainter, left: float, right: float) -> None:
    """Draw a triangle that points from its base to its tip."""
    points = [QPointF(left, 3.5), QPointF(left, 14.5), QPointF(right, 9)]
    painter.drawPolygon(QPolygonF(points))


def _bar(painter: QPainter, left: float) -> None:
    painter.drawRoundedRect(QRectF(left, 3.5, 2.5, 11), 1, 1)


def _play(painter: QPainter) -> None:
    _triangle(painter, 5, 15)


def _pause(painter: QPainter) -> None:
    _bar(painter, 4.5)
    _bar(painter, 11)


def _event_back(painter: QPainter) -> None:
    _bar(painter, 3.5)
    _triangle(painter, 14, 6.5)


def _event_on(painter: QPainter) -> None:
    _triangle(painter, 4, 11.5)
    _bar(painter, 12)


def _second_back(painter: QPainter) -> None:
    _triangle(painter, 9, 2)
    _triangle(painter, 16, 9)


def _second_on(painter: QPainter) -> None:
    _triangle(painter, 2, 9)
    _triangle(painter, 9, 16)


def _loop(painter: QPainter) -> None:
    colour = painter.brush().color()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour, 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawArc(QRectF(3.5, 3.5, 11, 11), 60 * 16, 290 * 16)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([QPointF(9.5, 0.8), QPointF(15, 4.2), QPointF(9.8, 7.6)]))


def _bookmark(painter: QPainter) -> None:
    points = [QPointF(5, 3), QPointF(13, 3), QPointF(13, 15.5), QPointF(9, 12), QPointF(5, 15.5)]
    painter.drawPolygon(QPolygonF(points))


_DRAWN: dict[str, Draw] = {
    "play": _play,
    "pause": _pause,
    "event back": _event_back,
    "event on": _event_on,
    "second back": _second_back,
    "second on": _second_on,
    "loop": _loop,
    "bookmark": _bookmark,
}
