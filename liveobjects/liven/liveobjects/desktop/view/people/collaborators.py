"""Other people on the same desktop: their pointers, viewports and selections, what they say and show with
their pointers, and following one of them."""

from __future__ import annotations

import math
import time
import uuid
from dataclasses import replace
from typing import Final, Protocol

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.peer_delay import EVERY, ClockEcho, PeerDelays
from liven.liveobjects.desktop.state import Desktop, Item, Place
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.view.people.cursor_chat import LONGEST, CursorChat
from liven.liveobjects.desktop.view.people.follow_frame import paint_follow_frame
from liven.liveobjects.desktop.view.people.laser_trails import LaserTrails
from liven.liveobjects.desktop.view.people.peer_colours import letters_on
from liven.liveobjects.desktop.view.people.reactions import Reactions
from liven.liveobjects.desktop.view.people.remote_moves import MOST, RemoteMoves, held_of
from liven.liveobjects.desktop.wire import Gaze
from liven.liveobjects.look.tokens import Look
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box, paint_ring
from liven.liveobjects.presence.participant import LONGEST_NAME
from liven.runtime.foreign_text import shown_line

IDLE_AFTER: Final = 20.0
"""Seconds until a resting pointer is drawn faintly."""
MOST_CHOSEN: Final = 200
_FARTHEST: Final = 1e9
_ARROW = ((0, 0), (4.9, 15.4), (8.0, 8.9), (14.6, 6.1))
_TAG: Final = 19.0
"""The height of a name."""
_WIDEST_TAG: Final = 180.0
_WIDEST_WORDS: Final = 240.0
_RING: Final = 1.75
_RING_RADIUS: Final = 8.0


class _Avatars(Protocol):
    def refresh(self) -> None: ...


class _ZoomAndView(Protocol):
    def show_area(self, area: QRectF) -> None: ...


class PresenceCanvas(Protocol):
    """The part of the canvas that presence needs."""

    @property
    def state(self) -> Desktop: ...

    @property
    def preview(self) -> dict[str, Place]: ...

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def camera(self) -> Camera: ...

    @property
    def visible_area(self) -> QRectF: ...

    @property
    def avatars(self) -> _Avatars: ...

    @property
    def zoom_and_view(self) -> _ZoomAndView: ...

    def place_of(self, item: Item) -> Place: ...

    def collaborators_changed(self) -> None: ...


