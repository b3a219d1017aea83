"""Key caps: the names of keys as small keys, in hints at the foot of popovers and in fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from liven.liveobjects.look.tokens import Look
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.marks import paint_box

HEIGHT: Final = 20.0
_LEAST, _PAD, _RADIUS = 20.0, 6.0, 5.0
_AFTER_CAP, _AFTER_WORDS = 7.0, 18.0


def cap_width(key: str) -> float:
    """Return the width of a key cap."""
    return max(_LEAST, QFontMetricsF(font("micro", 500)).horizontalAdvance(key) + 2 * _PAD)


def paint_key_cap(painter: QPainter, left: QPointF, key: str, look: Look) -> float:
    """Paint a key cap from the middle of its left side, and return its width."""
    wide = cap_width(key)
    area = QRectF(left.x(), left.y() - HEIGHT / 2, wide, HEIGHT)
    paint_box(painter, area, _RADIUS, look.faint, look.edge, look.edge_width)
    painter.setFont(font("micro", 500))
    painter.setPen(QColor(look.quiet))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, key)
    return wide


def hints_width(hints: Iterable[tuple[str, str]]) -> float:
    """Return the width of key hints."""
    letters = QFontMetricsF(font("caption"))
    wide = sum(
        cap_width(key) + _AFTER_CAP + letters.horizontalAdvance(words) + _AFTER_WORDS for key, words in hints
    )
    return max(0.0, wide - _AFTER_WORDS)


def paint_key_hints(painter: QPainter, area: QRectF, hints: Iterable[tuple[str, str]], look: Look) -> None:
    """Paint keys with what they do, in one line; those for which there is no room are left out."""
    letters = font("caption")
    x, middle = area.left(), area.center().y()
    for key, words in hints:
        wide = QFontMetricsF(letters).horizontalAdvance(words)
        if x + cap_width(key) + _AFTER_CAP + wide > area.right():
            return
        x += paint_key_cap(painter, QPointF(x, middle), key, look) + _AFTER_CAP
        painter.setFont(letters)
        painter.setPen(QColor(look.quiet))
        line = QRectF(x, area.top(), wide + 2, area.height())
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        x += wide + _AFTER_WORDS
