"""A Qt document that follows a note change by change."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QFont, QTextCursor, QTextDocument

from liven.liveobjects.look.tokens import TYPE
from liven.liveobjects.look.view.letters import sized
from liven.liveobjects.text.document import Delete, Delta, Document, Insert, Look, Run
from liven.liveobjects.text.papers import CLEAR, SIZES
from liven.liveobjects.text.view.formats import KIND, NUMBER, block_format, character_format, kind_of
from liven.liveobjects.text.view.utf16 import on_page, to_qt
from liven.liveobjects.text.yjs_update import units

_PARAGRAPH = 2000
"""The most characters to search for the end of a paragraph, which carries its look."""
MARGIN_X: Final = 16.0
MARGIN_Y: Final = 14.0
"""Pixels between the edge of a paper and its text, beside letters of the usual size."""
_CLEAR_MARGIN = 2.0
_WIDER = 1.3
"""The most by which large letters widen the margins."""


def letters_of(size: str) -> QFont:
    """Return the letters of a note in one of the sizes: the same everywhere, so that lines break alike."""
    return sized(TYPE["board"].size * SIZES[size])


def margins_of(paper: str, size: str) -> tuple[float, float]:
    """Return the margins of a note at its sides, and at its head and foot."""
    if paper == CLEAR:
        return _CLEAR_MARGIN, 0.0
    wider = min(SIZES[size], _WIDER)
    return MARGIN_X * wider, MARGIN_Y * wider


class PageWriter:
    """The writer that keeps a Qt document equal to a note."""

    def __init__(self, target: QTextDocument) -> None:
        self._target = target
        self._margins = (0.0, 0.0)
        self.quiet = ""
        """The colour of less important letters."""
        self.text = ""
        """The model's text that the Qt document shows; `on_page` replaces some characters there."""

    def set_margins(self, across: float, down: float) -> None:
        """Set the margins at the sides, and at head and foot."""
        self._margins = (across, down)
        frame = self._target.rootFrame()
        wanted = frame.frameFormat()
        wanted.setLeftMargin(across)
        wanted.setRightMargin(across)
        wanted.setTopMargin(down)
        wanted.setBottomMargin(down)
        if wanted != frame.frameFormat():
            frame.setFrameFormat(wanted)

    def write(self, document: Document, most: int | None = None) -> None:
        """Write the whole text, or its first characters up to the end of a short paragraph if no more can be
        seen."""
        self._target.clear()
        self.set_margins(*self._margins)
        self.text = _beginning(str(document), most)
        cursor = QTextCursor(self._target)
        cursor.insertText(on_page(self.text))
        self.dress(document, 0, len(self.text))

    def change(self, document: Document, delta: Delta) -> None:
        """Apply a change of `document`. Leave alone what was edited in Qt already."""
        if self.text != str(document):
            self._edit(delta)
        start, end = _reach(delta)
        self.dress(document, start, end)

    def dress(self, document: Document, start: int, end: int) -> None:
        """Give the paragraphs from `start` to `end` the look that they have in `document`."""
        first = self.text.rfind("\n", 0, start) + 1
        last = self.text.find("\n", end)
        last = len(self.text) if last < 0 else last
        looks = _looks(document.runs(), first, last + 1)
        cursor = QTextCursor(self._target)
        cursor.beginEditBlock()
        at, spot = first, to_qt(self.text, first)
        for paragraph in self.text[first:last].split("\n"):
            stop = at + len(paragraph)
            breaking = looks[stop - first] if stop - first < len(looks) else {}
            self._dress_paragraph(cursor, paragraph, spot, looks[at - first : stop - first], breaking)
            at, spot = stop + 1, spot + units(paragraph) + 1
        self._renumber(cursor)
        cursor.endEditBlock()

    def _edit(self, delta: Delta) -> None:
        cursor = QTextCursor(self._target)
        cursor.beginEditBlock()
        at = 0
        for part in delta:
            if isinstance(part, Insert):
                cursor.setPosition(to_qt(self.text, at))
                cursor.insertText(on_page(part.text))
                self.text = self.text[:at] + part.text + self.text[at:]
                at += len(part.text)
            elif isinstance(part, Delete):
                cursor.setPosition(to_qt(self.text, at))
                end = to_qt(self.text, at + part.length)
                cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                cursor.removeSelectedText()
                self.text = self.text[:at] + self.text[at + part.length :]
            else:
                at += part.length
        cursor.endEditBlock()

    def _dress_paragraph(
        self, cursor: QTextCursor, text: str, spot: int, looks: list[Look], breaking: Look
    ) -> None:
        """Format the paragraph with this text at Qt's `spot`."""
        font = self._target.defaultFont()
        cursor.setPosition(spot)
        number = _number_after(cursor) if kind_of(breaking) == "number" else 0
        wanted = block_format(breaking, font, first=not spot, number=number)
        if cursor.blockFormat() != wanted:
            cursor.setBlockFormat(wanted)
        cursor.setBlockCharFormat(character_format({}, breaking, font, self.quiet))
        at = 0
        while at < len(looks):
            end = at + 1
            while end < len(looks) and looks[end] == looks[at]:
                end += 1
            cursor.setPosition(spot)
            spot += units(text[at:end])
            cursor.setPosition(spot, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(character_format(looks[at], breaking, font, self.quiet))
            cursor.clearSelection()
            at = end

    def _renumber(self, cursor: QTextCursor) -> None:
        """Number the items on, below the paragraph of a cursor."""
        while cursor.movePosition(QTextCursor.MoveOperation.NextBlock):
            block = cursor.blockFormat()
            number = _number_after(cursor)
            if block.property(KIND) != "number" or block.property(NUMBER) == number:
                return
            block.setProperty(NUMBER, number)
            cursor.setBlockFormat(block)


def _number_after(cursor: QTextCursor) -> int:
    """Return the number of an item at the cursor, which continues that of the paragraph before."""
    before = cursor.block().previous()
    if not before.isValid() or before.blockFormat().property(KIND) != "number":
        return 1
    return int(before.blockFormat().property(NUMBER) or 0) + 1


def _beginning(text: str, most: int | None) -> str:
    if most is None or len(text) <= most:
        return text
    end = text.find("\n", most, most + _PARAGRAPH)
    return text[: most if end < 0 else end]


def _reach(delta: Delta) -> tuple[int, int]:
    """Return the first and the last character of the new text that a delta may have changed."""
    at, first, last = 0, None, 0
    for part in delta:
        touched = not isinstance(part, Delete) and (isinstance(part, Insert) or bool(part.look))
        if (touched or isinstance(part, Delete)) and first is None:
            first = at
        if isinstance(part, Insert):
            at += len(part.text)
        elif not isinstance(part, Delete):
            at += part.length
        if touched or isinstance(part, Delete):
            last = at
    return (first or 0), last


def _looks(runs: tuple[Run, ...], start: int, end: int) -> list[Look]:
    """Return the look of each character from `start` to `end`."""
    made: list[Look] = []
    at = 0
    for run in runs:
        covered = max(0, min(end, at + len(run.text)) - max(start, at))
        made += [run.look] * covered
        at += len(run.text)
        if at >= end:
            break
    return made
