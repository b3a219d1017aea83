"""Others on the same desktop: where they look and point, what they selected; and following one of them."""

from __future__ import annotations

import math
import time
import uuid
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPointF, QRectF, QSizeF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from liven.liveobjects.desktop.peer_delay import EVERY, PeerDelays, Said
from liven.liveobjects.desktop.view.tools.gestures import rect
from liven.liveobjects.desktop.wire import Gaze
from liven.liveobjects.presence.person import LONGEST_NAME

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

IDLE_AFTER: Final = 20.0
"""Seconds until a pointer that rests is drawn faintly."""
MOST_CHOSEN: Final = 200
_FARTHEST: Final = 1e9
_ARROW = ((0, 0), (0, 16), (4, 12), (9, 12))


class Collaborators(QObject):
    """One canvas's share in who looks where."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self.pointers = True
        """Whether others' pointers are drawn."""
        self.followed: uuid.UUID | None = None
        self._canvas = canvas
        self._over = False
        self._pointer: QPointF | None = None
        self._moved: dict[uuid.UUID, tuple[Gaze, float]] = {}
        self._fade = QTimer(self, singleShot=True, interval=int(IDLE_AFTER * 1000) + 100)
        self._fade.timeout.connect(canvas.update)
        self.lags = PeerDelays(canvas.model.window)
        self._pulse = QTimer(self, interval=int(EVERY * 1000))
        self._pulse.timeout.connect(self._beat)
        canvas.model.watchers.append(self.differ)

    def done(self) -> None:
        """Shows nothing any more, whatever the canvas hears on its way out, as that the mouse has left it."""
        self._over = True
        self._pulse.stop()
        self._canvas.model.watchers.remove(self.differ)
        self._canvas.model.show_gaze(lambda: None)

    @property
    def others(self) -> tuple[Gaze, ...]:
        """Who else is here, by name; what cannot be drawn is left out."""
        found = [one for one in self._canvas.model.gazes if is_sound(one)]
        return tuple(sorted(found, key=lambda one: (one.name, one.window)))

    def point(self, at: QPointF | None) -> None:
        """The mouse is there on the plane, or has left."""
        self._pointer = at
        self.tell()

    def tell(self) -> None:
        """Something of one's own look is different."""
        if not self._over:
            self._canvas.model.show_gaze(self._mine)

    def follow(self, window: uuid.UUID | None) -> None:
        """Sees what somebody else sees from now on, or no longer."""
        self.followed = window
        self.differ()

    def own_way(self) -> None:
        """One looks elsewhere oneself, and so follows nobody any more."""
        if self.followed is not None:
            self.follow(None)

    def differ(self) -> None:
        """Others look elsewhere."""
        now = time.monotonic()
        here = {one.window: one for one in self.others}
        for window, gaze in here.items():
            known = self._moved.get(window)
            if known is None or _seen_of(known[0]) != _seen_of(gaze):
                self._moved[window] = gaze, now
            self.lags.heard(window, Said(gaze.clock, gaze.answers, gaze.answered, gaze.held), now)
        self.lags.keep(here)
        self._listen_on(bool(here))
        for window in self._moved.keys() - here.keys():
            del self._moved[window]
        if self.followed is not None and self.followed not in here:
            self.followed = None
        if self.followed is not None:
            gaze = here[self.followed]
            self._canvas.looking.look_at(QRectF(gaze.left, gaze.top, gaze.width, gaze.height))
        self._fade.start()
        self._canvas.others_differ()

    def paint(self, painter: QPainter) -> None:
        """What others have selected, and their pointers."""
        for gaze in self.others:
            colour = QColor(gaze.colour)
            if not colour.isValid():
                colour = QColor(Qt.GlobalColor.darkGray)
            self._paint_chosen(painter, gaze, colour)
            if self.pointers and gaze.pointing:
                self._paint_pointer(painter, gaze, colour)

    def _listen_on(self, others: bool) -> None:
        """While others are here, one says now and then that one is, and looks who has fallen silent."""
        if others != self._pulse.isActive():
            self._pulse.start() if others else self._pulse.stop()
            self.tell()

    def _beat(self) -> None:
        self.tell()
        self._canvas.people.differ()

    def _mine(self) -> Gaze:
        canvas, who = self._canvas, self._canvas.model.who()
        seen = canvas.camera.seen(QSizeF(canvas.size()))
        at = self._pointer or QPointF(0, 0)
        chosen = sorted(canvas.chosen)[:MOST_CHOSEN]
        area = (round(seen.left(), 1), round(seen.top(), 1), round(seen.width(), 1), round(seen.height(), 1))
        spot = (round(at.x(), 1), round(at.y(), 1))
        said = self.lags.say(time.monotonic())
        return Gaze(
            canvas.model.window,
            who.name[:LONGEST_NAME],
            who.colour,
            *area,
            *spot,
            self._pointer is not None,
            chosen,
            said.clock,
            said.answers,
            said.answered,
            said.held,
        )

    def _paint_chosen(self, painter: QPainter, gaze: Gaze, colour: QColor) -> None:
        painter.setPen(QPen(colour, 1.5, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for key in gaze.chosen:
            item = self._canvas.state.items.get(key)
            if item is not None:
                area = self._canvas.camera.transform().mapRect(rect(self._canvas.place_of(item)))
                painter.drawRect(area.adjusted(-3, -3, 3, 3))

    def _paint_pointer(self, painter: QPainter, gaze: Gaze, colour: QColor) -> None:
        at = self._canvas.camera.to_window(QPointF(gaze.x, gaze.y))
        _, since = self._moved.get(gaze.window, (gaze, time.monotonic()))
        painter.save()
        painter.setOpacity(0.35 if time.monotonic() - since > IDLE_AFTER else 1.0)
        painter.setPen(QPen(Qt.GlobalColor.white, 1))
        painter.setBrush(colour)
        painter.drawPolygon(QPolygonF([at + QPointF(x, y) for x, y in _ARROW]))
        label = QRectF(painter.fontMetrics().boundingRect(gaze.name)).adjusted(-5, -2, 5, 2)
        label.moveTopLeft(at + QPointF(10, 14))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(label, 4, 4)
        painter.setPen(Qt.GlobalColor.white)
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, gaze.name)
        painter.restore()


def _seen_of(gaze: Gaze) -> tuple[object, ...]:
    """What of it one sees; its times are not."""
    area = (gaze.left, gaze.top, gaze.width, gaze.height)
    return (*area, gaze.x, gaze.y, gaze.pointing, gaze.chosen)


def is_sound(gaze: Gaze) -> bool:
    """Whether it can be drawn."""
    times = (gaze.clock, gaze.answered, gaze.held)
    numbers = (gaze.left, gaze.top, gaze.width, gaze.height, gaze.x, gaze.y, *times)
    return (
        all(math.isfinite(number) and abs(number) <= _FARTHEST for number in numbers)
        and min(gaze.width, gaze.height) > 0
        and len(gaze.name) <= LONGEST_NAME
        and len(gaze.chosen) <= MOST_CHOSEN
    )
