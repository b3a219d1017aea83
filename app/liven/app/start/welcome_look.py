"""The look of the welcome desktop before it is opened for the first time."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from liven.app.start.pattern_picture import paint_pattern
from liven.app.start.patterns import Pattern, Sheet
from liven.app.welcome_desktop.content import NOTES
from liven.liveobjects.look.tokens import DEFAULT_PAPER
from liven.liveobjects.look.view.light import current_look

_RATIO = 2


def welcome_picture(width: int, height: int) -> QImage:
    """Return a drawing of the welcome desktop."""
    look = current_look()
    made = QImage(width * _RATIO, height * _RATIO, QImage.Format.Format_RGB32)
    made.fill(QColor(look.plane))
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(_RATIO, _RATIO)
    sheets = tuple(
        Sheet(one.key, one.place, ((one.title, {"heading": 3}), *one.lines), DEFAULT_PAPER) for one in NOTES
    )
    paint_pattern(painter, QRectF(0, 0, width, height), Pattern("Welcome", "", sheets), look)
    painter.end()
    return made


def welcome_words() -> str:
    """Return the words of the welcome desktop."""
    return "\n".join(f"{one.title}\n" + "\n".join(line for line, _ in one.lines) for one in NOTES)
