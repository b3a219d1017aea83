"""The page: a Qt document that is made equal to a note, change by change."""

from __future__ import annotations

from PySide6.QtGui import QTextCursor, QTextDocument

from liven.liveobjects.text.document import Delete, Delta, Document, Insert, Look, Run
from liven.liveobjects.text.view.formats import block_format, character_format, list_format
from liven.liveobjects.text.view.utf16 import on_page, to_qt
from liven.liveobjects.text.yjs_update import units

_PARAGRAPH = 2000
"""Characters of a paragraph that are looked through for its end, which carries its look."""


class Page:
    """Writes what a note holds into a Qt document."""

    def __init__(self, target: QTextDocument) -> None:
        self._target = target
        self.text = ""
        """What the Qt document holds, as the model's characters; some look otherwise on it."""

    def write(self, document: Document, most: int | None = None) -> None:
        """All of it anew, or so many characters of it and the rest of a short paragraph, where no more can be
        seen."""
        self._target.clear()
        self.text = _beginning(str(document), most)
        cursor = QTextCursor(self._target)
        cursor.insertText(on_page(self.text))
        self.dress(document, 0, len(self.text))

    def change(self, document: Document, delta: Delta) -> None:
        """Takes in a change that `document` has made. What was edited here already is left alone."""
        if self.text != str(document):
            self._edit(delta)
        start, end = _reach(delta)
        self.dress(document, start, end)

    def dress(self, document: Document, start: int, end: int) -> None:
        """Gives the paragraphs that reach from `start` to `end` the look that they have in `document`."""
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
        """The paragraph of this text, at Qt's `spot`."""
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
        """A paragraph joins the list of the one before it if that looks alike, so that numbers go on."""
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
    """The first and the last character, after `delta`, that it may have altered."""
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
    """The look of each character from `start` to `end`."""
    made: list[Look] = []
    at = 0
    for run in runs:
        covered = max(0, min(end, at + len(run.text)) - max(start, at))
        made += [run.look] * covered
        at += len(run.text)
        if at >= end:
            break
    return made
