"""Words at your pointer: a line in which you write, and which the others read while you do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from liven.liveobjects.desktop.view.people.peer_colours import letters_on
from liven.liveobjects.look.view.letters import font

LONGEST: Final = 120
"""Characters that can be said at once."""
STAYS_MS: Final = 6_000
"""Milliseconds for which the words stay after Return."""
_WIDE, _HIGH = 240, 28
_BESIDE: Final = QPoint(14, 18)
_KEYS = (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class CursorChat(QLineEdit):
    """The line of one canvas. `changed` is called with each other text that the others are to see."""

    def __init__(self, parent: QWidget, colour: Callable[[], str], changed: Callable[[], object]) -> None:
        super().__init__(parent)
        self._canvas = parent
        self._colour = colour
        self._changed = changed
        self.words = ""
        """The words that the others see."""
        self._stays = QTimer(self, singleShot=True, interval=STAYS_MS)
        self._stays.timeout.connect(lambda: self._say(""))
        self.setMaxLength(LONGEST)
        self.setFixedSize(_WIDE, _HIGH)
        self.setFont(font("body"))
        self.setFrame(False)
        self.setPlaceholderText("Say something")
        self.setAccessibleName("Say something at your pointer")
        self.textEdited.connect(self._say)
        self.hide()

    def begin(self, at: QPoint) -> None:
        """Open the line beside the pointer."""
        tone = self._colour()
        letters = letters_on(tone)
        self.setStyleSheet(
            f"QLineEdit {{ background: {tone}; color: {letters}; border: none; border-radius: 8px;"
            f" padding: 0 10px; placeholder-text-color: {_faint(letters)}; }}"
        )
        self.clear()
        self._say("")
        self.follow(at)
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def follow(self, at: QPoint) -> None:
        """Stay beside the pointer, inside the canvas."""
        room = self._canvas.rect().adjusted(0, 0, -self.width(), -self.height())
        place = at + _BESIDE
        x, y = max(0, min(place.x(), room.right())), max(0, min(place.y(), room.bottom()))
        self.move(x, y)

    def take_back(self) -> bool:
        """Take the words back. Return False if there were none and the line was closed."""
        if self.isHidden() and not self.words:
            return False
        self._say("")
        self._close()
        return True

    def event(self, event: QEvent) -> bool:
        """Keep the keys that end the line from being shortcuts of the canvas."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() in _KEYS
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close the line: with Return the words stay for some seconds, with Esc they go."""
        if event.key() == Qt.Key.Key_Escape:
            self.take_back()
        elif event.key() in _KEYS:
            self._leave()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Close the line as Return does."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason and self.isVisible():
            self._leave()

    def _leave(self) -> None:
        if self.words:
            self._stays.start()
        self._close()

    def _close(self) -> None:
        had_focus = self.hasFocus()
        self.hide()
        if had_focus:
            self._canvas.setFocus()

    def _say(self, words: str) -> None:
        self._stays.stop()
        if words != self.words:
            self.words = words
            self._changed()


def _faint(letters: str) -> str:
    colour = QColor(letters)
    return f"rgba({colour.red()}, {colour.green()}, {colour.blue()}, 60%)"
