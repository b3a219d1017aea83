"""A Qt document that follows a note change by change."""

from __future__ import annotations

from PySide6.QtGui import QTextCursor, QTextDocument

from liven.liveobjects.text.document import Delete, Delta, Document, Insert, Look, Run
from liven.liveobjects.text.view.formats import block_format, character_format, list_format
from liven.liveobjects.text.view.utf16 import on_page, to_qt
from liven.liveobjects.text.yjs_update import units

_PARAGRAPH = 2000
"""The most characters to search for the end of a paragraph, which carries its look."""


class PageWriter:
    """The writer that keeps a Qt document equal to a note."""

    def __init__(self, target: QTextDocument) -> None:
        self._target = target
        self.text = ""
        """The model's text that the Qt document shows; `on_page` replaces some characters there."""

    def write(self, document: Document, most: int | None = None) -> None:
        """Write the whole text, or its first characters up to the end of a short paragraph if no more can be
        seen."""
        self._target.clear()
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
        cursor.setBlockFormat(block_format(breaking))
        self._list(cursor, breaking)
        cursor.setBlockCharFormat(character_format({}, breaking, font))
        at = 0
        while at < len(looks):
            end = at + 1
            while end < len(looks) and looks[end] == looks[at]:
                end += 1
            cursor.setPosition(spot)
            spot += units(text[at:end])
            cursor.setPosition(spot, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(character_format(looks[at], breaking, font))
            cursor.clearSelection()
            at = end

    def _list(self, cursor: QTextCursor, breaking: Look) -> None:
        """Add a paragraph to the list of the one before it if both look alike, so that the numbers
        continue."""
        wanted = list_format(breaking)
        block = cursor.block()
        if wanted is None:
            if block.textList() is not None:
                block.textList().remove(block)
            return
        before = block.previous().textList() if block.previous().isValid() else None
        if before is not None and before.format().style() == wanted.style():
            before.add(block)
        elif block.textList() is None or block.textList().format().style() != wanted.style():
            cursor.createList(wanted)


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
