"""Messages to the user in the last line of a window. They interrupt nothing and disappear by themselves.

A message with details stays until the user does something else.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QEnterEvent, QHideEvent, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QSizePolicy, QToolButton, QWidget

from liven.liveobjects.view.accessibility import announce
from liven.liveobjects.view.contract import DETAILS
from liven.liveobjects.view.labels import brief, plain_tip

_EACH_LETTER_MS = 60
_AT_LEAST_MS = 2500
_AT_MOST_MS = 15_000
_WITH_DETAILS_MS = 30_000
"""Milliseconds for which a message with a Details button stays at least."""
_MARGIN, _EDGE = 10, 3
_DOES_SOMETHING = (QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress)
_LONGEST, _LONGEST_DETAILS = 600, 1200
"""Most characters of a message and its details; the problems panel shows problems completely."""


class StatusMessage(QLabel):
    """The message of one window. It has a line of its own below the contents, so it covers nothing. A new
    message replaces the old one."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("notice")
        self.setAccessibleName("Message")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setForegroundRole(QPalette.ColorRole.ToolTipText)
        self._details = self._last = ""
        self._stays = False
        """True if the message stays until it is withdrawn."""
        self._high = 0
        self._more = self._button("Details", "Details", self._show_details)
        self._close = self._button("✕", "Close message", self.close_it)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._is_due)
        self._more.hide()
        self.hide()
        window.statusBar().insertWidget(0, self, 1)
        self.hide()  # the status bar has just shown it

    def _button(self, words: str, name: str, pressed: Callable[[], object]) -> QToolButton:
        """Return a button that Tab reaches. Clicking it does not take the focus, so you can go on typing."""
        made = QToolButton(self)
        made.setText(words)
        made.setAutoRaise(True)
        made.setAccessibleName(name)
        made.setToolTip(plain_tip(name))
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.clicked.connect(pressed)
        return made

    def say(self, message: str, *, stays: bool = False) -> None:
        """Show a message for as long as it takes to read, or with `stays` until it is no longer true.

        Details, if there are any, are shown on request, and then until the user does something else.
        """
        self._last, self._stays = message, stays
        words, _, details = message.partition(DETAILS)
        words, self._details = brief(words, _LONGEST), brief(details, _LONGEST_DETAILS)
        self._more.setVisible(bool(self._details))
        self._say(words)

    def say_again(self) -> None:
        """Show last message with its details, for users without a mouse."""
        if not self._last:
            self._say("No message yet.")
            return
        self.say(self._last, stays=self._stays)
        if self._details:
            self._show_details()

    def withdraw(self, message: str) -> None:
        """Remove a message that is no longer true; do nothing if another one has replaced it. A message that
        was shown with `stays` is forgotten, too."""
        if message and message == self._last:
            self.hide()
            if self._stays:
                self._last, self._stays = "", False

    def close_it(self) -> None:
        """Close message, and return the focus to the window's contents if the message had it."""
        focused = QApplication.focusWidget()
        held = focused is not None and self.isAncestorOf(focused)
        self.hide()
        page = self._window.centralWidget()
        if held and page is not None:
            page.setFocus()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Keep the message while the mouse is over it."""
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the message a moment after the mouse leaves it."""
        self._go_after(_AT_LEAST_MS)
        super().leaveEvent(event)

    def sizeHint(self) -> QSize:
        """The height of the text at the current width. QLabel itself asks for the height of a narrow
        column."""
        return QSize(0, self._high)

    def minimumSizeHint(self) -> QSize:
        """The same as `sizeHint`."""
        return self.sizeHint()

    def hasHeightForWidth(self) -> bool:
        """False: the status bar would reserve the height of the narrowest width."""
        return False

    def hideEvent(self, event: QHideEvent) -> None:
        """Release the height. A status bar reserves room for hidden widgets, too."""
        super().hideEvent(event)
        self._high = 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt the height to the new width."""
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a card in the colours of tool tips, which are readable in every theme."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.palette().color(QPalette.ColorRole.Mid))
        painter.setBrush(self.palette().toolTipBase())
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()
        super().paintEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hide a message that is overdue as soon as the user does something else in the window."""
        if (
            event.type() in _DOES_SOMETHING
            and isinstance(watched, QWidget)
            and watched.window() is self._window
            and watched is not self
            and not self.isAncestorOf(watched)
        ):
            self._listen(False)
            self.hide()
        return super().eventFilter(watched, event)

    def _is_due(self) -> None:
        """Hide the message when its time is over, unless the user is using it."""
        if self.underMouse() or self._more.hasFocus() or self._close.hasFocus():
            self._timer.start(_AT_LEAST_MS)
        elif self._details:
            self._listen(True)
        else:
            self.hide()

    def _listen(self, on: bool) -> None:
        """Start or stop watching for the user's next action."""
        program = QApplication.instance()
        if program is not None:
            program.installEventFilter(self) if on else program.removeEventFilter(self)

    def _show_details(self) -> None:
        self._more.hide()
        self._say(f"{self.text()}\n\n{self._details}")

    def _say(self, words: str) -> None:
        self.setText(words)
        announce(self, words)
        self.show()
        self._fit()
        self._go_after(min(max(_AT_LEAST_MS, len(words) * _EACH_LETTER_MS), _AT_MOST_MS))

    def _go_after(self, milliseconds: int) -> None:
        self._listen(False)
        least = _WITH_DETAILS_MS if self._details else 0
        self._timer.stop() if self._stays else self._timer.start(max(milliseconds, least))

    def _fit(self) -> None:
        """Put the buttons at the right end and adapt the height to the text."""
        right = self.width() - _EDGE
        for button in (self._close, *([] if self._more.isHidden() else [self._more])):
            size = button.sizeHint()
            right -= size.width()
            button.setGeometry(right, _EDGE, size.width(), size.height())
        self.setContentsMargins(_MARGIN, _EDGE, self.width() - right + _EDGE, _EDGE)
        high = max(self.heightForWidth(self.width()), self._close.sizeHint().height() + 2 * _EDGE)
        if high != self._high:
            self._high = high
            self.updateGeometry()
