"""The tile of a pattern, with which a desktop begins."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF
from PySide6.QtGui import (
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QWidget

from liven.app.start.pattern_picture import paint_dots, paint_pattern
from liven.app.start.patterns import Pattern
from liven.app.start.tile import Tile
from liven.liveobjects.look.tokens import CARD_RADIUS, Look
from liven.liveobjects.look.view import shade
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box, paint_ring
from liven.liveobjects.look.view.signs import Sign, paint_sign
from liven.liveobjects.view.face import paint_words

HEIGHT: Final = 166
_WELL_HEIGHT: Final = 94


class PatternTile(Tile):
    """A pattern, with a small drawing of it."""

    def __init__(self, pattern: Pattern, below: QWidget) -> None:
        super().__init__(below)
        self.pattern = pattern
        self.setText(pattern.name)
        self.setAccessibleName(f"New: {pattern.name}, {pattern.words}")

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        card = self.inside()
        layers = look.shadows.hover if self.underMouse() else look.shadows.rest
        shade.paint_shadow(painter, card, layers, CARD_RADIUS)
        paint_box(painter, card, CARD_RADIUS, look.card, look.edge, look.edge_width)
        well = QRectF(card.left() + 6, card.top() + 6, card.width() - 12, _WELL_HEIGHT)
        paint_box(painter, well, 7, look.plane)
        if self.pattern.sheets:
            paint_pattern(painter, well, self.pattern, look)
        else:
            self._paint_plus(painter, well, look)
        name = QRectF(card.left() + 14, card.top() + 104, card.width() - 24, 22)
        paint_words(painter, name, self.pattern.name, font("strong"), look.ink)
        words = QRectF(name.left(), card.top() + 123, name.width(), 18)
        paint_words(painter, words, self.pattern.words, font("caption"), look.quiet)
        if self.hasFocus():
            paint_ring(painter, card, CARD_RADIUS, look)
        painter.end()

    def _paint_plus(self, painter: QPainter, well: QRectF, look: Look) -> None:
        paint_dots(painter, well, look)
        disc = QRectF(0, 0, 34, 34)
        disc.moveCenter(well.center())
        paint_box(painter, disc, 17, look.accent)
        paint_sign(painter, disc, Sign.PLUS, 18, look.on_accent, 2.2)
