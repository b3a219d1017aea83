"""Parts of painted faces: the ground of a card, its title, lines of words, and a sentence for an empty one.

A face is painted in its natural size, in pixels of the plane; the desktop scales the painter. All colours
and letters are tokens, so that a face is legible in each light.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextLayout, QTextOption

from liven.liveobjects.look.tokens import Look
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look

PAD: Final = 14.0
"""Space between the edge of a card and its content."""
TITLE_TOP: Final = 10.0
TITLE_HEIGHT: Final = 24.0
_NARROWEST_TITLE: Final = 60.0
"""A title that has less room than this stands alone, without facts beside it."""
LEFT: Final = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
RIGHT: Final = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
CENTRE: Final = Qt.AlignmentFlag.AlignCenter
_LINES_MOST: Final = 400
"""Lines of one text that are laid out: more would not be seen."""


@contextmanager
def card(painter: QPainter, area: QRectF) -> Iterator[Look]:
    """Paint the ground of a card, and give the look for its content, which is cut off at the area."""
    look = current_look()
    painter.save()
    try:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
        painter.fillRect(area, QColor(look.card))
        yield look
    finally:
        painter.restore()


def paint_words(
    painter: QPainter, area: QRectF, words: str, made: QFont, ink: str, align: Qt.AlignmentFlag = LEFT
) -> None:
    """Paint words on one line, cut with an ellipsis where they do not fit."""
    if area.width() <= 0 or area.height() <= 0:
        return
    seen = QFontMetricsF(made).elidedText(words, Qt.TextElideMode.ElideRight, area.width() + 0.5)
    painter.setFont(made)
    painter.setPen(QColor(ink))
    painter.drawText(area, align | Qt.TextFlag.TextSingleLine, seen)


def width_of(words: str, made: QFont) -> float:
    """Return the width of words on one line."""
    return QFontMetricsF(made).horizontalAdvance(words)


def paint_title(painter: QPainter, area: QRectF, words: str, look: Look, facts: str = "") -> None:
    """Paint the title row of a card: what it is at the left, and facts at the right if they fit."""
    row = title_row(area)
    small = font("caption")
    beside = width_of(facts, small) + 1 if facts else 0.0
    if row.width() - beside < _NARROWEST_TITLE:
        beside = 0.0
    if beside:
        right = QRectF(row.right() - beside, row.top(), beside, row.height())
        paint_words(painter, right, facts, small, look.quiet, RIGHT)
        row.setRight(right.left() - 8)
    paint_words(painter, row, words, font("title"), look.ink)


def title_row(area: QRectF) -> QRectF:
    """Return the place of the title in a card."""
    return QRectF(area.left() + PAD, area.top() + TITLE_TOP, max(0.0, area.width() - 2 * PAD), TITLE_HEIGHT)


def paint_sentence(painter: QPainter, area: QRectF, words: str, look: Look) -> None:
    """Paint a sentence in the middle of an area: what to do with an empty object. It has as many lines as
    fit."""
    made = font("body")
    height = float(line_height("body"))
    lines = wrapped(words, made, max(1.0, area.width()))
    room = max(1, int(area.height() // height))
    if area.height() < height:
        return
    top = area.center().y() - min(len(lines), room) * height / 2
    for number, line in enumerate(lines[:room]):
        last = number == room - 1 and len(lines) > room
        row = QRectF(area.left(), top + number * height, area.width(), height)
        paint_words(painter, row, line + " …" if last else line, made, look.quiet, CENTRE)


def line_height(role: str) -> int:
    """Return the height of a line of the letters of a role, which grows with the font's own."""
    return max(1, round(QFontMetricsF(font(role)).height()))


@lru_cache(maxsize=1024)
def wrapped(words: str, made: QFont, width: float) -> tuple[str, ...]:
    """Return the lines of a text in a width. A word that is wider than a line is broken."""
    found: list[str] = []
    for paragraph in words.split("\n"):
        found.extend(_lines(paragraph, made, width) or ("",))
        if len(found) >= _LINES_MOST:
            break
    return tuple(found[:_LINES_MOST])


def _lines(paragraph: str, made: QFont, width: float) -> tuple[str, ...]:
    layout = QTextLayout(paragraph, made)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    found: list[str] = []
    # Qt counts in UTF-16, where a character beyond the first plane has two units
    units = paragraph.encode("utf-16-le", "surrogatepass")
    while (line := layout.createLine()).isValid() and len(found) < _LINES_MOST:
        line.setLineWidth(width)
        start, end = 2 * line.textStart(), 2 * (line.textStart() + line.textLength())
        found.append(units[start:end].decode("utf-16-le", "replace").rstrip())
    layout.endLayout()
    return tuple(found)


def middle(area: QRectF, side: float) -> QRectF:
    """Return a square in the middle of an area."""
    corner = area.center() - QPointF(side / 2, side / 2)
    return QRectF(corner.x(), corner.y(), side, side)
