"""Notices: sentences to the person that interrupt nothing. They go by themselves; one that has more to tell
goes only when the person goes on with something else."""

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
"""What has a button that one may want stays so long at least."""
_MARGIN, _EDGE = 10, 3
_DOES_SOMETHING = (QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress)
_LONGEST, _LONGEST_DETAILS = 600, 1200
"""Letters; the problems panel has all of what was said of a problem."""


class Notice(QLabel):
    """The one notice of a window, in a line of its own below all that the window shows: it covers nothing
    that one may want to see or press. A new one takes its place."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("notice")
        self.setAccessibleName("Notice")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setForegroundRole(QPalette.ColorRole.ToolTipText)
        self._details = self._last = ""
        self._stays = False
        """Whether it is shown until it is not true any more."""
        self._high = 0
        self._more = self._button("Details", "Details", self._show_details)
        self._close = self._button("✕", "Close the message", self.close_it)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._is_due)
        self._more.hide()
        self.hide()
        window.statusBar().insertWidget(0, self, 1)
        self.hide()  # the status bar shows what it is given

    def _button(self, words: str, name: str, pressed: Callable[[], object]) -> QToolButton:
        """One that Tab reaches; a click on it leaves the keys where they are: who types goes on typing."""
        made = QToolButton(self)
        made.setText(words)
        made.setAutoRaise(True)
        made.setAccessibleName(name)
        made.setToolTip(plain_tip(name))
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.clicked.connect(pressed)
        return made

    def say(self, message: str, *, stays: bool = False) -> None:
        """Shows a sentence for as long as it takes to read, or until it is not true any more; its details, if
        it has any, when they are asked for, and then until the person goes on with something else."""
        self._last, self._stays = message, stays
        words, _, details = message.partition(DETAILS)
        words, self._details = brief(words, _LONGEST), brief(details, _LONGEST_DETAILS)
        self._more.setVisible(bool(self._details))
        self._say(words)

    def say_again(self) -> None:
        """Shows what was said last, with its details: whoever has no mouse cannot ask for them otherwise."""
        if not self._last:
            self._say("Nothing was said here yet.")
            return
        self.say(self._last, stays=self._stays)
        if self._details:
            self._show_details()

    def unsay(self, message: str) -> None:
        """What was said is true no more; nothing, where something else was said meanwhile. What was to
        stay until then is not said again either."""
        if message and message == self._last:
            self.hide()
            if self._stays:
                self._last, self._stays = "", False

    def close_it(self) -> None:
        """The person has read it."""
        focused = QApplication.focusWidget()
        held = focused is not None and self.isAncestorOf(focused)
        self.hide()
        page = self._window.centralWidget()
        if held and page is not None:
            page.setFocus()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Under the mouse it stays."""
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Then it goes after a moment."""
        self._go_after(_AT_LEAST_MS)
        super().leaveEvent(event)

    def sizeHint(self) -> QSize:
        """As high as its words are now. A label that wraps its words asks for room for a column of them."""
        return QSize(0, self._high)

    def minimumSizeHint(self) -> QSize:
        """No less."""
        return self.sizeHint()

    def hasHeightForWidth(self) -> bool:
        """Not for the line that it stands in, which would take the height that it has at its narrowest."""
        return False

    def hideEvent(self, event: QHideEvent) -> None:
        """Its line keeps no room for it: it counts what it hides, too."""
        super().hideEvent(event)
        self._high = 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Is as high as its words are at this width."""
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A card in the colours of tool tips, which every system chooses to be seen."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.palette().color(QPalette.ColorRole.Mid))
        painter.setBrush(self.palette().toolTipBase())
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()
        super().paintEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Its time is over, and the person goes on with something else in the window."""
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
        """It was there long enough, unless the person is at it."""
        if self.underMouse() or self._more.hasFocus() or self._close.hasFocus():
            self._timer.start(_AT_LEAST_MS)
        elif self._details:
            self._listen(True)
        else:
            self.hide()

    def _listen(self, on: bool) -> None:
        """To what the person does, or no longer."""
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
        """Its buttons stand at the right of the words, and beside them all."""
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
