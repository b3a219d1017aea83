"""Messages to the user over the foot of a window. They interrupt nothing and disappear by themselves.

A message with details stays until the user does something else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QEnterEvent, QFontMetrics, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMainWindow, QSizePolicy, QWidget

from liven.liveobjects.look.tokens import ISLAND_RADIUS, MIDDLE, SMALLEST_HIT
from liven.liveobjects.look.view.labels import brief, plain_tip
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box, paint_line_inside
from liven.liveobjects.look.view.moves import Moves
from liven.liveobjects.look.view.signs import Sign, paint_sign
from liven.liveobjects.view.accessibility import announce
from liven.liveobjects.view.contract import DETAILS

Act = tuple[str, Callable[[], object]]
"""The name of what one can do about a message, and the function that does it."""

_EACH_LETTER_MS = 60
_AT_LEAST_MS = 2500
_AT_MOST_MS = 15_000
_WITH_ACT_MS = 6000
_WITH_DETAILS_MS = 30_000
"""Milliseconds for which a message with a Details button stays at least."""
_DOES_SOMETHING = (QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress)
_LONGEST, _LONGEST_DETAILS = 600, 1200
"""Most characters of a message and its details; the problems panel shows problems completely."""
_HIGH: Final = 44
_SIGN_ROOM: Final = 42
_UP_DOWN: Final = 12
_EDGE: Final = 8
_WIDEST_TEXT: Final = 520
_RIM: Final = 16
_FOOT: Final = 20
_ABOVE_TOOLS: Final = 12
_COMES: Final = "comes"
"""The motion of a message that comes: it slides up into its place."""
_SLIDE: Final = 14


class Toast(QLabel):
    """The message of one window, above its tools. A new message replaces the old one."""

    foot: Callable[[], int] = staticmethod(lambda: 0)
    """Returns the pixels at the lower end of the contents that a message leaves free."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("toast")
        self.setAccessibleName("Message")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMousePropagation)
        self._details = self._last = ""
        self._stays = False
        """True if the message stays until it is withdrawn."""
        self._act: Act | None = None
        self._more = ToastButton(self, "Details", self._carry_out)
        self._close = ToastButton(self, "Close message", self.close_it, Sign.CLOSE)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._is_due)
        self._dressing = False
        self._moves = Moves(self)
        self._dress()
        self._more.hide()
        self.hide()
        window.installEventFilter(self)

    def say(self, message: str, *, stays: bool = False, act: Act | None = None) -> None:
        """Show a message for as long as it takes to read, or with `stays` until it is no longer true. With
        `act`, a button does something about it.

        Details, if there are any, are shown on request, and then until the user does something else.
        """
        self._last, self._stays = message, stays
        words, _, details = message.partition(DETAILS)
        words, self._details = brief(words, _LONGEST), brief(details, _LONGEST_DETAILS)
        self._act = ("Details", self._show_details) if self._details else act
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

    def place(self) -> None:
        """Place the message in the middle above the tools, as large as its text needs."""
        page = self._window.centralWidget()
        area = self._window.rect() if page is None else page.geometry()
        room = max(area.width() - 2 * _RIM, _HIGH)
        buttons = [one for one in (self._more, self._close) if not one.isHidden()]
        ends = sum(one.width() + 4 for one in buttons) + _EDGE
        most = max(min(_WIDEST_TEXT, room - _SIGN_ROOM - ends), _HIGH)
        measure = QFontMetrics(self.font())
        flags = int(Qt.TextFlag.TextWordWrap)
        text = measure.boundingRect(0, 0, most, 100_000, flags, self.text())
        wide = min(text.width() + 2, most)
        size = QSize(_SIGN_ROOM + wide + ends, max(_HIGH, text.height() + 2 * _UP_DOWN))
        left = area.left() + (area.width() - size.width()) // 2
        foot = self.foot()
        foot = foot + _ABOVE_TOOLS if foot else _FOOT
        below = round((1 - self._moves.value(_COMES)) * _SLIDE)
        top = max(area.bottom() + 1 - foot - size.height(), area.top()) + below
        self.setGeometry(left, top, size.width(), size.height())
        self.setContentsMargins(_SIGN_ROOM, 0, ends, 0)
        right = size.width() - _EDGE
        for one in reversed(buttons):
            right -= one.width()
            one.move(right, (size.height() - one.height()) // 2)
            right -= 4
        self.raise_()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Keep the message while the mouse is over it."""
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the message a moment after the mouse leaves it."""
        self._go_after(_AT_LEAST_MS)
        super().leaveEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of another look."""
        super().changeEvent(event)
        kinds = (QEvent.Type.PaletteChange, QEvent.Type.ApplicationPaletteChange)
        if event.type() in kinds and not self._dressing:
            self._dress()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground and the sign; the label paints its text."""
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_box(painter, QRectF(self.rect()), ISLAND_RADIUS, look.toast)
        sign = Sign.INFO if self._details or self._stays else Sign.CHECK if self._act else Sign.INFO
        paint_sign(painter, QRectF(14, 0, 18, self.height()), sign, 17, look.toast_quiet, 2.2)
        painter.end()
        super().paintEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the message in its place, and hide one that is overdue as soon as the user does something else
        in the window."""
        kind = event.type()
        if watched is self._window and kind in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            if self.isVisible():
                QTimer.singleShot(0, self, self.place)  # after the window's layout
        elif (
            kind in _DOES_SOMETHING
            and self._is_overdue
            and isinstance(watched, QWidget)
            and watched.window() is self._window
            and watched is not self
            and not self.isAncestorOf(watched)
        ):
            self._listen(False)
            self.hide()
        return super().eventFilter(watched, event)

    _is_overdue = False

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
        self._is_overdue = on
        program = QApplication.instance()
        if program is not None:
            program.installEventFilter(self) if on else program.removeEventFilter(self)

    def _carry_out(self) -> None:
        act = self._act
        if act is None:
            return
        if not self._details:
            self.close_it()
        act[1]()

    def _show_details(self) -> None:
        self._act = None
        self._say(f"{self.text()}\n\n{self._details}")

    def _say(self, words: str) -> None:
        self.setText(words)
        self._more.setVisible(self._act is not None)
        if self._act is not None:
            self._more.name(self._act[0])
        announce(self, words)
        if not self.isVisible():
            self._moves.forget(_COMES)
        self.show()
        self._moves.go(_COMES, MIDDLE, lambda _: self.place())
        self.place()
        self._go_after(min(max(_AT_LEAST_MS, len(words) * _EACH_LETTER_MS), _AT_MOST_MS))

    def _go_after(self, milliseconds: int) -> None:
        self._listen(False)
        least = _WITH_DETAILS_MS if self._details else _WITH_ACT_MS if self._act else 0
        self._timer.stop() if self._stays else self._timer.start(max(milliseconds, least))

    def _dress(self) -> None:
        """Take letters and colours from the look."""
        self._dressing = True
        look, palette = current_look(), QPalette(self.palette())
        for role, colour in (
            (QPalette.ColorRole.WindowText, look.toast_ink),
            (QPalette.ColorRole.Text, look.toast_ink),
            (QPalette.ColorRole.Highlight, look.select),
            (QPalette.ColorRole.HighlightedText, look.on_select),
        ):
            palette.setColor(role, QColor(colour))
        self.setPalette(palette)
        self.setFont(font("body"))
        self._dressing = False


class ToastButton(QAbstractButton):
    """A button of a message. Clicking it does not take the focus, so you can go on typing."""

    def __init__(
        self, toast: QWidget, name: str, pressed: Callable[[], object], sign: Sign | None = None
    ) -> None:
        super().__init__(toast)
        self._sign = sign
        self.name(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.clicked.connect(lambda: pressed())

    def name(self, name: str) -> None:
        """Give the button another name."""
        self.setText(name)
        self.setAccessibleName(name)
        self.setToolTip(plain_tip(name if self._sign is not None else ""))
        if self._sign is not None:
            self.resize(SMALLEST_HIT, SMALLEST_HIT)
        else:
            self.resize(QFontMetrics(font("strong")).horizontalAdvance(name) + 20, 30)

    def sizeHint(self) -> QSize:
        return self.size()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect())
        tint = QColor(look.toast_ink)
        tint.setAlpha(80 if self.isDown() else 56 if self.underMouse() else 0 if self._sign else 31)
        if not look.high_contrast:
            paint_box(painter, area, 7, tint.name(QColor.NameFormat.HexArgb))
        if self._sign is not None:
            paint_sign(painter, area, self._sign, 15, look.toast_quiet)
        else:
            painter.setFont(font("strong"))
            painter.setPen(QColor(look.toast_act))
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self.text())
        if self.hasFocus() or (look.high_contrast and (self.underMouse() or self.isDown())):
            paint_line_inside(painter, area, 7, look.toast_act, look.ring)
        painter.end()
