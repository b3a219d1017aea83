"""The face of a counter: its name, and a large number between two buttons.

Where there is little room, first the name goes, then the letters are smaller, and last the buttons go.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from liven.liveobjects.look.tokens import CARD_RADIUS, SMALLEST_HIT, TOOL, TYPE, Look
from liven.liveobjects.look.view.letters import sized
from liven.liveobjects.look.view.marks import paint_box
from liven.liveobjects.look.view.signs import Sign, paint_sign
from liven.liveobjects.view.face import (
    CENTRE,
    PAD,
    TITLE_HEIGHT,
    TITLE_TOP,
    card,
    paint_title,
    paint_words,
    width_of,
)
from liven.liveobjects.view.loading import NOT_LOADED
from liven.liveobjects.view.zones import Zone

LESS: Final = "less"
MORE: Final = "more"
_TITLED: Final = 88.0
"""The least height of a face with a name."""
_SMALLEST_NUMBER: Final = 16.0
"""The letters, in pixels, under which the buttons go."""
_LEAST: Final = 8.0


@dataclass(frozen=True, slots=True)
class CounterFace:
    """The face of a counter in one state."""

    number: str
    """The number in words, or the sign of one that is not loaded."""
    name: str

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint the face into an area."""
        with card(painter, area) as look:
            if area.height() >= _TITLED:
                paint_title(painter, area, self.name, look)
            buttons = self._buttons(area)
            for zone, sign in zip(buttons, (Sign.DASH, Sign.PLUS), strict=False):
                edge = look.edge if look.high_contrast else ""
                paint_box(painter, zone.area, CARD_RADIUS, look.faint, edge, look.edge_width)
                paint_sign(painter, zone.area, sign, 18, look.ink)
            self._paint_number(painter, self._between(area, buttons), look)

    def zones(self, area: QRectF) -> tuple[Zone, ...]:
        """Return the two buttons, or nothing where they have no room."""
        return self._buttons(area)

    def _room(self, area: QRectF) -> QRectF:
        """Return the area of number and buttons."""
        top = TITLE_TOP + TITLE_HEIGHT + 4 if area.height() >= _TITLED else 4.0
        foot = PAD if area.height() >= _TITLED + PAD else 4.0
        return area.adjusted(PAD, top, -PAD, -foot)

    def _buttons(self, area: QRectF) -> tuple[Zone, ...]:
        room = self._room(area)
        side = min(float(TOOL), room.height())
        between = room.width() - 2 * side
        if side < SMALLEST_HIT or self._letters(between, room.height()) < _SMALLEST_NUMBER:
            return ()
        top = room.center().y() - side / 2
        less = QRectF(room.left(), top, side, side)
        more = QRectF(room.right() - side, top, side, side)
        return (
            Zone(LESS, less, "Subtract 1", CARD_RADIUS),
            Zone(MORE, more, "Add 1", CARD_RADIUS),
        )

    def _between(self, area: QRectF, buttons: tuple[Zone, ...]) -> QRectF:
        room = self._room(area)
        if not buttons:
            return room
        left, right = buttons[0].area.right(), buttons[1].area.left()
        return QRectF(left, room.top(), right - left, room.height())

    def _letters(self, width: float, height: float) -> float:
        """Return the size of letters at which the number fits, at most that of the look."""
        whole = TYPE["number"]
        if width <= 0 or height <= 0:
            return 0.0
        wide = width_of(self.number, sized(whole.size, whole.weight)) + 8
        return min(float(whole.size), whole.size * width / wide, height * whole.size / whole.line)

    def _paint_number(self, painter: QPainter, room: QRectF, look: Look) -> None:
        size = self._letters(room.width(), room.height())
        if size < _LEAST:
            return
        made = sized(int(size), TYPE["number"].weight)
        ink = look.quiet if self.number == NOT_LOADED else look.ink
        paint_words(painter, room, self.number, made, ink, CENTRE)