class Collaborators(QObject):
    """Presence on one canvas, others' and your own."""

    def __init__(self, canvas: PresenceCanvas, model: DesktopObject, widget: QWidget) -> None:
        super().__init__(widget)
        self.pointers = True
        """True if other people's pointers are shown."""
        self.followed: uuid.UUID | None = None
        self.laser = False
        """True while your pointer is a laser pointer."""
        self._canvas = canvas
        self._model = model
        self._widget = widget
        self._over = False
        self._reaction, self._reactions_sent = "", 0
        self._reactions_seen: dict[uuid.UUID, int] = {}
        self.trails = LaserTrails(widget)
        self.reactions = Reactions(widget)
        self.chat = CursorChat(widget, lambda: self._own_colour, self._said)
        self._pointer: QPointF | None = None
        self._moved: dict[uuid.UUID, tuple[Gaze, float]] = {}
        self._fade = QTimer(self, singleShot=True, interval=int(IDLE_AFTER * 1000) + 100)
        self._fade.timeout.connect(widget.update)
        self.moves = RemoteMoves(canvas, widget)
        self.lags = PeerDelays(model.window)
        self._pulse = QTimer(self, interval=int(EVERY * 1000))
        self._pulse.timeout.connect(self._send_sign_of_life)
        model.watchers.append(self.presence_changed)

    def close(self) -> None:
        """Stop showing your presence, whatever the canvas does while it closes."""
        self._over = True
        self._pulse.stop()
        self._model.watchers.remove(self.presence_changed)
        self._model.show_gaze(lambda: None)

    @property
    def others(self) -> tuple[Gaze, ...]:
        """The presence of the others, by name, without any that cannot be drawn."""
        found = [replace(one, name=shown_line(one.name)) for one in self._model.gazes if is_sound(one)]
        return tuple(sorted(found, key=lambda one: (one.name, one.window)))

    @property
    def recorders(self) -> tuple[str, ...]:
        """The names of those who record the desktop."""
        return self._model.recorders

    def set_pointer(self, at: QPointF | None) -> None:
        """Set your pointer's place on the plane; None when the mouse has left."""
        self._pointer = at
        if at is not None and self.laser:
            self.trails.add(self._model.window, at)
        if at is not None and self.chat.isVisible():
            self.chat.follow(self._canvas.camera.to_window(at).toPoint())
        self.publish()

    def say_something(self) -> None:
        """Open the line for words at your pointer."""
        if self._pointer is None:
            self._pointer = self._canvas.visible_area.center()
        self.chat.begin(self._canvas.camera.to_window(self._pointer).toPoint())

    def toggle_laser(self) -> bool:
        """Make your pointer a laser pointer, or no longer; return True if it is one now."""
        self.laser = not self.laser
        if not self.laser:
            self.trails.end(self._model.window)
        elif self._pointer is not None:
            self.trails.add(self._model.window, self._pointer)
        self.publish()
        self._widget.update()
        return self.laser

    def react(self, name: str) -> None:
        """Let a sign rise at your pointer, for everybody."""
        self._reaction, self._reactions_sent = name, self._reactions_sent + 1
        at = self._pointer or self._canvas.visible_area.center()
        self.reactions.show(name, at, self._own_colour)
        self.publish()

    def end_signals(self) -> bool:
        """End what your pointer says or shows. Return False if that was nothing."""
        if self.chat.take_back():
            return True
        if self.laser:
            self.toggle_laser()
            return True
        return False

    def publish(self) -> None:
        """Publish your presence soon."""
        if not self._over:
            self._model.show_gaze(self._own_presence)

    def follow(self, window: uuid.UUID | None) -> None:
        """Follow somebody: show what they see. None stops following."""
        self.followed = window
        self.presence_changed()

    def stop_following(self) -> None:
        """Stop following, because you look elsewhere yourself."""
        if self.followed is not None:
            self.follow(None)

    def presence_changed(self) -> None:
        """Handle changed presence of the others."""
        now = time.monotonic()
        here = {one.window: one for one in self.others}
        for window, gaze in here.items():
            self._follow_signals(gaze)
            known = self._moved.get(window)
            if known is None or _visible_part(known[0]) != _visible_part(gaze):
                self._moved[window] = gaze, now
            self.lags.heard(window, ClockEcho(gaze.clock, gaze.answers, gaze.answered, gaze.held), now)
        self.lags.keep(here)
        self.moves.update(here.values())
        self._set_pulse(bool(here))
        for window in self._moved.keys() - here.keys():
            del self._moved[window]
            self.trails.end(window)
            self._reactions_seen.pop(window, None)
        if self.followed is not None and self.followed not in here:
            self.followed = None
        if self.followed is not None:
            gaze = here[self.followed]
            self._canvas.zoom_and_view.show_area(QRectF(gaze.left, gaze.top, gaze.width, gaze.height))
        self._fade.start()
        self._canvas.collaborators_changed()

    def paint(self, painter: QPainter) -> None:
        """Paint the others' selections and pointers."""
        for gaze in self.others:
            colour = QColor(gaze.colour)
            if not colour.isValid():
                colour = QColor(Qt.GlobalColor.darkGray)
            self._paint_chosen(painter, gaze, colour)
            if self.pointers and gaze.pointing:
                self._paint_pointer(painter, gaze, colour)
            if gaze.window == self.followed:
                look = current_look()
                tone = look.ink if look.high_contrast else colour.name()
                paint_follow_frame(painter, QRectF(self._widget.rect()), tone, look)
        if self.pointers:
            self.trails.paint(painter, self._canvas.camera, self._colour_of)
        self.reactions.paint(painter, self._canvas.camera)
        if self._pointer is not None and self.chat.words and self.chat.isHidden():
            self._paint_words(painter, self._pointer, self.chat.words, self._own_colour)

    def _follow_signals(self, gaze: Gaze) -> None:
        """Show what somebody's pointer says and shows."""
        seen = self._reactions_seen.get(gaze.window, gaze.signs)  # of a newcomer, the last one is long gone
        self._reactions_seen[gaze.window] = gaze.signs
        place = QPointF(gaze.x, gaze.y)
        if gaze.signs != seen:
            middle = QRectF(gaze.left, gaze.top, gaze.width, gaze.height).center()
            self.reactions.show(gaze.sign, place if gaze.pointing else middle, gaze.colour)
        if not gaze.shines or not gaze.pointing:
            self.trails.end(gaze.window)
        elif self.trails.way(gaze.window)[-1:] != (place,):
            self.trails.add(gaze.window, place)

    def _said(self) -> None:
        """Tell the others what you say now."""
        self.publish()
        self._widget.update()

    @property
    def _own_colour(self) -> str:
        return self._model.who().colour

    def _colour_of(self, window: uuid.UUID) -> QColor:
        found = next((one.colour for one in self.others if one.window == window), self._own_colour)
        colour, look = QColor(found), current_look()
        return QColor(look.ink) if look.high_contrast or not colour.isValid() else colour

    def _set_pulse(self, others: bool) -> None:
        """Send a regular sign of life while others are here, and notice who falls silent."""
        if others != self._pulse.isActive():
            self._pulse.start() if others else self._pulse.stop()
            self.publish()

    def _send_sign_of_life(self) -> None:
        self.publish()
        self._canvas.avatars.refresh()

    def _own_presence(self) -> Gaze:
        canvas, who = self._canvas, self._model.who()
        seen = canvas.visible_area
        at = self._pointer or QPointF(0, 0)
        selected = sorted(canvas.selected)[:MOST_CHOSEN]
        area = (round(seen.left(), 1), round(seen.top(), 1), round(seen.width(), 1), round(seen.height(), 1))
        spot = (round(at.x(), 1), round(at.y(), 1))
        said = self.lags.say(time.monotonic())
        return Gaze(
            self._model.window,
            who.name[:LONGEST_NAME],
            who.colour,
            *area,
            *spot,
            self._pointer is not None,
            selected,
            said.clock,
            said.answers,
            said.answered,
            said.held,
            held_of(canvas.preview),
            self.chat.words,
            self.laser,
            self._reaction,
            self._reactions_sent,
        )

    def _paint_chosen(self, painter: QPainter, gaze: Gaze, colour: QColor) -> None:
        look = current_look()
        tone = look.ink if look.high_contrast else colour.name()
        for key in gaze.chosen:
            item = self._canvas.state.items.get(key)
            if item is not None:
                area = self._canvas.camera.transform().mapRect(rect(self._canvas.place_of(item)))
                paint_ring(painter, area.adjusted(-2, -2, 2, 2), _RING_RADIUS, look, tone, _RING)
                _paint_tag(painter, area.topLeft() + QPointF(-3, -_TAG - 5), gaze.name, tone, look)

    def _paint_pointer(self, painter: QPainter, gaze: Gaze, colour: QColor) -> None:
        at = self._canvas.camera.to_window(QPointF(gaze.x, gaze.y))
        _, since = self._moved.get(gaze.window, (gaze, time.monotonic()))
        painter.save()
        painter.setOpacity(0.35 if time.monotonic() - since > IDLE_AFTER else 1.0)
        look = current_look()
        tone = look.ink if look.high_contrast else colour.name()
        if not gaze.shines:  # the dot of a laser pointer takes its place
            painter.setPen(QPen(QColor(look.halo), 1.5))
            painter.setBrush(QColor(tone))
            painter.drawPolygon(QPolygonF([at + QPointF(x, y) for x, y in _ARROW]))
        _paint_tag(painter, at + QPointF(11, 14), gaze.name, tone, look)
        painter.restore()
        if gaze.says:
            self._paint_words(painter, QPointF(gaze.x, gaze.y), shown_line(gaze.says), tone)

    def _paint_words(self, painter: QPainter, place: QPointF, words: str, colour: str) -> None:
        """Paint what somebody says below the name at the pointer."""
        look = current_look()
        tone = look.ink if look.high_contrast or not QColor(colour).isValid() else colour
        at = self._canvas.camera.to_window(place) + QPointF(11, 14 + _TAG + 3)
        letters = font("body")
        fits = QRectF(0, 0, _WIDEST_WORDS, 400)
        flags = Qt.TextFlag.TextWordWrap | Qt.TextFlag.TextWrapAnywhere
        area = QFontMetricsF(letters).boundingRect(fits, flags, words)
        area = QRectF(at.x(), at.y(), area.width() + 20, area.height() + 12)
        paint_box(painter, area, 8, tone)
        painter.setFont(letters)
        painter.setPen(QColor(look.island if look.high_contrast else letters_on(tone)))
        painter.drawText(area.adjusted(10, 6, -10, -6), int(flags), words)


