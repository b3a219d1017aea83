"""Avatars: a person as a disc in their colour with the first letters of their name."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from liven.liveobjects.look.tokens import Look
from liven.liveobjects.look.view.letters import sized
from liven.liveobjects.look.view.signs import Sign, paint_sign
from liven.liveobjects.view.face import CENTRE, paint_words

GREY_BELOW: Final = 40
"""The saturation, of 255, under which a colour has no hue to go by."""
_SMALLEST_LETTERS: Final = 16.0
"""A smaller disc shows its colour alone."""
_RIM: Final = 2.0


class Face(NamedTuple):
    """A person as faces of objects show them: the letters, and the colour as one of the look's people."""

    letters: str
    """Empty for somebody whose name is not known."""
    tone: str


def initials(name: str) -> str:
    """Return the first letters of the first two words of a name; empty for an empty name."""
    return "".join(word[:1] for word in name.split())[:2].upper()


def tone_of(look: Look, colour: str) -> str:
    """Return the colour of the look's people that is nearest in hue to the one that a person has chosen.

    So a name is legible in each light, whatever colour its owner sends."""
    wanted = QColor(colour[:20])
    if not wanted.isValid() or wanted.saturation() < GREY_BELOW:
        return look.people[-1]
    return min(look.people[:-1], key=lambda one: _apart(QColor(one).hue(), wanted.hue()))


def tone_of_key(look: Look, key: str) -> str:
    """Return a colour for a person of whom only the key is known."""
    return look.people[blake2b(key.encode("utf-8", "replace"), digest_size=1).digest()[0] % len(look.people)]


def paint_avatar(painter: QPainter, at: QPointF, size: float, who: Face, look: Look, rim: str = "") -> None:
    """Paint a person with the upper left corner at a point; with a rim in the colour of the ground, where
    discs overlap."""
    disc = QRectF(at.x(), at.y(), size, size)
    painter.setPen(Qt.PenStyle.NoPen)
    if rim:
        painter.setBrush(QColor(rim))
        painter.drawEllipse(disc.adjusted(-_RIM, -_RIM, _RIM, _RIM))
    painter.setBrush(QColor(who.tone))
    painter.drawEllipse(disc)
    if size < _SMALLEST_LETTERS:
        return
    if who.letters:
        share = 0.5 if len(who.letters) == 1 else 0.42
        paint_words(painter, disc, who.letters, sized(size * share, 600), look.on_people, CENTRE)
    else:
        paint_sign(painter, disc, Sign.PERSON, round(size * 0.6), look.on_people, 2.2)


def paint_avatars(
    painter: QPainter,
    right: QPointF,
    size: float,
    step: float,
    people: tuple[Face, ...],
    look: Look,
    rim: str,
) -> None:
    """Paint people side by side, the first at the left and above the others; `right` is the upper right
    corner of the last."""
    left = right.x() - width_of_avatars(len(people), size, step)
    for number, one in reversed(tuple(enumerate(people))):
        paint_avatar(painter, QPointF(left + number * step, right.y()), size, one, look, rim)


def width_of_avatars(count: int, size: float, step: float) -> float:
    """Return the width of people side by side."""
    return size + step * (count - 1) if count else 0.0


def _apart(one: int, other: int) -> int:
    """Return how far two hues are apart, in degrees of the circle."""
    way = abs(one - other) % 360
    return min(way, 360 - way)
