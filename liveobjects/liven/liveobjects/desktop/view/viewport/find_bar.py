"""Finding things on a desktop by their names and by what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QToolButton, QWidget

from liven.liveobjects.desktop.state import Item
from liven.liveobjects.view.labels import plain_label, plain_tip

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

MARGIN = 12


class Finding(QFrame):
    """A line over the upper right corner: Enter goes to the next, Shift+Enter back, Esc leaves."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._at = -1
        self.setAutoFillBackground(True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._words = QLineEdit()
        self._words.setPlaceholderText("Find on this desktop")
        self._words.setAccessibleName("Find on this desktop")
        self._words.setMinimumWidth(220)
        self._words.textChanged.connect(self._begin)
        self._words.installEventFilter(self)
        self._count = plain_label()
        self._count.setMinimumWidth(70)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(6, 4, 6, 4)
        for widget in (self._words, self._count, *self._buttons()):
            layout.addWidget(widget)
        self.hide()

    def open(self) -> None:
        """Begins to look for something."""
        self.place()
        self.show()
        self.raise_()
        self._words.setFocus()
        self._words.selectAll()
        self._begin()

    def leave(self) -> None:
        """What was found stays selected."""
        self.hide()
        self._canvas.setFocus()

    def place(self) -> None:
        """Stays in its corner."""
        self.adjustSize()
        self.move(self._canvas.width() - self.width() - MARGIN, MARGIN)

    def found(self) -> list[Item]:
        """What has all the words in its name or in what it says, from the top down. Of things that do not
        run it is known what they said when they last ran here."""
        words = self._words.text().casefold().split()
        if not words:
            return []
        items = sorted(self._canvas.state.items.values(), key=lambda one: (one.place.y, one.place.x, one.key))
        return [item for item in items if all(word in self._text(item) for word in words)]

    def go(self, step: int) -> None:
        """Goes to the next of what was found, or back."""
        found = self.found()
        if not found:
            self._count.setText("nothing" if self._words.text().strip() else "")
            return
        self._at = (self._at + step) % len(found)
        item = found[self._at]
        self._canvas.choose({item.key})
        self._canvas.looking.bring_into_view(item)
        self._count.setText(f"{self._at + 1} of {len(found)}")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter goes on, Esc leaves."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F3):
                self.go(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.leave()
                return True
        return super().eventFilter(watched, event)

    def _begin(self) -> None:
        self._at = -1
        self.go(1)

    def _text(self, item: Item) -> str:
        return f"{item.label}\n{self._canvas.actors.words(item)}".casefold()

    def _buttons(self) -> list[QWidget]:
        made: list[QWidget] = []
        for sign, words, step in (("↑", "The one before (Shift+Enter)", -1), ("↓", "The next (Enter)", 1)):
            button = QToolButton()
            button.setText(sign)
            button.setToolTip(plain_tip(words))
            button.setAccessibleName(words)
            button.clicked.connect(lambda _=False, step=step: self.go(step))
            made.append(button)
        close = QToolButton()
        close.setText("✕")
        close.setAccessibleName("Close")
        close.clicked.connect(self.leave)
        return [*made, close]
