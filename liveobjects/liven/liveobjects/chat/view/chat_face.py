"""The face of a chat: its name and who wrote last, the newest messages as bubbles, and the field at the foot.

Messages of one person that follow each other stand together, with one name, time and avatar. The own ones
are at the right. The newest message is always seen; where there is little room, the field goes first, and
then the title.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from PySide6.QtCore import QDateTime, QLocale, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter

from liven.liveobjects.chat.model import LONGEST_LINE, LONGEST_NAME, Line, Talk
from liven.liveobjects.look.contrast import mix
from liven.liveobjects.look.tokens import CARD_RADIUS, ISLAND_RADIUS, SMALLEST_HIT, Look
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.marks import paint_box
from liven.liveobjects.look.view.signs import Sign, paint_sign
from liven.liveobjects.view.avatars import (
    Face,
    initials,
    paint_avatar,
    paint_avatars,
    tone_of,
    width_of_avatars,
)
from liven.liveobjects.view.face import (
    PAD,
    RIGHT,
    card,
    line_height,
    paint_sentence,
    paint_title,
    paint_words,
    width_of,
    wrapped,
)
from liven.liveobjects.view.loading import NOT_LOADED
from liven.liveobjects.view.zones import Role, Zone
from liven.runtime.foreign_text import shown_line, shown_lines

HEAD: Final = 45.0
"""Height of the title with the line below."""
FIELD: Final = 36.0
_FIELD_SPACE: Final = 10.0
_TITLED: Final = 96.0
_WITH_FIELD: Final = 150.0
_PAINTED: Final = 60
"""The most messages that are laid out; a large card shows about forty."""
_AVATAR: Final = 24.0
_SMALL: Final = 22.0
_STEP: Final = 18.0
_MOST_WRITERS: Final = 3
_INDENT: Final = 32.0
_BUBBLE: Final = 12.0
"""Space between the edge of a bubble and its words, at the sides."""
_NAME: Final = 18.0
_APART: Final = 8.0
_TOGETHER: Final = 3.0
_FADE: Final = 22.0
MESSAGE: Final = "message"
"""The key of the field."""
SAY: Final = "Say something…"
EMPTY: Final = "Nobody has said anything yet. Double-click to write."


@dataclass(frozen=True, slots=True)
class _Bubble:
    """One message with its place."""

    line: Line
    rows: tuple[str, ...]
    place: QRectF
    own: bool
    first: bool
    """True for the first of several messages of one person."""
    last: bool


@dataclass(frozen=True, slots=True)
class ChatFace:
    """The face of a chat in one state."""

    talk: Talk
    person: str
    """The key of the person at this computer."""
    name: str
    loading: bool

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint the face into an area."""
        with card(painter, area) as look:
            titled = area.height() >= _TITLED
            field = self._field(area)
            room = self._room(area, field)
            said = self._newest()
            if said:
                self._paint_bubbles(painter, room, said, look)
                if titled:
                    _paint_fade(painter, room, look)
            else:
                words = NOT_LOADED if self.loading else EMPTY
                paint_sentence(painter, room.adjusted(PAD, 0, -PAD, 0), words, look)
            if titled:
                self._paint_head(painter, area, said, look)
            if field is not None:
                _paint_field(painter, field, look)

    def zones(self, area: QRectF) -> tuple[Zone, ...]:
        """Return the field at the foot, if there is room for it."""
        field = self._field(area)
        if field is None or self.loading:
            return ()
        words = field.adjusted(0, 0, -SMALLEST_HIT - 6, 0)
        return (Zone(MESSAGE, words, SAY, CARD_RADIUS, Role.FIELD, longest=LONGEST_LINE),)

    def _newest(self) -> tuple[Line, ...]:
        """Return the newest messages, oldest first, without copying a long chat."""
        keys = tuple(islice(reversed(self.talk.order), _PAINTED))
        return tuple(self.talk.lines[key] for key in reversed(keys))

    def _field(self, area: QRectF) -> QRectF | None:
        if area.height() < _WITH_FIELD:
            return None
        space = _FIELD_SPACE
        return QRectF(area.left() + space, area.bottom() - space - FIELD, area.width() - 2 * space, FIELD)

    def _room(self, area: QRectF, field: QRectF | None) -> QRectF:
        """Return the area of the messages."""
        top = area.top() + (HEAD if area.height() >= _TITLED else 4.0)
        foot = area.bottom() - _APART if field is None else field.top() - _APART
        return QRectF(area.left(), top, area.width(), max(0.0, foot - top))

    def _paint_head(self, painter: QPainter, area: QRectF, said: Sequence[Line], look: Look) -> None:
        people = _writers(said, look)
        taken = width_of_avatars(len(people), _SMALL, _STEP)
        if area.width() - 2 * PAD - taken < 80:
            people, taken = (), 0.0
        title = QRectF(area.left(), area.top(), area.width() - (taken + 8 if people else 0), HEAD)
        paint_title(painter, title, self.name, look)
        corner = QPointF(area.right() - PAD, area.top() + 11)
        paint_avatars(painter, corner, _SMALL, _STEP, people, look, look.card)
        line = QRectF(area.left(), area.top() + HEAD - 1, area.width(), 1)
        painter.fillRect(line, QColor(look.rule))

    def _paint_bubbles(self, painter: QPainter, room: QRectF, said: Sequence[Line], look: Look) -> None:
        painter.save()
        painter.setClipRect(room, Qt.ClipOperation.IntersectClip)
        for bubble in self._bubbles(room, said):
            _paint_bubble(painter, room, bubble, look)
        painter.restore()

    def _bubbles(self, room: QRectF, said: Sequence[Line]) -> list[_Bubble]:
        """Lay out the messages from the newest upwards, as far as they are seen."""
        made, high = font("body"), line_height("body")
        found: list[_Bubble] = []
        foot = room.bottom()
        narrow = room.width() < 160
        indent = 0.0 if narrow else _INDENT
        widest = max(20.0, room.width() - 2 * PAD - indent - 2 * _BUBBLE)
        for at in range(len(said) - 1, -1, -1):
            line = said[at]
            own = bool(self.person) and line.person == self.person
            rows = wrapped(shown_lines(line.text), made, widest)
            wide = max(width_of(row, made) for row in rows) + 2 * _BUBBLE + 1
            tall = len(rows) * high + 14
            left = room.right() - PAD - wide if own else room.left() + PAD + indent
            first = at == 0 or said[at - 1].person != line.person
            last = at == len(said) - 1 or said[at + 1].person != line.person
            found.append(_Bubble(line, rows, QRectF(left, foot - tall, wide, tall), own, first, last))
            foot -= tall + (_NAME + _APART if first else _TOGETHER)
            if foot < room.top():
                break
        return found


