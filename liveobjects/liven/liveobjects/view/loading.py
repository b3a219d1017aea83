"""The loading indicator: an object that waits noticeably long for its state says so.

On a busy computer, or until other members answer, an object can be without its state for seconds. Shown
empty, it would look as if its content were lost."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetricsF, QPainter, QTextOption
from PySide6.QtWidgets import QApplication

from liven.liveobjects.look.view.light import current_look

NOT_LOADED = "…"
"""Shown by a view instead of its object's state while that is loading: neither a zero nor an empty list would
be true. The host says that the object is loading."""
LOADING = "Loading…"
AFTER = 1.0
"""Seconds until the indicator shows: most objects load faster, and words that flash by disquiet."""
LONG = 10.0
"""Seconds until it says since when it waits: then the others do not answer."""
_LOOK_MS = 100
_RIM = 4.0
_SMALLEST = 6
"""The smallest legible font, in pixels."""


class LoadingIndicators(QObject):
    """The loading objects of one desktop, or the one object of a window. `changed` is called with the key of
    an object whose indicator appears or disappears."""

    def __init__(self, changed: Callable[[str], object], now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._changed = changed
        self._now = now
        self._long: dict[str, str] = {}
        """The words of indicators that have been shown for long."""
        self._waiting: dict[str, tuple[float, Callable[[], bool]]] = {}
        self._late: set[str] = set()
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self.look)

    def expect(self, key: str, waits: Callable[[], bool]) -> None:
        """Watch an object for as long as `waits` returns true. The time of an object that is watched already
        goes on."""
        if not waits():
            self.end(key)
            return
        since = self._waiting[key][0] if key in self._waiting else self._now()
        self._waiting[key] = (since, waits)
        if not self._timer.isActive():
            self._timer.start()

    def end(self, key: str) -> None:
        """Stop watching an object."""
        self._waiting.pop(key, None)
        self._long.pop(key, None)
        if key in self._late:
            self._late.discard(key)
            self._changed(key)

    def is_late(self, key: str) -> bool:
        """Return true if an object has been loading long enough to show its indicator."""
        return key in self._late

    def words(self, key: str) -> str:
        """Return what the indicator of an object says."""
        return self._long.get(key, LOADING)

    @property
    def waiting(self) -> bool:
        """True while any object is loading."""
        return any(waits() for _, waits in tuple(self._waiting.values()))

    def look(self) -> None:
        """Show the indicators of slow objects, and hide those of loaded ones."""
        for key, (since, waits) in tuple(self._waiting.items()):
            if not waits():
                self.end(key)
            elif key not in self._late and self._now() - since >= AFTER:
                self._late.add(key)
                self._changed(key)
            elif key not in self._long and self._now() - since >= LONG:
                begun = time.localtime(time.time() - (self._now() - since))
                self._long[key] = f"Looking for its members since {time.strftime('%H:%M', begun)}"
                self._changed(key)
        if not self._waiting:
            self._timer.stop()

    def close(self) -> None:
        """Stop watching everything."""
        self._timer.stop()
        self._waiting.clear()
        self._late.clear()
        self._long.clear()


def paint_loading(painter: QPainter, area: QRectF, words: str = LOADING) -> None:
    """Paint the indicator along the lower edge, where it does not cover what is shown already."""
    look = current_look()
    font, high = _fitting(area, words)
    strip = QRectF(area.left(), area.bottom() - high, area.width(), high)
    painter.save()
    painter.setFont(font)  # the view may have painted with another
    painter.setClipRect(area)
    painter.fillRect(strip, QColor(look.warn_soft))
    if look.high_contrast:  # there is no tint
        painter.fillRect(QRectF(strip.left(), strip.top(), strip.width(), 2), QColor(look.line))
    painter.setPen(QColor(look.ink))
    option = QTextOption(Qt.AlignmentFlag.AlignCenter)
    option.setWrapMode(QTextOption.WrapMode.WordWrap)
    painter.drawText(strip.adjusted(_RIM, 0, -_RIM, 0), words, option)
    painter.restore()


def _fitting(area: QRectF, said: str) -> tuple[QFont, float]:
    """Return the program's font, smaller where the words would be cut off, and the height of the strip."""
    font = QApplication.font()
    size, room = QFontInfo(font).pixelSize(), QRectF(0, 0, max(1.0, area.width() - 2 * _RIM), 1e6)
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
    while True:
        font.setPixelSize(size)
        words = QFontMetricsF(font).boundingRect(room, flags, said)
        if size <= _SMALLEST or (words.width() <= room.width() and words.height() <= area.height()):
            return font, min(words.height() + 2.0, area.height())
        size -= 1
