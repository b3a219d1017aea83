"""The sheet of a note as it is painted: its paper, and the marks of its lists."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QFontMetricsF,
    QLinearGradient,
    QPainter,
    QPen,
    QPolygonF,
    QTextBlock,
    QTextDocument,
)

from liven.liveobjects.look.tokens import NOTE_RADIUS, TYPE, Look, Paper
from liven.liveobjects.look.view.light import current_look, ground_look
from liven.liveobjects.look.view.marks import paint_line_inside
from liven.liveobjects.text.papers import CLEAR
from liven.liveobjects.text.view.formats import KIND, NUMBER

NO_LINE: Final = "#00000000"
_SHINE, _DUSK_SHINE = 0.16, 0.10
"""Share of white at the head of a sheet."""
_SHINE_END = 0.45
"""Where the sheet has its own colour, of its height."""
_BOX: Final = 16.0
"""The side of a check box beside letters of the usual size."""
_CORNER: Final = 0.3
"""The radius of a check box, of its side."""
_TICK: Final = ((4.2, 8.3), (7.0, 11.0), (11.9, 5.4))
"""The bends of a tick in a box of 16."""
_MIDDLE: Final = 0.34
"""Height of the middle of small letters above their line, of the size of the letters."""


def paper_of(name: str) -> Paper:
    """Return the colours of a paper in the light that applies now."""
    if name == CLEAR:
        ground = ground_look()
        return Paper(ground.plane, ground.ink, ground.quiet, NO_LINE)
    return current_look().papers[name]


def edge_of(name: str) -> str:
    """Return the colour of the hairline around a paper; a text without paper has none."""
    return paper_of(name).edge


def paint_sheet(painter: QPainter, area: QRectF, name: str) -> None:
    """Paint the paper itself, which is a little lighter at its head."""
    if name == CLEAR:
        return
    look = current_look()
    sheet = QColor(look.papers[name].sheet)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    if look.high_contrast:
        painter.setBrush(sheet)
    else:
        shine = QLinearGradient(area.topLeft(), area.bottomLeft())
        shine.setColorAt(0, _lighter(sheet, _DUSK_SHINE if look.dark else _SHINE))
        shine.setColorAt(_SHINE_END, sheet)
        painter.setBrush(shine)
    painter.drawRoundedRect(area, NOTE_RADIUS, NOTE_RADIUS)
    paint_line_inside(painter, area, NOTE_RADIUS, edge_of(name), look.edge_width)
    painter.restore()


def paint_marks(painter: QPainter, document: QTextDocument, seen: QRectF, paper: Paper) -> None:
    """Paint the boxes, dots and numbers of the list items in a part of a document."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    layout = document.documentLayout()
    start = layout.hitTest(QPointF(seen.left(), seen.top()), Qt.HitTestAccuracy.FuzzyHit)
    block = document.findBlock(max(0, start))
    while block.isValid() and layout.blockBoundingRect(block).top() <= seen.bottom():
        kind = block.blockFormat().property(KIND)
        if kind and block.layout().lineCount():
            _paint_mark(painter, block, str(kind), document.defaultFont(), paper)
        block = block.next()
    painter.restore()


def mark_area(block: QTextBlock, font: QFont) -> QRectF:
    """Return the square of a paragraph's mark, left of its first line."""
    line = block.layout().lineAt(0)
    left = block.layout().position().x() + line.x()
    pixels = QFontInfo(font).pixelSize()
    middle = block.layout().position().y() + line.y() + line.ascent() - _MIDDLE * pixels
    side = _BOX * pixels / TYPE["board"].size
    return QRectF(left - block.blockFormat().leftMargin() + 1, middle - side / 2, side, side)


def _paint_mark(painter: QPainter, block: QTextBlock, kind: str, font: QFont, paper: Paper) -> None:
    area = mark_area(block, font)
    if kind == "bullet":
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(paper.quiet))
        radius = 0.15 * area.width()
        painter.drawEllipse(QPointF(area.left() + 0.34 * area.width(), area.center().y()), radius, radius)
    elif kind == "number":
        _paint_number(painter, area, block, font, paper)
    else:
        _paint_box(painter, area, paper, current_look(), is_ticked=kind == "checked")


def _paint_number(painter: QPainter, area: QRectF, block: QTextBlock, font: QFont, paper: Paper) -> None:
    line = block.layout().lineAt(0)
    baseline = block.layout().position().y() + line.y() + line.ascent()
    words = f"{block.blockFormat().property(NUMBER) or 1}."
    painter.setFont(font)
    painter.setPen(QColor(paper.quiet))
    right = area.left() - 1 + block.blockFormat().leftMargin() - 0.3 * area.width()
    left = right - QFontMetricsF(font).horizontalAdvance(words)
    painter.drawText(QPointF(left, baseline), words)


def _paint_box(painter: QPainter, area: QRectF, paper: Paper, look: Look, *, is_ticked: bool) -> None:
    side = area.width()
    if not is_ticked:
        width = (2.0 if look.high_contrast else 1.6) * side / _BOX
        inside = area.adjusted(width / 2, width / 2, -width / 2, -width / 2)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(paper.quiet), width))
        painter.drawRoundedRect(inside, _CORNER * side, _CORNER * side)
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(paper.quiet))
    painter.drawRoundedRect(area, _CORNER * side, _CORNER * side)
    pen = QPen(QColor(paper.sheet), 0.12 * side)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    step = side / _BOX
    painter.drawPolyline(QPolygonF([area.topLeft() + QPointF(x * step, y * step) for x, y in _TICK]))


def _lighter(colour: QColor, share: float) -> QColor:
    red, green, blue = (
        math.floor(one + (255 - one) * share) for one in (colour.red(), colour.green(), colour.blue())
    )
    return QColor(red, green, blue)