def _paint_bubble(painter: QPainter, room: QRectF, bubble: _Bubble, look: Look) -> None:
    place, made, high = bubble.place, font("body"), line_height("body")
    if look.high_contrast:
        edge = look.select if bubble.own else look.edge
        paint_box(painter, place, CARD_RADIUS, look.card, edge, look.edge_width)
    else:
        paint_box(painter, place, ISLAND_RADIUS, look.select_soft if bubble.own else look.faint)
    for number, row in enumerate(bubble.rows):
        words = QRectF(place.left() + _BUBBLE, place.top() + 7 + number * high, place.width(), high)
        paint_words(painter, words, row, made, look.ink)
    who = _face(bubble.line, look)
    if bubble.last and not bubble.own and place.left() >= room.left() + PAD + _INDENT:
        corner = QPointF(room.left() + PAD - 2, place.bottom() - _AVATAR)
        paint_avatar(painter, corner, _AVATAR, who, look)
    if bubble.first:
        _paint_author(painter, room, bubble, who, look)


def _paint_author(painter: QPainter, room: QRectF, bubble: _Bubble, who: Face, look: Look) -> None:
    """Paint name and time above a message; above an own one the time alone."""
    row = QRectF(room.left() + PAD, bubble.place.top() - _NAME, room.width() - 2 * PAD, _NAME - 2)
    small, bold, clock = font("caption"), font("label"), _clock(bubble.line)
    if bubble.own:
        paint_words(painter, row, clock, small, look.quiet, RIGHT)
        return
    row.setLeft(bubble.place.left() + 2)
    name = shown_line(bubble.line.name[:LONGEST_NAME]) or "Somebody"
    beside = width_of(clock, small) + 1
    wide = min(width_of(name, bold) + 1, max(0.0, row.width() - beside - 7))
    paint_words(painter, QRectF(row.left(), row.top(), wide, row.height()), name, bold, who.tone)
    paint_words(
        painter, QRectF(row.left() + wide + 7, row.top(), beside, row.height()), clock, small, look.quiet
    )


def _paint_field(painter: QPainter, field: QRectF, look: Look) -> None:
    edge = look.line if look.high_contrast else mix(look.edge, look.line, 0.5)
    paint_box(painter, field, CARD_RADIUS, look.head if look.dark else look.card, edge, look.edge_width)
    send = QRectF(field.right() - SMALLEST_HIT - 6, field.top() + 4, SMALLEST_HIT, SMALLEST_HIT)
    words = QRectF(field.left() + 12, field.top(), send.left() - field.left() - 16, field.height())
    paint_words(painter, words, SAY, font("body"), look.quiet)
    if field.width() > 2 * SMALLEST_HIT:
        paint_sign(painter, send, Sign.SEND, 17, look.select, 1.9)


def _paint_fade(painter: QPainter, room: QRectF, look: Look) -> None:
    """Let earlier messages fade away below the title."""
    if look.high_contrast or room.height() < 3 * _FADE:
        return
    clear = QColor(look.card)
    clear.setAlpha(0)
    fade = QLinearGradient(0, room.top(), 0, room.top() + _FADE)
    fade.setColorAt(0, QColor(look.card))
    fade.setColorAt(1, clear)
    painter.fillRect(QRectF(room.left(), room.top(), room.width(), _FADE), fade)


def _writers(said: Sequence[Line], look: Look) -> tuple[Face, ...]:
    """Return the people who wrote last, the newest first, each once."""
    people: dict[str, Face] = {}
    for line in reversed(said):
        people.setdefault(line.person or line.name, _face(line, look))
    return tuple(islice(people.values(), _MOST_WRITERS))


def _face(line: Line, look: Look) -> Face:
    return Face(initials(shown_line(line.name[:LONGEST_NAME])), tone_of(look, line.colour))


def _clock(line: Line) -> str:
    """Return the time of a message, as this computer writes times."""
    when = QDateTime.fromMSecsSinceEpoch(max(0, min(line.when, 2**52)))
    return QLocale().toString(when.time(), QLocale.FormatType.ShortFormat)
