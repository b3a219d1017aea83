"""The search field: a line with a sign, and the key that leads to it while it is empty."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from liven.liveobjects.look.view.key_caps import cap_width, paint_key_cap
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.signs import Sign, paint_sign

_SIGN: Final = 16.0
_BEFORE: Final = 12.0
_MOVES: Final = {
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
}


class SearchField(QLineEdit):
    """A field that searches in a list or grid below it: the arrow keys move the choice there."""

    moved = Signal(int, int)
    """Emitted with columns and rows by which the choice is to move. Left and right move it only while the
    field is empty; they move the caret otherwise."""

    def __init__(
        self, hint: str, name: str, *, key: str = "", height: int = 38, parent: QWidget | None = None
    ) -> None:
        """Make a field with a hint for an empty one, its name for screen readers, and the key that leads
        to it."""
        super().__init__(parent)
        self._key = key
        self.setPlaceholderText(hint)
        self.setAccessibleName(name)
        self.setFont(font("body"))
        self.setStyleSheet(
            f"QLineEdit {{ min-height: {height - 2}px; }} QLineEdit:focus {{ min-height: {height - 4}px; }}"
        )
        self.setTextMargins(round(_BEFORE + _SIGN), 0, round(cap_width(key)) if key else 0, 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _MOVES.get(Qt.Key(event.key()))
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if step is not None and plain and (step[1] or not self.text()):
            self.moved.emit(*step)
        else:
            super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()  # Qt lets a line's Enter go on to what lies below, for the buttons of dialogs

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_sign(painter, QRectF(_BEFORE, 0, _SIGN, self.height()), Sign.SEARCH, _SIGN, look.quiet)
        if self._key and not self.text():
            left = QPointF(self.width() - 10 - cap_width(self._key), self.height() / 2)
            paint_key_cap(painter, left, self._key, look)
        painter.end()
