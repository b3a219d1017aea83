"""The find bar: searches the names and texts of items."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QToolButton, QWidget

from liven.liveobjects.desktop.state import Desktop, Item
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.look.view.labels import plain_label, plain_tip

MARGIN = 12


class _ZoomAndView(Protocol):
    def bring_into_view(self, item: Item) -> None: ...


class FindCanvas(Protocol):
    """The part of the canvas that the find bar needs."""

    @property
    def state(self) -> Desktop: ...

    @property
    def item_views(self) -> ItemViews: ...

    @property
    def zoom_and_view(self) -> _ZoomAndView: ...

    def select(self, keys: Iterable[str]) -> None: ...


class DesktopFindBar(QFrame):
    """The bar in the upper right corner: Enter goes to the next result, Shift+Enter to the previous one,
    Esc closes it."""

    def __init__(self, canvas: FindCanvas, parent: QWidget) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._parent = parent
        self._at = -1
        self._top = MARGIN
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
        """Show the bar and start a search."""
        self.place()
        self.show()
        self.raise_()
        self._words.setFocus()
        self._words.selectAll()
        self._begin()

    def close_bar(self) -> None:
        """Close the bar. The result stays selected."""
        self.hide()
        self._parent.setFocus()

    def place(self) -> None:
        """Move into the corner."""
        self.adjustSize()
        self.move(self._parent.width() - self.width() - MARGIN, self._top)

    def keep_from_top(self, pixels: int) -> None:
        """Leave room for what stands in the corner."""
        self._top = pixels
        self.place()

    def results(self) -> list[Item]:
        """Return the items that contain all words in their name or text, from top to bottom. For items
        that do not run, the last known text is searched."""
        words = self._words.text().casefold().split()
        if not words:
            return []
        items = sorted(self._canvas.state.items.values(), key=lambda one: (one.place.y, one.place.x, one.key))
        return [item for item in items if all(word in self._text(item) for word in words)]

    def go_to_result(self, step: int) -> None:
        """Select the next or previous result."""
        found = self.results()
        if not found:
            self._count.setText("no results" if self._words.text().strip() else "")
            return
        self._at = (self._at + step) % len(found)
        item = found[self._at]
        self._canvas.select({item.key})
        self._canvas.zoom_and_view.bring_into_view(item)
        self._count.setText(f"{self._at + 1} of {len(found)}")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle Enter and Esc in the text field."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F3):
                self.go_to_result(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.close_bar()
                return True
        return super().eventFilter(watched, event)

    def _begin(self) -> None:
        self._at = -1
        self.go_to_result(1)

    def _text(self, item: Item) -> str:
        return f"{item.label}\n{self._canvas.item_views.words(item)}".casefold()

    def _buttons(self) -> list[QWidget]:
        made: list[QWidget] = []
        for sign, words, step in (("↑", "Previous (Shift+Enter)", -1), ("↓", "Next (Enter)", 1)):
            button = QToolButton()
            button.setText(sign)
            button.setToolTip(plain_tip(words))
            button.setAccessibleName(words)
            button.clicked.connect(lambda _=False, step=step: self.go_to_result(step))
            made.append(button)
        close = QToolButton()
        close.setText("✕")
        close.setAccessibleName("Close")
        close.clicked.connect(self.close_bar)
        return [*made, close]
