"""The face of a vote: the question, a row with a bar for each answer, and the people who chose it.

Where there is little room, first the line at the foot goes, then the avatars, then rows are lower, and last
of all the answers at the end are counted instead of shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath

from liven.liveobjects.look.contrast import mix
from liven.liveobjects.look.tokens import CONTROL_RADIUS, SMALLEST_HIT, Look
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.marks import paint_box, paint_line_inside
from liven.liveobjects.look.view.signs import Sign, paint_sign
from liven.liveobjects.view.avatars import Face, paint_avatars, width_of_avatars
from liven.liveobjects.view.face import (
    PAD,
    RIGHT,
    card,
    middle,
    paint_sentence,
    paint_title,
    paint_words,
    title_row,
    width_of,
)
from liven.liveobjects.view.loading import NOT_LOADED
from liven.liveobjects.view.zones import Role, Zone
from liven.liveobjects.vote.model import LONGEST, Offer, Poll
from liven.runtime.foreign_text import shown_line

ROW: Final = 40.0
GAP: Final = 6.0
FOOT: Final = 32.0
HEAD: Final = 64.0
"""Height of question and number of votes, with the space below."""
_LOW_HEAD: Final = 40.0
"""The same without the number of votes."""
_FACTS: Final = 18.0
_FULL_BAR: Final = 0.94
"""A bar never fills its row, so that one sees that it is a bar."""
_AVATAR: Final = 22.0
_STEP: Final = 18.0
_MOST_AVATARS: Final = 4
_RING: Final = 18.0
_LEAST_WORDS: Final = 90.0
"""The width that an answer keeps beside avatars."""
_HIGH_BAR: Final = 6.0
_MORE: Final = 18.0
"""Height of the line that counts the answers that do not fit."""
ADD: Final = "Add an answer"
ANOTHER: Final = ""
"""The key of the field for another answer; no answer has it."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """The places in a face of one size."""

    head: float
    rows: tuple[QRectF, ...]
    hidden: int
    foot: QRectF | None


@dataclass(frozen=True, slots=True)
class VoteFace:
    """The face of a vote in one state."""

    poll: Poll
    mine: str
    """The key of the own answer."""
    name: str
    """Stands where there is no question."""
    loading: bool
    faces: Callable[[str, Look], Face]
    """Returns the face of a person, by key."""

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint the face into an area."""
        with card(painter, area) as look:
            question = shown_line(self.poll.question)
            paint_title(painter, area, question or (NOT_LOADED if self.loading else self.name), look)
            if self.loading and not self.poll.answers:
                return
            layout = self._layout(area)
            if layout.head == HEAD:
                top = QRectF(area.left() + PAD, title_row(area).bottom(), area.width() - 2 * PAD, _FACTS)
                paint_words(painter, top, self._facts(), font("caption"), look.quiet)
            if not self.poll.answers:
                room = area.adjusted(PAD, layout.head, -PAD, -PAD)
                paint_sentence(painter, room, self._invitation(), look)
                return
            self._paint_rows(painter, layout, look)
            self._paint_foot(painter, layout, area, look)

    def zones(self, area: QRectF) -> tuple[Zone, ...]:
        """Return the zones: each answer that is shown, and the field for another one."""
        counted, layout = self.poll.counted(), self._layout(area)
        answers = (
            Zone(
                answer.key,
                row,
                f"{shown_line(answer.text)}: {counted[answer.key]}",
                role=Role.CHOICE,
                is_on=answer.key == self.mine,
            )
            for answer, row in zip(self.poll.answers, layout.rows, strict=False)
        )
        if layout.foot is None:
            return tuple(answers)
        return (*answers, Zone(ANOTHER, layout.foot, ADD, role=Role.FIELD, longest=LONGEST))

    def _facts(self) -> str:
        said = len(self.poll.voices)
        return "Nobody has voted yet" if not said else f"{said:,} {'has' if said == 1 else 'have'} voted"

    def _invitation(self) -> str:
        if self.poll.question:
            return "Double-click to add the first answer."
        return "Double-click to ask a question and add answers."

    def _layout(self, area: QRectF) -> _Layout:
        """Return the places of the answers, as high as there is room."""
        count = len(self.poll.answers)
        if not count:
            return _Layout(
                HEAD if area.height() >= HEAD + PAD and self.poll.question else _LOW_HEAD, (), 0, None
            )
        end = area.bottom() - GAP
        head = HEAD if area.top() + HEAD + _needed(count, SMALLEST_HIT) <= end else _LOW_HEAD
        top = area.top() + head
        room = max(0.0, end - top)
        row = max(float(SMALLEST_HIT), min(ROW, (room + GAP) / count - GAP))
        seen = count
        if _needed(count, row) > room:
            seen = max(0, int((room - _MORE + GAP) // (row + GAP)))
        width = max(0.0, area.width() - 2 * PAD)
        rows = tuple(QRectF(area.left() + PAD, top + n * (row + GAP), width, row) for n in range(seen))
        foot = None
        if rows and seen == count and rows[-1].bottom() + GAP + FOOT <= area.bottom():
            foot = QRectF(rows[-1].left(), rows[-1].bottom() + GAP, width, FOOT)
        return _Layout(head, rows, count - seen, foot)

    def _paint_rows(self, painter: QPainter, layout: _Layout, look: Look) -> None:
        counted = self.poll.counted()
        most = max(1, *counted.values())
        chosen: dict[str, list[str]] = {}
        for person, key in self.poll.voices.items():
            people = chosen.setdefault(key, [])
            if len(people) < _MOST_AVATARS:
                people.append(person)
        for answer, row in zip(self.poll.answers, layout.rows, strict=False):
            people = chosen.get(answer.key, [])
            faces = tuple(self.faces(one, look) for one in people)
            self._paint_row(
                painter, row, answer, counted[answer.key], counted[answer.key] / most, faces, look
            )

    def _paint_row(
        self,
        painter: QPainter,
        row: QRectF,
        answer: Offer,
        count: int,
        share: float,
        faces: tuple[Face, ...],
        look: Look,
    ) -> None:
        own = answer.key == self.mine
        track, fill = _track(look), _fill(look, own=own)
        bar = QRectF(row.left(), row.top(), row.width() * share * _FULL_BAR, row.height())
        _paint_bar(painter, row, bar, track, fill, look)
        if own:
            paint_line_inside(painter, row, CONTROL_RADIUS, look.select, max(1.5, look.edge_width))
        ring = middle(QRectF(row.left() + 12, row.top(), _RING, row.height()), _RING)
        _paint_choice(painter, ring, look, own=own)
        right = self._paint_count(painter, row, count, look)
        left = ring.right() + 10
        taken = width_of_avatars(len(faces), _AVATAR, _STEP)
        if faces and right - taken - left >= _LEAST_WORDS and row.height() >= _AVATAR + 4:
            under = fill if bar.right() > right - taken and not look.high_contrast else track
            corner = QPointF(right, row.center().y() - _AVATAR / 2)
            paint_avatars(painter, corner, _AVATAR, _STEP, faces, look, under)
            right -= taken
        words = QRectF(left, row.top(), right - 8 - left, row.height())
        paint_words(painter, words, shown_line(answer.text), font("body", 600 if own else 500), look.ink)

    def _paint_count(self, painter: QPainter, row: QRectF, count: int, look: Look) -> float:
        """Paint the number of votes and return the right end of the room beside it."""
        made, words = font("strong"), f"{count:,}"
        wide = max(14.0, width_of(words, made) + 1)
        right = row.right() - 12
        paint_words(
            painter, QRectF(right - wide, row.top(), wide, row.height()), words, made, look.ink, RIGHT
        )
        return right - wide - 12

    def _paint_foot(self, painter: QPainter, layout: _Layout, area: QRectF, look: Look) -> None:
        small = font("caption")
        if layout.hidden:
            top = layout.rows[-1].bottom() + 2 if layout.rows else area.top() + layout.head
            line = QRectF(area.left() + PAD, top, area.width() - 2 * PAD, _MORE)
            words = f"and {layout.hidden} more" if layout.rows else f"{layout.hidden} answers"
            if line.bottom() <= area.bottom():
                paint_words(painter, line, words, small, look.quiet)
        if layout.foot is not None:
            foot = layout.foot
            paint_sign(
                painter, QRectF(foot.left() + 12, foot.top(), 18, foot.height()), Sign.PLUS, 16, look.quiet
            )
            paint_words(painter, foot.adjusted(40, 0, 0, 0), ADD, font("body"), look.quiet)


def _needed(count: int, row: float) -> float:
    return count * (row + GAP) - GAP


def _track(look: Look) -> str:
    return look.card if look.high_contrast else mix(look.card, look.faint, 0.8)


def _fill(look: Look, *, own: bool) -> str:
    """Return the colour of a bar: the selection's on the card, stronger for the own answer."""
    if look.dark:
        return mix(look.card, look.select, 0.30 if own else 0.17)
    return mix(look.card, look.select, 0.20 if own else 0.12)


def _paint_bar(painter: QPainter, row: QRectF, bar: QRectF, track: str, fill: str, look: Look) -> None:
    """Paint the row and its bar. In high contrast the bar is a line at the foot, since letters on it would
    be hard to read."""
    edge = look.edge if look.high_contrast else ""
    paint_box(painter, row, CONTROL_RADIUS, track, edge, look.edge_width)
    if bar.width() <= 0:
        return
    round_row = QPainterPath()
    round_row.addRoundedRect(row, CONTROL_RADIUS, CONTROL_RADIUS)
    inside = QPainterPath()
    if look.high_contrast:
        inside.addRect(QRectF(bar.left(), bar.bottom() - _HIGH_BAR, bar.width(), _HIGH_BAR))
    else:
        inside.addRect(bar)
    painter.fillPath(round_row.intersected(inside), QColor(look.ink if look.high_contrast else fill))


def _paint_choice(painter: QPainter, ring: QRectF, look: Look, *, own: bool) -> None:
    """Paint the circle that is filled and ticked for the own answer."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(look.select if own else look.line))
    painter.drawEllipse(ring)
    if own:
        paint_sign(painter, ring, Sign.CHECK, 12, look.on_select, 3)
    else:
        wide = max(1.5, look.edge_width)
        painter.setBrush(QColor(look.card))
        painter.drawEllipse(ring.adjusted(wide, wide, -wide, -wide))
