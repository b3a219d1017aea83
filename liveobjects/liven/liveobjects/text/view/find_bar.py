"""The find bar of a note: it marks all matches, and Enter goes from one to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton, QWidget

from liven.liveobjects.look.view.labels import plain_label, plain_tip
from liven.liveobjects.text.view.utf16 import to_qt

if TYPE_CHECKING:
    from liven.liveobjects.text.view.editor import NoteEditor

MOST_MARKED: Final = 500
_MARK = QColor(255, 200, 0, 110)


class FindBar(QWidget):
    """The bar at the foot of a page during a search."""

    def __init__(self, page: NoteEditor) -> None:
        super().__init__(page)
        self._page = page
        self._places: list[int] = []
        self._words = QLineEdit()
        self._words.setPlaceholderText("Find in this note")
        self._words.setAccessibleName("Find in this note")
        self._words.setClearButtonEnabled(True)
        self._words.textChanged.connect(self._find)
        self._words.installEventFilter(self)
        self._count = plain_label()
        self._count.setAccessibleName("Number of matches")
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 2, 4, 2)
        row.addWidget(self._words, 1)
        row.addWidget(self._count)
        for sign, words, step in (("↑", "Previous match", -1), ("↓", "Next match", 1)):
            row.addWidget(self._button(sign, words, lambda _=False, step=step: self.go(step)))
        row.addWidget(self._button("×", "Close", lambda _=False: self.close_bar()))
        self.setAutoFillBackground(True)
        page.document().contentsChanged.connect(self._again)
        self.hide()

    @property
    def found(self) -> int:
        """The number of matches."""
        return len(self._places)

    def open_bar(self) -> None:
        """Start a search, for the selection if there is one."""
        start, end = sorted(self._page.places())
        chosen = self._page.shown_text[start:end]
        if chosen and "\n" not in chosen:
            self._words.setText(chosen)
        self.show()
        self._page.make_room()
        self._words.setFocus()
        self._words.selectAll()
        self._find()

    def close_bar(self) -> None:
        """End the search and leave the caret at the match."""
        self.hide()
        self._page.make_room()
        self._page.mark("found", [])
        self._page.setFocus()

    def go(self, step: int) -> None:
        """Select the next or the previous match; wrap around at the ends."""
        if not self.isVisible():
            self.open_bar()
        if not self._places:
            return
        start, end = sorted(self._page.places())
        if step > 0:
            at = next((place for place in self._places if place >= end), self._places[0])
        else:
            at = next((place for place in reversed(self._places) if place < start), self._places[-1])
        self._page.choose(at, at + len(self._words.text()))
        self._say()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Go forward on Enter, back on Shift+Enter, and close on Esc."""
        if watched is self._words and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.go(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.close_bar()
                return True
        return super().eventFilter(watched, event)

    def _button(self, sign: str, words: str, run: object) -> QToolButton:
        made = QToolButton()
        made.setText(sign)
        made.setToolTip(plain_tip(words))
        made.setAccessibleName(words)
        made.setAutoRaise(True)
        made.clicked.connect(run)
        return made

    def _again(self) -> None:
        if self.isVisible():
            self._find()

    def _find(self) -> None:
        words, text = self._words.text(), self._page.shown_text
        self._places = places_of(words, text)
        marked = self._places[:MOST_MARKED]
        ends = [(to_qt(text, at), to_qt(text, at + len(words))) for at in marked]
        self._page.mark("found", [(start, end, _MARK) for start, end in ends])
        self._say()

    def _say(self) -> None:
        start = min(self._page.places())
        if not self._words.text():
            self._count.setText("")
        elif not self._places:
            self._count.setText("not found")
        elif start in self._places:
            self._count.setText(f"{self._places.index(start) + 1} of {len(self._places)}")
        else:
            self._count.setText(f"{len(self._places)}")


def places_of(words: str, text: str) -> list[int]:
    """Return the matches of some words in a text, ignoring case where that keeps the number of
    characters."""
    if not words:
        return []
    lower, sought = text.lower(), words.lower()
    if len(lower) != len(text) or len(sought) != len(words):
        lower, sought = text, words
    places: list[int] = []
    at = lower.find(sought)
    while at >= 0:
        places.append(at)
        at = lower.find(sought, at + len(sought))
    return places