def _paint_tag(painter: QPainter, at: QPointF, name: str, tone: str, look: Look) -> None:
    """Paint a name on the colour of its person."""
    letters = font("label")
    shown = QFontMetricsF(letters).elidedText(name, Qt.TextElideMode.ElideRight, _WIDEST_TAG)
    area = QRectF(at.x(), at.y(), QFontMetricsF(letters).horizontalAdvance(shown) + 12, _TAG)
    paint_box(painter, area, 5, tone)
    painter.setFont(letters)
    painter.setPen(QColor(look.island if look.high_contrast else letters_on(tone)))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, shown)


def _visible_part(gaze: Gaze) -> tuple[object, ...]:
    """Return the visible part of a presence, without its times."""
    area = (gaze.left, gaze.top, gaze.width, gaze.height)
    return (*area, gaze.x, gaze.y, gaze.pointing, gaze.chosen, gaze.says, gaze.shines)


def is_sound(gaze: Gaze) -> bool:
    """True if a presence can be drawn."""
    times = (gaze.clock, gaze.answered, gaze.held)
    numbers = (gaze.left, gaze.top, gaze.width, gaze.height, gaze.x, gaze.y, *times)
    return (
        all(math.isfinite(number) and abs(number) <= _FARTHEST for number in numbers)
        and min(gaze.width, gaze.height) > 0
        and len(gaze.name) <= LONGEST_NAME
        and len(gaze.chosen) <= MOST_CHOSEN
        and len(gaze.holds) <= MOST
        and len(gaze.says) <= LONGEST
    )
