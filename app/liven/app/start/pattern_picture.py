"""The picture of a pattern: its sheets and arrows as they will lie, small."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from liven.app.start.patterns import Pattern, Sheet
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.look.tokens import CARD_RADIUS, NOTE_RADIUS, Look
from liven.liveobjects.look.view import shade
from liven.liveobjects.look.view.letters import sized
from liven.liveobjects.look.view.marks import paint_box
from liven.liveobjects.text.papers import CLEAR

_PAD: Final = 12.0
_STEP: Final = 14.0
_SIZES: Final = {0: 22.0, 1: 52.0, 2: 40.0, 3: 30.0}
"""Letters by heading, in pixels of the plane: larger than on the desktop, so that a small picture is read."""
_TIP: Final = 9.0
_CUT: Final = 1.7
"""A tall pattern is drawn up to this much larger than its place; its foot is cut off."""


def paint_dots(painter: QPainter, area: QRectF, look: Look) -> None:
    """Paint the grid of an empty plane."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(look.dots))
    for row in range(int(area.height() / _STEP) + 1):
        for column in range(int(area.width() / _STEP) + 1):
            at = QPointF(area.left() + (column + 0.5) * _STEP, area.top() + (row + 0.5) * _STEP)
            if area.contains(at):
                painter.drawEllipse(at, 0.8, 0.8)


def paint_pattern(painter: QPainter, area: QRectF, pattern: Pattern, look: Look) -> None:
    """Paint a pattern into an area."""
    places = {one.key: rect(one.place) for one in pattern.sheets}
    whole = QRectF()
    for place in places.values():
        whole |= place
    room = area.adjusted(_PAD, _PAD, -_PAD, -_PAD)
    wide, high = room.width() / whole.width(), room.height() / whole.height()
    scale = min(wide, high * _CUT)
    painter.save()
    painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
    painter.translate(room.center().x(), room.center().y() if scale <= high else room.top())
    painter.scale(scale, scale)
    painter.translate(-whole.center().x(), -whole.center().y() if scale <= high else -whole.top())
    for source, target in pattern.links:
        _paint_arrow(painter, places[source], places[target], look)
    for one in pattern.sheets:
        _paint_sheet(painter, one, places[one.key], look)
    painter.restore()


def _paint_sheet(painter: QPainter, sheet: Sheet, place: QRectF, look: Look) -> None:
    ink = look.ink
    if sheet.device:
        shade.paint_shadow(painter, place, look.shadows.rest, CARD_RADIUS)
        paint_box(painter, place, CARD_RADIUS, look.card, look.edge, 2)
        _paint_rows(painter, place, look)
    elif sheet.paper != CLEAR:
        paper = look.papers[sheet.paper]
        ink = paper.ink
        shade.paint_shadow(painter, place, look.shadows.rest, NOTE_RADIUS)
        paint_box(painter, place, NOTE_RADIUS, paper.sheet, paper.edge if look.high_contrast else "", 2)
    y = place.top() + (0 if sheet.paper == CLEAR else 14)
    for words, style in sheet.lines:
        heading = 3 if sheet.device else int(style.get("heading", 0))
        letters = sized(_SIZES[heading], 700 if heading else 400)
        high = QFontMetricsF(letters).height()
        if y + high > place.bottom():
            return
        mark = "☐ " if style.get("list") == "check" else "• " if style.get("list") else ""
        line = QRectF(place.left() + 16, y, place.width() - 24, high)
        painter.setFont(letters)
        painter.setPen(QColor(ink))
        seen = QFontMetricsF(letters).elidedText(mark + words, Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, seen)
        y += high + 6


def _paint_rows(painter: QPainter, place: QRectF, look: Look) -> None:
    """Paint the rows of a device, which hold no words yet."""
    y = place.top() + 66
    for share in (0.86, 0.6, 0.72, 0.5):
        if y + 30 > place.bottom() - 12:
            return
        row = QRectF(place.left() + 16, y, (place.width() - 32) * share, 30)
        paint_box(painter, row, 8, look.select_soft if share > 0.8 else look.faint, look.edge, 1)
        y += 44


def _paint_arrow(painter: QPainter, source: QRectF, target: QRectF, look: Look) -> None:
    """Paint an arrow with corners from the right side of a sheet to the left of another."""
    start = QPointF(source.right(), source.center().y())
    end = QPointF(target.left() - _TIP, target.center().y())
    middle = (start.x() + end.x()) / 2
    pen = QPen(QColor(look.quiet), 3.5)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF([start, QPointF(middle, start.y()), QPointF(middle, end.y()), end]))
    tip = QPointF(target.left() - 2, end.y())
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(look.quiet))
    painter.drawPolygon(
        QPolygonF(
            [tip, QPointF(tip.x() - 2 * _TIP, tip.y() - _TIP), QPointF(tip.x() - 2 * _TIP, tip.y() + _TIP)]
        )
    )
