"""The island with the timer of a desktop, which is there while a timer is."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.state import Timer
from liven.liveobjects.desktop.view.actions.timer_menu import TimerCanvas, TimerMenu
from liven.liveobjects.look.view.buttons import ToolButton
from liven.liveobjects.look.view.island import Island
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.signs import Sign, paint_sign
from liven.liveobjects.view.accessibility import announce

OVER: Final = "Time is up"
_EVERY_MS: Final = 200
_TOOL: Final = 32
_SIGN: Final = 18


def clock_text(seconds: float) -> str:
    """Return the time that is left, for people."""
    whole = math.ceil(max(0.0, seconds))
    hours, rest = divmod(whole, 3600)
    shown = f"{rest // 60:02d}:{rest % 60:02d}"
    return f"{hours}:{shown}" if hours else shown


class TimerIsland(Island):
    """The time that is left, one minute more, and the end."""

    def __init__(self, canvas: TimerCanvas, menu: TimerMenu, parent: QWidget) -> None:
        super().__init__(parent, "Timer", pad=4, gap=0)
        self._canvas, self._menu = canvas, menu
        self._shown: Timer | None = None
        self.face = _Face()
        self.more = ToolButton("One minute more", Sign.PLUS, size=_TOOL, glyph=16)
        self.close_button = ToolButton("End the timer", Sign.CLOSE, size=_TOOL, glyph=16)
        self.more.clicked.connect(lambda: menu.lengthen())
        self.close_button.clicked.connect(lambda: menu.end())
        self.add(self.face, self.more, self.close_button)
        self._tick = QTimer(self, interval=_EVERY_MS)
        self._tick.timeout.connect(self._look)
        self.hide()

    def refresh(self) -> None:
        """Show the timer that the desktop has now."""
        timer = self._canvas.state.timer
        if timer == self._shown:
            return
        self._shown = timer
        if timer is None:
            self._tick.stop()
            self.hide()
            return
        self.face.words = ""
        self._look()
        self._tick.start()
        self.adjustSize()
        self.show()
        self.raise_()

    def place(self, left: int, right: int, top: int, below: int) -> None:
        """Stand in the middle between two places at the upper end, or below them if there is no room."""
        self.adjustSize()
        width = self._below_width()
        at = (width - self.width()) // 2
        fits = at >= left and at + self.width() <= right
        self.move(at, top if fits else below)

    def _below_width(self) -> int:
        below = self.parentWidget()
        return 0 if below is None else below.width()

    def _look(self) -> None:
        timer = self._shown
        if timer is None:
            return
        left = timer.ends - self._menu.clock()
        words = clock_text(left) if left > 0 else OVER
        if words == self.face.words:
            return
        was_running = bool(self.face.words) and self.face.words != OVER
        self.face.words = words
        self.face.setAccessibleName(words if left <= 0 else f"{words} left")
        if left <= 0:
            self._tick.stop()
            if was_running:
                announce(self, OVER)
        self.face.updateGeometry()
        self.adjustSize()
        self.face.update()


class _Face(QWidget):
    """The time in figures of one width."""

    def __init__(self) -> None:
        super().__init__()
        self.words = ""

    def sizeHint(self) -> QSize:
        like = self.words if self.words == OVER else "0" * len(self.words)
        wide = QFontMetricsF(font("title")).horizontalAdvance(like or "00:00")
        return QSize(round(wide) + _SIGN + 26, _TOOL)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        look = current_look()
        painter = QPainter(self)
        ink = look.accent_ink if self.words == OVER else look.ink
        area = QRectF(self.rect())
        paint_sign(painter, QRectF(8, 0, _SIGN, area.height()), Sign.TIMER, _SIGN, ink)
        painter.setFont(font("title"))
        painter.setPen(QColor(ink))
        painter.drawText(area.adjusted(_SIGN + 14, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self.words)
        painter.end()
