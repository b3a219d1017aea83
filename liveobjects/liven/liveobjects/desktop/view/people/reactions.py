"""Reactions: a few signs that rise from the place of somebody's pointer and fade. Nobody stores them."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QTimer
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.people.peer_colours import letters_on
from liven.liveobjects.look.view.marks import paint_box
from liven.liveobjects.look.view.signs import Sign, paint_sign
from liven.liveobjects.view.accessibility import is_motion_reduced

REACTIONS: Final = {
    "thumbs up": Sign.THUMBS_UP,
    "heart": Sign.HEART,
    "raised hand": Sign.HAND,
    "party": Sign.PARTY,
    "question": Sign.HELP,
}
"""The signs by the names under which they are sent."""
LASTS: Final = 2.0
"""Seconds for which a sign is seen."""
MOST: Final = 60
"""Signs that are seen at once; of more, the oldest go."""
_RISES: Final = 90.0
"""Pixels that a sign rises."""
_EVERY_MS: Final = 33
_DISC: Final = 34.0
_RIM: Final = 30.0
"""Pixels between a sign and the edge of the window: one from elsewhere is seen at the edge."""


@dataclass(frozen=True, slots=True)
class _Rising:
    sign: Sign
    at: QPointF
    colour: str
    since: float


class Reactions:
    """The reactions on one canvas."""

    def __init__(self, widget: QWidget, clock: Callable[[], float] = time.monotonic) -> None:
        self._widget = widget
        self._clock = clock
        self._rising: deque[_Rising] = deque(maxlen=MOST)
        self._moves = QTimer(widget, interval=_EVERY_MS)
        self._moves.timeout.connect(self._drop_old)
        self._moves.timeout.connect(widget.update)

    @property
    def signs(self) -> tuple[Sign, ...]:
        """The signs that are seen now, the oldest first."""
        return tuple(one.sign for one in self._rising)

    def show(self, name: str, at: QPointF, colour: str) -> None:
        """Let a sign rise from a place on the plane. One of an unknown name is passed over."""
        sign = REACTIONS.get(name)
        if sign is not None:
            self._rising.append(_Rising(sign, QPointF(at), colour, self._clock()))
            self._moves.start()
            self._widget.update()

    def paint(self, painter: QPainter, camera: Camera) -> None:
        """Paint the signs, each on a disc in the colour of its person."""
        room = QRectF(self._widget.rect()).adjusted(_RIM, _RIM, -_RIM, -_RIM)
        for one in self._rising:
            share = min(1.0, (self._clock() - one.since) / LASTS)
            at = _inside(camera.to_window(one.at), room)
            if not is_motion_reduced():
                at -= QPointF(0, _RISES * share)
            colour = QColor(one.colour) if QColor(one.colour).isValid() else QColor("gray")
            painter.save()
            painter.setOpacity(1.0 if share < 0.5 else 2 * (1 - share))
            area = QRectF(at.x() - _DISC / 2, at.y() - _DISC / 2, _DISC, _DISC)
            paint_box(painter, area, _DISC / 2, colour.name())
            paint_sign(painter, area, one.sign, _DISC * 0.56, letters_on(colour.name()))
            painter.restore()

    def _drop_old(self) -> None:
        oldest = self._clock() - LASTS
        while self._rising and self._rising[0].since < oldest:
            self._rising.popleft()
        if not self._rising:
            self._moves.stop()


def _inside(at: QPointF, room: QRectF) -> QPointF:
    """Return the nearest place inside an area."""
    x = max(room.left(), min(at.x(), room.right()))
    return QPointF(x, max(room.top(), min(at.y(), room.bottom())))
