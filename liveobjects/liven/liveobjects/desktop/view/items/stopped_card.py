"""The card of an item that stopped: its last picture at a third, a red edge, and a strip that says what
happened, why, and what one can do."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from liven.liveobjects.look.contrast import mix
from liven.liveobjects.look.tokens import CARD_RADIUS, CONTROL_RADIUS, Look
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box, paint_line_inside
from liven.liveobjects.look.view.signs import Sign, paint_sign
from liven.liveobjects.view.face import CENTRE, paint_words, width_of, wrapped
from liven.liveobjects.view.zones import Zone

AGAIN, DETAILS, ASIDE = "stopped:again", "stopped:details", "stopped:aside"
_WORDS: Final = {AGAIN: "Start again", DETAILS: "Details", ASIDE: "Set aside"}
_ASK: Final = "Ask again"
_RIM: Final = 8.0
_TEXT: Final = 38.0
"""Where the words begin, beside the sign."""
_TITLE, _LINE, _BUTTON = 20.0, 17.0, 28.0
_NARROW: Final = 150.0
"""Below this width the words begin at the edge, and the sign is left out."""
_FADED: Final = 0.33
_LINES: Final = 2


class StoppedCard:
    """The card of one item."""

    def __init__(self, what: str, why: str, *, declined: bool = False) -> None:
        """`what` is a sentence, `why` its reason; a person `declined` the code of the item."""
        self._what, self._why, self._declined = what, why, declined

    def paint(self, painter: QPainter, area: QRectF, picture: QImage | None, source: QRectF) -> None:
        """Paint the card; the picture of it, if there is one, shows only a part, `source`."""
        look = current_look()
        painter.save()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
        paint_box(painter, area, CARD_RADIUS, look.card)
        if picture is not None:
            painter.setOpacity(_FADED)
            painter.drawImage(area, picture, source)
            painter.setOpacity(1)
        tone = look.line if self._declined else look.bad
        paint_line_inside(painter, area, CARD_RADIUS, tone, look.edge_width + 0.5)
        self._paint_strip(painter, area, look, tone)
        painter.restore()

    def zones(self, area: QRectF) -> tuple[Zone, ...]:
        """Return the buttons of the strip that fit."""
        strip, found = self._strip(area), list[Zone]()
        if strip.height() < _TITLE + _BUTTON + _RIM:
            return ()
        left, top = strip.left() + self._indent(area), strip.bottom() - _BUTTON - _RIM
        for key in (AGAIN,) if self._declined else _WORDS:
            words = _ASK if self._declined else _WORDS[key]
            wide = width_of(words, font("label")) + 22
            if left + wide > strip.right() - _RIM / 2:
                break
            found.append(Zone(key, QRectF(left, top, wide, _BUTTON), words, CONTROL_RADIUS - 1))
            left += wide + 6
        return tuple(found)

    def _indent(self, area: QRectF) -> float:
        return _RIM if area.width() < _NARROW else _TEXT

    def _lines(self, area: QRectF) -> tuple[str, ...]:
        room = max(1.0, area.width() - 2 * _RIM - self._indent(area) - _RIM)
        lines = wrapped(self._why, font("caption"), room)
        return (*lines[: _LINES - 1], " ".join(lines[_LINES - 1 :])) if len(lines) > _LINES else lines

    def _strip(self, area: QRectF) -> QRectF:
        wanted = _RIM + _TITLE + len(self._lines(area)) * _LINE + _RIM / 2 + _BUTTON + _RIM
        height = min(wanted, max(area.height() - 2 * _RIM, 0.0))
        return QRectF(area.left() + _RIM, area.bottom() - _RIM - height, area.width() - 2 * _RIM, height)

    def _paint_strip(self, painter: QPainter, area: QRectF, look: Look, tone: str) -> None:
        strip, indent = self._strip(area), self._indent(area)
        if strip.width() <= 0 or strip.height() < _LINE:
            return
        edge = tone if look.high_contrast else mix(look.popover, tone, 0.3)
        paint_box(painter, strip, CONTROL_RADIUS, look.popover, edge, look.edge_width)
        top, left, wide = strip.top() + _RIM, strip.left() + indent, strip.width() - indent - _RIM
        if indent == _TEXT:
            sign = Sign.INFO if self._declined else Sign.PROBLEM
            paint_sign(painter, QRectF(strip.left() + 12, top, 18, _TITLE), sign, 17, tone)
        paint_words(painter, QRectF(left, top, wide, _TITLE), self._what, font("strong"), look.ink)
        top += _TITLE
        zones = self.zones(area)
        foot = zones[0].area.top() if zones else strip.bottom()
        for line in self._lines(area):
            if top + _LINE > foot:
                break
            paint_words(painter, QRectF(left, top, wide, _LINE), line, font("caption"), look.quiet)
            top += _LINE
        for zone in zones:
            _paint_button(painter, zone, look)


def _paint_button(painter: QPainter, zone: Zone, look: Look) -> None:
    if zone.key == AGAIN:
        paint_box(painter, zone.area, zone.radius, look.ink)
        paint_words(painter, zone.area, zone.words, font("label"), look.popover, CENTRE)
        return
    edge = look.line if look.high_contrast else mix(look.edge, look.line, 0.5)
    paint_box(painter, zone.area, zone.radius, look.popover, edge, look.edge_width)
    painter.setPen(QColor(look.ink))
    paint_words(painter, zone.area, zone.words, font("label"), look.ink, CENTRE)
