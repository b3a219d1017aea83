"""Others' carets on a page, each with the name of whose it is, and what each has selected."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Any, Final, Protocol

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from liven.liveobjects.presence.person import LONGEST_NAME
from liven.liveobjects.text.caret import LONGEST, Caret
from liven.liveobjects.text.view.editor import NoteEditor
from liven.liveobjects.text.view.utf16 import to_qt
from liven.liveobjects.text.yjs_update import BrokenUpdateError

NAMED_FOR: Final = 3.0
"""Seconds for which a caret that has moved bears its name."""
IDLE_AFTER: Final = 30.0
"""Seconds until a caret that rests is drawn faintly."""
_NAMED_MS = int(NAMED_FOR * 1000) + 50
_IDLE_MS = int((IDLE_AFTER - NAMED_FOR) * 1000) + 50
_WIDTH = 2
_BESIDE = 8
"""Pixels between the end of a line and a name."""

_Where = tuple[bytes, int]


class Writers(Protocol):
    """Who else writes in a note, and where oneself does."""

    watchers: list[Any]

    @property
    def carets(self) -> tuple[Caret, ...]:
        """Where others write."""

    def show_caret(self, where: Callable[[], tuple[int, int]]) -> None:
        """Shows the others where one writes."""

    def hide_caret(self) -> None:
        """One does not write here any more."""


class CaretLayer(QWidget):
    """Lies over the page; clicks fall through."""

    def __init__(self, page: NoteEditor, writers: Writers) -> None:
        super().__init__(page.viewport())
        self._page = page
        self._writers = writers
        self._flags: list[QRect] = []
        """Where names stand, as they are painted."""
        self._moved: dict[uuid.UUID, tuple[_Where, float]] = {}
        self._fade = QTimer(self, singleShot=True)
        self._fade.timeout.connect(self._rests)
        self._soon = QTimer(self, singleShot=True, interval=0)
        """A note that is just changing cannot be asked where places are."""
        self._soon.timeout.connect(self._differ)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        page.viewport().installEventFilter(self)
        page.cursorPositionChanged.connect(self._tell)
        page.document().contentsChanged.connect(self._soon.start)
        page.verticalScrollBar().valueChanged.connect(self.update)
        writers.watchers.append(self._soon.start)
        self.resize(page.viewport().size())
        self.show()
        self._tell()
        self._differ()

    def done(self) -> None:
        """Shows nothing any more."""
        self._writers.watchers.remove(self._soon.start)
        self._writers.hide_caret()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """It is as large as the page."""
        if event.type() == QEvent.Type.Resize:
            self.resize(self._page.viewport().size())
        return super().eventFilter(watched, event)

    def seen(self) -> list[tuple[str, QRect]]:
        """The names of the others who write here, and where their carets are drawn."""
        found = []
        for caret in self._writers.carets:
            place = self._place(caret.at)
            if place is not None:
                found.append((caret.name[:LONGEST_NAME], self._page.rect_at(place)))
        return found

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        self._flags.clear()
        now = time.monotonic()
        for caret in self._writers.carets:
            place = self._place(caret.at)
            if place is not None:
                self._paint(painter, caret, place, now - self._rested(caret, now))
        painter.end()

    def _paint(self, painter: QPainter, caret: Caret, at: int, rested: float) -> None:
        colour, place = _colour(caret), self._page.rect_at(at)
        if rested > IDLE_AFTER:
            colour.setAlpha(90)
        painter.fillRect(QRect(place.left(), place.top(), _WIDTH, place.height()), colour)
        if rested < NAMED_FOR:
            self._paint_name(painter, caret.name[:LONGEST_NAME], at, colour)

    def _paint_name(self, painter: QPainter, name: str, at: int, colour: QColor) -> None:
        font = QFont(painter.font())
        font.setPointSizeF(max(7.0, font.pointSizeF() * 0.75))
        painter.setFont(font)
        size = painter.fontMetrics().boundingRect(name).size()
        flag = self._flag(at, QSize(size.width() + 6, size.height()))
        self._flags.append(flag)
        painter.fillRect(flag, colour)
        painter.setPen(Qt.GlobalColor.white)
        painter.drawText(flag, Qt.AlignmentFlag.AlignCenter, name)

    def _flag(self, at: int, size: QSize) -> QRect:
        """Where a name hides no words: behind the end of the caret's line, and of other names there. Where
        the line is full, it stands over the caret, or under the first line."""
        place, end = self._page.rect_at(at), self._page.line_end(at)
        flag = QRect(QPoint(end + _BESIDE, place.center().y() - size.height() // 2), size)
        while any(flag.intersects(other) for other in self._flags):
            flag.moveLeft(flag.left() + size.width() + 2)
        if flag.right() < self.width():
            return flag
        above = place.top() - size.height()
        left = min(place.left(), max(0, self.width() - size.width()))
        return QRect(QPoint(left, above if above >= 0 else place.bottom() + 1), size)

    def _differ(self) -> None:
        """Others are elsewhere, or the text is."""
        now = time.monotonic()
        self._moved = {
            caret.window: (self._where(caret), self._rested(caret, now)) for caret in self._writers.carets
        }
        self._page.mark(
            "others",
            [
                (start, end, _faint(_colour(caret)))
                for caret in self._writers.carets
                for start, end in self._selected(caret)
            ],
        )
        self._fade.start(_NAMED_MS)
        self.update()

    def _rests(self) -> None:
        """Names go first, and when nobody moves for long, the carets fade."""
        if self._fade.interval() == _NAMED_MS:
            self._fade.start(_IDLE_MS)
        self.update()

    def _selected(self, caret: Caret) -> list[tuple[int, int]]:
        if caret.at == caret.anchor:
            return []
        places = [self._place(caret.at), self._place(caret.anchor)]
        known = sorted(place for place in places if place is not None)
        return [(known[0], known[1])] if len(known) == 2 and known[0] < known[1] else []

    def _rested(self, caret: Caret, now: float) -> float:
        """Since when it is where it is."""
        where, since = self._moved.get(caret.window, (None, now))
        return since if where == self._where(caret) else now

    def _where(self, caret: Caret) -> _Where:
        """Its place, and the length of the text where that is the end: the end is called the same
        however much is written there."""
        text, place = self._page.shown_text, self._place(caret.at)
        return caret.at, len(text) if place == to_qt(text, len(text)) else -1

    def _place(self, pinned: bytes) -> int | None:
        """Where a place is in Qt's count; None for one that is not known here, or not yet."""
        if len(pinned) > LONGEST:
            return None
        try:
            at = self._page.note.shown.find(pinned)
        except BrokenUpdateError:
            return None
        return to_qt(self._page.shown_text, min(at, len(self._page.shown_text)))

    def _tell(self) -> None:
        self._writers.show_caret(self._page.places)


def _colour(caret: Caret) -> QColor:
    colour = QColor(caret.colour[:20])
    return colour if colour.isValid() else QColor("#5d6d7e")


def _faint(colour: QColor) -> QColor:
    made = QColor(colour)
    made.setAlpha(60)
    return made
