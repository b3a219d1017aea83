"""Notices: sentences to the person that interrupt nothing. They fade by themselves."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QMainWindow, QToolButton

from liven.liveobjects.view import DETAILS, announce, brief

_EACH_LETTER_MS = 60
_AT_LEAST_MS = 2500
_AT_MOST_MS = 15_000
_MARGIN = 14
_LONGEST = 600
"""Letters; the problems panel has all of what was said of a problem."""


class Notice(QLabel):
    """The one notice of a window, over the lower edge of what that shows; a new one takes its place."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("notice")
        self.setAccessibleName("Notice")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setContentsMargins(12, 8, 12, 8)
        self.setForegroundRole(QPalette.ColorRole.ToolTipText)
        self._details = self._last = ""
        self._more = QToolButton(self)
        self._more.setText("Details")
        self._more.setAccessibleName("Details")
        self._more.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # who types goes on typing
        self._more.clicked.connect(self._show_details)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.hide)
        window.installEventFilter(self)
        self.hide()

    def say(self, message: str) -> None:
        """Shows a sentence for as long as it takes to read; its details, if it has any, when they are asked
        for."""
        self._last = message
        words, _, details = message.partition(DETAILS)
        words, self._details = brief(words, _LONGEST), brief(details, _LONGEST)
        self._more.setVisible(bool(self._details))
        self.setContentsMargins(12, 8, 12, 8 + (self._more.sizeHint().height() + 6 if self._details else 0))
        self._say(words)

    def say_again(self) -> None:
        """Shows what was said last, with its details: whoever has no mouse cannot ask for them otherwise."""
        if not self._last:
            self._say("Nothing was said here yet.")
            return
        self.say(self._last)
        if self._details:
            self._show_details()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Under the mouse it stays."""
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Then it goes after a moment."""
        self._timer.start(_AT_LEAST_MS)
        super().leaveEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stays at the lower edge when the window changes."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        elif event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            QTimer.singleShot(0, self, self._place)  # the window is laid out after this
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A card in the colours of tool tips, which every system chooses to be seen."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.palette().color(QPalette.ColorRole.Mid))
        painter.setBrush(self.palette().toolTipBase())
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()
        super().paintEvent(event)

    def _show_details(self) -> None:
        self._more.hide()
        self.setContentsMargins(12, 8, 12, 8)
        self._say(f"{self.text()}\n\n{self._details}")

    def _say(self, words: str) -> None:
        self.setText(words)
        announce(self, words)
        self._place()
        self.show()
        self.raise_()
        self._timer.start(min(max(_AT_LEAST_MS, len(words) * _EACH_LETTER_MS), _AT_MOST_MS))

    def _place(self) -> None:
        window = self._window
        width = min(window.width() - 2 * _MARGIN, 640)
        self.setFixedWidth(max(width, 80))
        self.adjustSize()
        size = self._more.sizeHint()
        self._more.setGeometry(12, self.height() - size.height() - 8, size.width(), size.height())
        shown = window.centralWidget()
        area = shown.geometry() if shown is not None else window.rect().adjusted(0, 0, 0, -24)
        left = min(area.center().x() - self.width() // 2, window.width() - self.width() - _MARGIN)
        self.move(max(left, _MARGIN), area.bottom() - self.height() - _MARGIN)
