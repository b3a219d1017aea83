"""The slider over a recording: events over time, bookmarks, the repeated part, and the shown moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QSlider, QToolTip

from liven.liveobjects.feeds.history.histogram import NOTHING, Histogram
from liven.liveobjects.feeds.history.moment_text import moment_text, sentence_start
from liven.liveobjects.feeds.view.transport.colours import PastColours, past_colours
from liven.liveobjects.look.view.labels import plain_tip

STEPS = 100_000
"""The positions of the slider: more than any screen has pixels."""
_MARGIN = 10
_TRACK = 4
_HEAD = 7
_NEAR = 6
"""Pixels within which a press counts as on a bookmark."""


class NamedMoment(Protocol):
    """A bookmark: a moment that somebody gave a name."""

    @property
    def name(self) -> str: ...

    @property
    def time(self) -> int:
        """Microseconds since 1970 UTC."""


class TimeSlider(QSlider):
    """A slider over the time of a recording. Its description for a screen reader is the moment.

    Left and Right go one event, with Shift one second; the pages a twentieth; Home and End to the ends; Space
    plays.
    """

    sought = Signal(object)
    """The person wants this moment, in microseconds (an int, which may not fit a C int)."""
    stepped = Signal(int)
    """The person wants so many events further, or back."""
    toggled = Signal()
    """The person wants to play, or to pause."""
    jumped = Signal(float)
    """The person wants so many seconds further, or back."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(0, STEPS)
        self.setPageStep(STEPS // 20)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.setAccessibleName("Moment of the recording")
        self._begin = self._end = self._moment = 0
        self._now = 0
        self._section: tuple[int, int] | None = None
        self._bars = NOTHING
        self._bookmarks: tuple[NamedMoment, ...] = ()
        self._hover: int | None = None
        self.actionTriggered.connect(self._act)

    @property
    def moment(self) -> int:
        """The moment that is shown, or that the person holds."""
        return self._moment

    @property
    def bookmarks(self) -> tuple[NamedMoment, ...]:
        return self._bookmarks

    def show_span(self, begin: int, end: int, now: int) -> None:
        """Show the time between two moments; `now` tells today from yesterday."""
        self._begin, self._end, self._now = begin, max(begin, end), now
        self._place()

    def show_moment(self, moment: int) -> None:
        """Show where the replay is, unless the person holds the slider."""
        if not self.isSliderDown() and moment != self._moment:
            self._moment = moment
            self._place()

    def show_bars(self, bars: Histogram) -> None:
        """Show the events over time."""
        self._bars = bars
        self.update()

    def show_bookmarks(self, bookmarks: Sequence[NamedMoment]) -> None:
        """Show bookmarks."""
        self._bookmarks = tuple(bookmarks)
        self.update()

    def show_section(self, section: tuple[int, int] | None) -> None:
        """Show the part that is repeated."""
        self._section = section
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(360, 46)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 46)

    # what the person does

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step by events and seconds, or play."""
        if event.key() == Qt.Key.Key_Space:
            self.toggled.emit()
            return
        back = event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Down)
        if not back and event.key() not in (Qt.Key.Key_Right, Qt.Key.Key_Up):
            super().keyPressEvent(event)  # Home, End and pages
            return
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.jumped.emit(-1.0 if back else 1.0)
        else:
            self.stepped.emit(-1 if back else 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the slider where the mouse is."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self._seek(self._time_near(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Scrub, or show the moment below the mouse."""
        self._hover = self._time_near(event.position())
        if self.isSliderDown():
            self._seek(self._hover)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(False)

    def leaveEvent(self, event: QEvent) -> None:
        """Forget the mouse."""
        super().leaveEvent(event)
        self._hover = None
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Step by events, or by seconds with Shift."""
        turned = event.angleDelta().y() or event.angleDelta().x()
        if turned:
            on = 1 if turned > 0 else -1
            shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            if shift:
                self.jumped.emit(float(on))
            else:
                self.stepped.emit(on)
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Show the moment below the mouse, or the bookmark, as a tool tip."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), plain_tip(self._tip(event.pos())), self)
            return True
        return super().event(event)

    def _act(self, action: int) -> None:
        """Follow Home, End, the pages, and what a screen reader sets."""
        if action != QAbstractSlider.SliderAction.SliderMove.value:
            self._seek(self._time_of(self.sliderPosition() / STEPS))

    def _seek(self, moment: int) -> None:
        self._moment = moment
        self._place()
        self.sought.emit(moment)

    # where things are

    def _place(self) -> None:
        """Put the slider where its moment is, without telling anybody that a person did it."""
        blocked = self.blockSignals(True)
        self.setValue(round(self._part(self._moment) * STEPS))
        self.blockSignals(blocked)
        self.setAccessibleDescription(sentence_start(moment_text(self._moment, self._now, seconds=True)))
        self.update()

    def _part(self, moment: int) -> float:
        length = self._end - self._begin
        return min(max((moment - self._begin) / length, 0.0), 1.0) if length else 0.0

    def _time_of(self, part: float) -> int:
        return self._begin + round((self._end - self._begin) * min(max(part, 0.0), 1.0))

    def _x(self, moment: int) -> float:
        return _MARGIN + self._part(moment) * max(1, self.width() - 2 * _MARGIN)

    def _time_near(self, point: QPointF) -> int:
        """Return the moment at a point, or that of a bookmark near it."""
        for one in self._bookmarks:
            if abs(self._x(one.time) - point.x()) <= _NEAR and point.y() < self.height() / 2:
                return one.time
        return self._time_of((point.x() - _MARGIN) / max(1, self.width() - 2 * _MARGIN))

    def _tip(self, point: QPoint) -> str:
        moment = self._time_near(QPointF(point))
        said = sentence_start(moment_text(moment, self._now, seconds=True))
        named = next((one.name for one in self._bookmarks if one.time == moment), "")
        return f"{named} — {said}" if named else said

    # what it looks like

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint bars, track, section, bookmarks and the handle."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = past_colours(self.palette())
        self._paint_bars(painter, colours)
        self._paint_track(painter, colours)
        self._paint_bookmarks(painter, colours)
        if self.isEnabled():
            self._paint_handle(painter, colours)
        painter.end()

    @property
    def _line(self) -> float:
        """The height of the track."""
        return self.height() - 12.0

    def _paint_bars(self, painter: QPainter, colours: PastColours) -> None:
        bars = self._bars
        if not bars.highest or bars.end <= bars.begin:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        room, played = self._line - 10, self._x(self._moment)
        step = (bars.end - bars.begin) / len(bars.counts)
        for number, count in enumerate(bars.counts):
            if not count:
                continue
            left = self._x(round(bars.begin + number * step))
            right = self._x(round(bars.begin + (number + 1) * step))
            high = max(2.0, room * (count / bars.highest) ** 0.5)  # few events stay visible beside very many
            painter.setBrush(colours.played if left < played else colours.bars)
            painter.drawRect(QRectF(left, self._line - 4 - high, max(1.0, right - left - 1), high))

    def _paint_track(self, painter: QPainter, colours: PastColours) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        left, right, top = _MARGIN, self.width() - _MARGIN, self._line - _TRACK / 2
        painter.setBrush(colours.bars)
        painter.drawRoundedRect(QRectF(left, top, right - left, _TRACK), 2, 2)
        painter.setBrush(colours.line)
        painter.drawRoundedRect(QRectF(left, top, self._x(self._moment) - left, _TRACK), 2, 2)
        if self._section is not None:
            a, b = (self._x(one) for one in self._section)
            painter.setPen(QPen(colours.line, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(a, 3, max(2.0, b - a), self._line + 3), 3, 3)
            painter.drawText(QRectF(a - 12, 0, 10, 14), "A")
            painter.drawText(QRectF(b + 3, 0, 10, 14), "B")

    def _paint_bookmarks(self, painter: QPainter, colours: PastColours) -> None:
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Window), 1))
        painter.setBrush(colours.mark)
        for one in self._bookmarks:
            x = self._x(one.time)
            flag = [
                QPointF(x - 4, 2),
                QPointF(x + 4, 2),
                QPointF(x + 4, 13),
                QPointF(x, 9),
                QPointF(x - 4, 13),
            ]
            painter.drawPolygon(QPolygonF(flag))

    def _paint_handle(self, painter: QPainter, colours: PastColours) -> None:
        roles = QPalette.ColorRole
        centre = QPointF(self._x(self._moment), self._line)
        if self._hover is not None and not self.isSliderDown():
            painter.setPen(QPen(colours.bars, 1, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(self._x(self._hover), 4), QPointF(self._x(self._hover), self._line))
        painter.setPen(QPen(colours.line, 1.5))
        painter.drawLine(QPointF(centre.x(), 4), centre)
        if self.hasFocus():
            painter.setPen(QPen(self.palette().color(roles.Highlight), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(centre, _HEAD + 3, _HEAD + 3)
        painter.setPen(QPen(colours.line, 2.5))
        painter.setBrush(self.palette().color(roles.Base))
        painter.drawEllipse(centre, _HEAD, _HEAD)
