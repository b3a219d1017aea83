"""The contents of an empty desktop: three sheets, a sentence, and three buttons to begin with.

The picture and the words let every press through, so that a double-click anywhere writes a note; only the
buttons take presses.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from liven.liveobjects.desktop.view.islands.canvas_protocol import IslandCanvas
from liven.liveobjects.look.contrast import mix
from liven.liveobjects.look.tokens import CARD_RADIUS, NOTE_RADIUS, Look
from liven.liveobjects.look.view import shade
from liven.liveobjects.look.view.key_caps import cap_width, hints_width, paint_key_cap, paint_key_hints
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box, paint_ring
from liven.liveobjects.look.view.signs import Sign, paint_sign
from liven.liveobjects.view.face import CENTRE, paint_words

QUESTION: Final = "What is on your mind?"
SENTENCE: Final = "Double-click anywhere to add something. Whoever has this open sees it as you do it."
_HINTS: Final = (("/", "everything there is"), ("Ctrl V", "what you copied"), ("?", "all keys"))
_SHEETS: Final = (
    ("sky", -7.0, QRectF(-236, 16, 172, 150), "Where?", ("By the quay,", "if it is dry")),
    ("rose", 6.0, QRectF(62, 20, 172, 146), "Who?", ("Everybody", "who likes to")),
    ("sun", -1.0, QRectF(-84, 0, 168, 168), "Begin here", ("One line", "is enough.")),
)
_PICTURE_HEIGHT: Final = 196
_WORDS_HEIGHT: Final = 104
_TILE: Final = QSize(172, 92)
_GAP: Final = 14
_RIM: Final = 8
_HINTS_HEIGHT: Final = 44
_LEAST_ABOVE: Final = 76
"""Pixels above and below that the islands need."""


class EmptyBoard:
    """The parts, on one canvas."""

    def __init__(self, canvas: IslandCanvas, below: QWidget) -> None:
        self._canvas, self._below = canvas, below
        self.picture = _Picture(below)
        held = canvas.held_tool
        self.buttons = (
            _Tile("Write a note", Sign.NOTE, 5, below, key="N"),
            _Tile("Drop a picture", Sign.IMAGE, 6, below, key="I"),
            _Tile("Ask a question", Sign.VOTE, 4, below),
        )
        write, picture, ask = self.buttons
        write.clicked.connect(lambda: held.put("Note"))
        picture.clicked.connect(held.choose_pictures)
        ask.clicked.connect(lambda: held.put("Vote"))

    @property
    def is_wanted(self) -> bool:
        """True while the desktop is loaded and nothing is on it."""
        canvas = self._canvas
        return canvas.model.ready and not canvas.state.items and not canvas.drop_and_paste.is_reading

    def refresh(self) -> None:
        """Show or hide all parts, and place them in the middle."""
        wanted = self.is_wanted
        for one in (self.picture, *self.buttons):
            one.setVisible(wanted)
        if wanted:
            self._place()

    def _place(self) -> None:
        width, height = self._below.width(), self._below.height()
        room = height - 2 * _LEAST_ABOVE
        whole = _PICTURE_HEIGHT + _WORDS_HEIGHT + _TILE.height() + _HINTS_HEIGHT
        self.picture.has_sheets = room >= whole
        above = (_PICTURE_HEIGHT if self.picture.has_sheets else 0) + _WORDS_HEIGHT
        top = max(_LEAST_ABOVE, (height - above - _TILE.height() - _HINTS_HEIGHT) // 2)
        self.picture.setGeometry(0, top, width, above + _TILE.height() + _HINTS_HEIGHT)
        self.picture.lower()
        seen = [one for one in self.buttons if self._fits(one)]
        row = len(seen) * _TILE.width() + (len(seen) - 1) * _GAP
        for at, one in enumerate(seen):
            left = (width - row) // 2 + at * (_TILE.width() + _GAP)
            one.move(left - _RIM, top + above - _RIM)
        for one in self.buttons:
            one.setVisible(one in seen)

    def _fits(self, button: QAbstractButton) -> bool:
        at = self.buttons.index(button) + 1
        return at == 1 or at * (_TILE.width() + _GAP) <= self._below.width() - 2 * _RIM


class _Picture(QWidget):
    """The sheets and the words; presses go through to the plane."""

    def __init__(self, below: QWidget) -> None:
        super().__init__(below)
        self.has_sheets = True
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(f"{QUESTION} {SENTENCE}")

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top = 0.0
        if self.has_sheets:
            painter.save()
            painter.translate(self.width() / 2, 8)
            for paper, turn, area, title, lines in _SHEETS:
                _paint_sheet(painter, area, turn, paper, title, lines, look)
            painter.restore()
            top = _PICTURE_HEIGHT
        paint_words(painter, QRectF(0, top, self.width(), 44), QUESTION, font("display"), look.ink, CENTRE)
        sentence = QRectF(0, top + 46, self.width(), 26)
        paint_words(painter, sentence, SENTENCE, font("board"), look.quiet, CENTRE)
        wide = hints_width(_HINTS)
        line = QRectF((self.width() - wide) / 2, self.height() - _HINTS_HEIGHT + 16, wide + 4, 24)
        paint_key_hints(painter, line, _HINTS, look)
        painter.end()


def _paint_sheet(
    painter: QPainter, area: QRectF, turn: float, paper: str, title: str, lines: tuple[str, ...], look: Look
) -> None:
    colours = look.papers[paper]
    painter.save()
    painter.translate(area.center())
    painter.rotate(turn)
    sheet = QRectF(-area.width() / 2, -area.height() / 2, area.width(), area.height())
    shade.paint_shadow(painter, sheet, look.shadows.hover, NOTE_RADIUS)
    paint_box(painter, sheet, NOTE_RADIUS, colours.sheet, colours.edge, look.edge_width)
    row = QRectF(sheet.left() + 18, sheet.top() + 16, sheet.width() - 24, 28)
    paint_words(painter, row, title, font("heading2"), colours.ink)
    for number, words in enumerate(lines):
        line = row.translated(0, 34 + 27 * number)
        paint_words(painter, line, words, font("board"), colours.ink)
    painter.restore()


class _Tile(QAbstractButton):
    """A button with a sign on a tint, words below it, and the key that does the same."""

    def __init__(self, words: str, sign: Sign, hue: int, below: QWidget, *, key: str = "") -> None:
        super().__init__(below)
        self._sign, self._hue, self._key = sign, hue, key
        self.setText(words)
        self.setAccessibleName(words)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMousePropagation)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.resize(_TILE.width() + 2 * _RIM, _TILE.height() + 2 * _RIM)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(self.rect()).adjusted(_RIM, _RIM, -_RIM, -_RIM)
        over = self.underMouse() or self.isDown()
        shade.paint_shadow(painter, card, look.shadows.hover if over else look.shadows.rest, CARD_RADIUS)
        edge = look.select if over and look.high_contrast else look.edge
        paint_box(painter, card, CARD_RADIUS, look.card, edge, look.edge_width)
        if self.isDown():
            paint_box(painter, card, CARD_RADIUS, look.press)
        tile, hue = QRectF(card.left() + 12, card.top() + 12, 36, 36), look.hues[self._hue]
        ground = mix(look.card, hue, 0.22 if look.dark else 0.14)
        paint_box(painter, tile, 9, ground, look.edge if look.high_contrast else "", look.edge_width)
        paint_sign(painter, tile, self._sign, 19, hue, 1.9)
        words = QRectF(card.left() + 13, card.bottom() - 36, card.width() - 26, 24)
        paint_words(painter, words, self.text(), font("strong"), look.ink)
        if self._key:
            left = QPointF(card.right() - 12 - cap_width(self._key), tile.center().y())
            paint_key_cap(painter, left, self._key, look)
        if self.hasFocus():
            paint_ring(painter, card, CARD_RADIUS, look)
        painter.end()
