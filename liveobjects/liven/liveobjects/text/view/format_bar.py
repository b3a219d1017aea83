"""The bar above a page for headings, formats, links, lists and search by mouse. It shows the format at the
caret."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QToolButton, QWidget

from liven.liveobjects.look.view.labels import plain_tip

if TYPE_CHECKING:
    from liven.liveobjects.text.view.editor import NoteEditor

LEAST = QSize(360, 200)
"""The smallest page with a bar: a smaller one would be mostly bar."""
_HEADINGS = (("Text", None), ("Heading", 1), ("Smaller heading", 2), ("Smallest heading", 3))
_LISTS = (
    ("•", "bullet", "Bulleted list (Ctrl+Shift+8)"),
    ("1.", "number", "Numbered list (Ctrl+Shift+7)"),
    ("☐", "check", "Check list (Ctrl+Shift+9)"),
)


class FormatBar(QWidget):
    """The format bar of one page, shown if the page is large enough."""

    def __init__(self, page: NoteEditor) -> None:
        super().__init__(page)
        self._page = page
        self._heading = QComboBox()
        self._heading.setAccessibleName("Paragraph style")
        for words, level in _HEADINGS:
            self._heading.addItem(words, level)
        self._heading.activated.connect(self._choose_heading)
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 2, 4, 2)
        row.setSpacing(2)
        row.addWidget(self._heading)
        self._looks = {
            "bold": self._button(row, "B", "Bold (Ctrl+B)", partial(page.toggle, "bold")),
            "italic": self._button(row, "I", "Italic (Ctrl+I)", partial(page.toggle, "italic")),
            "link": self._button(row, "Link", "Link (Ctrl+Shift+K)", page.ask_link),
        }
        self._lists = {
            kind: self._button(row, sign, words, partial(page.toggle_list, kind))
            for sign, kind, words in _LISTS
        }
        row.addStretch(1)
        self._button(row, "Find", "Find in note (Ctrl+F)", page.find_bar.open_bar, stays=False)
        self._dress()
        self.setAutoFillBackground(True)
        page.cursorPositionChanged.connect(self.look)
        page.document().contentsChanged.connect(self.look)
        self.look()

    def look(self) -> None:
        """Show the format at the caret."""
        paragraph, look = self._page.paragraph_here(), self._page.look_here()
        for quality, button in self._looks.items():
            button.setChecked(bool(look.get(quality)))
        for kind, button in self._lists.items():
            button.setChecked(paragraph.get("list") == kind)
        level = paragraph.get("heading")
        self._heading.setCurrentIndex(int(level) if isinstance(level, int | float) and 0 < level < 4 else 0)

    def _choose_heading(self, row: int) -> None:
        self._page.dress_paragraphs(heading=self._heading.itemData(row))
        self._page.setFocus()

    def _button(
        self, row: QHBoxLayout, sign: str, words: str, run: Callable[[], object], *, stays: bool = True
    ) -> QToolButton:
        """Make a button: one that stays down while its format applies at the caret, or one that opens
        something."""
        made = QToolButton()
        made.setText(sign)
        made.setToolTip(plain_tip(words))
        made.setAccessibleName(words.partition(" (")[0])
        made.setCheckable(stays)
        made.setAutoRaise(True)
        made.clicked.connect(lambda _=False: self._run(run) if stays else run())
        row.addWidget(made)
        return made

    def _run(self, run: Callable[[], object]) -> None:
        run()
        self.look()
        self._page.setFocus()

    def _dress(self) -> None:
        for quality, change in (("bold", QFont.setBold), ("italic", QFont.setItalic)):
            font = self._looks[quality].font()
            change(font, True)
            self._looks[quality].setFont(font)
