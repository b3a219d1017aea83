"""The carets and selections of other people on a page, with their names."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Any, Final, Protocol

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QFontInfo, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from liven.liveobjects.presence.participant import LONGEST_NAME
from liven.liveobjects.text.caret import LONGEST, Caret
from liven.liveobjects.text.view.editor import NoteEditor
from liven.liveobjects.text.view.utf16 import to_qt
from liven.liveobjects.text.yjs_update import BrokenUpdateError
from liven.runtime.foreign_text import shown_line

NAMED_FOR: Final = 3.0
"""Seconds for which a moved caret shows a name."""
IDLE_AFTER: Final = 30.0
"""Seconds until a resting caret fades."""
_NAMED_MS = int(NAMED_FOR * 1000) + 50
_IDLE_MS = int((IDLE_AFTER - NAMED_FOR) * 1000) + 50
_WIDTH = 2
_BESIDE = 8
"""Pixels between the end of a line and a name."""

_Where = tuple[bytes, int]


class Writers(Protocol):
    """The other people who write in a note, and this person's caret for them."""

    watchers: list[Any]

    @property
    def carets(self) -> tuple[Caret, ...]:
        """The carets of the others."""

    def show_caret(self, where: Callable[[], tuple[int, int]]) -> None:
        """Show the others this person's caret."""

    def hide_caret(self) -> None:
        """Hide this person's caret."""


class CaretLayer(QWidget):
    """A transparent layer over the page that paints the carets. Clicks go through it."""

    def __init__(self, page: NoteEditor, writers: Writers) -> None:
        super().__init__(page.viewport())
        self._page = page
        self._writers = writers
        self._flags: list[QRect] = []
        """The rectangles of the painted names."""
        self._moved: dict[uuid.UUID, tuple[_Where, float]] = {}
        self._fade = QTimer(self, singleShot=True)
        self._fade.timeout.connect(self._rests)
        self._soon = QTimer(self, singleShot=True, interval=0)
        """Delays the repaint: a note cannot resolve pinned positions while it is changing."""
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
        """Stop showing carets."""
        self._writers.watchers.remove(self._soon.start)
        self._writers.hide_caret()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the page."""
        if event.type() == QEvent.Type.Resize:
            self.resize(self._page.viewport().size())
        return super().eventFilter(watched, event)

    def seen(self) -> list[tuple[str, QRect]]:
        """Return the names of the other writers with the rectangles of their carets."""
        found = []
        for caret in self._writers.carets:
            place = self._place(caret.at)
            if place is not None:
                found.append((shown_line(caret.name[:LONGEST_NAME]), self._page.rect_at(place)))
        return found

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        self.paint_carets(painter)
        painter.end()

    def paint_carets(self, painter: QPainter) -> None:
        """Paint the carets in the coordinates of the page."""
        self._flags.clear()
        now = time.monotonic()
        for caret in self._writers.carets:
            place = self._place(caret.at)
            if place is not None:
                self._paint(painter, caret, place, now - self._rested(caret, now))

    def _paint(self, painter: QPainter, caret: Caret, at: int, rested: float) -> None:
        colour, place = _colour(caret), self._page.rect_at(at)
        if rested > IDLE_AFTER:
            colour.setAlpha(90)
        painter.fillRect(QRect(place.left(), place.top(), _WIDTH, place.height()), colour)
        if rested < NAMED_FOR:
            self._paint_name(painter, shown_line(caret.name[:LONGEST_NAME]), at, colour)

    def _paint_name(self, painter: QPainter, name: str, at: int, colour: QColor) -> None:
        font = QFont(painter.font())
        font.setPixelSize(max(9, round(QFontInfo(font).pixelSize() * 0.75)))
        painter.setFont(font)
        size = painter.fontMetrics().boundingRect(name).size()
        flag = self._flag(at, QSize(size.width() + 6, size.height()))
        self._flags.append(flag)
        painter.fillRect(flag, colour)
        painter.setPen(Qt.GlobalColor.white)
        painter.drawText(flag, Qt.AlignmentFlag.AlignCenter, name)

    def _flag(self, at: int, size: QSize) -> QRect:
        """Return the rectangle for a name where it hides no words: behind the end of the caret's line and of
        other names there; in a full line over the caret, or under the first line."""
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
        """Repaint: the text or somebody's caret has moved."""
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
        self._repaint()

    def _rests(self) -> None:
        """Hide the names of resting carets first, and later fade the carets."""
        if self._fade.interval() == _NAMED_MS:
            self._fade.start(_IDLE_MS)
        self._repaint()

    def _repaint(self) -> None:
        self.update()
        self._page.overlay_changed.emit()

    def _selected(self, caret: Caret) -> list[tuple[int, int]]:
        if caret.at == caret.anchor:
            return []
        places = [self._place(caret.at), self._place(caret.anchor)]
        known = sorted(place for place in places if place is not None)
        return [(known[0], known[1])] if len(known) == 2 and known[0] < known[1] else []

    def _rested(self, caret: Caret, now: float) -> float:
        """Return the time at which a caret came to rest."""
        where, since = self._moved.get(caret.window, (None, now))
        return since if where == self._where(caret) else now

    def _where(self, caret: Caret) -> _Where:
        """Return a caret's place, and the length of the text if that is the end: the end has the same pinned
        position however much is written there."""
        text, place = self._page.shown_text, self._place(caret.at)
        return caret.at, len(text) if place == to_qt(text, len(text)) else -1

    def _place(self, pinned: bytes) -> int | None:
        """Return Qt's position of a pinned place; None if it is unknown here."""
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
