"""Texts of tldraw: plain ones, and rich ones, which are documents of ProseMirror."""

from __future__ import annotations

from typing import Any, Final

from liven.liveobjects.desktop.foreign.board import Words
from liven.liveobjects.desktop.foreign.json_reading import Record, number, record, records, text
from liven.liveobjects.text.document import Insert, Look

_DEEPEST: Final = 40
_MARKS: Final = {"bold": "bold", "strong": "bold", "italic": "italic", "em": "italic"}
_LINKS: Final = ("http://", "https://", "mailto:", "liven:")
_LARGEST_HEADING: Final = 3


def words_of(props: Record) -> Words:
    """Return the text of a shape with its looks."""
    rich = record(props.get("richText"))
    if not rich:
        plain = text(props, "text")
        return (Insert(plain, {}),) if plain else ()
    made: list[Insert] = []
    for block in records(rich.get("content")):
        _block(block, {}, made, 0)
    if made and made[-1] == Insert("\n", {}):
        made.pop()  # only a line break that carries a look is needed at the end
    return tuple(made)


def plain_text(words: Words) -> str:
    """Return a text without its looks."""
    return "".join(one.text for one in words)


def _block(block: Record, paragraph: Look, made: list[Insert], depth: int) -> None:
    kind = block.get("type")
    if depth > _DEEPEST:
        return
    if kind in ("paragraph", "heading", "codeBlock"):
        level = int(number(record(block.get("attrs")), "level", 1))
        look = (
            {**paragraph, "heading": min(max(level, 1), _LARGEST_HEADING)} if kind == "heading" else paragraph
        )
        _spans(block, made)
        made.append(Insert("\n", look))
        return
    look = paragraph
    if kind in ("bulletList", "orderedList"):
        look = {"list": "bullet" if kind == "bulletList" else "number"}
    elif kind == "taskItem":
        look = {"list": "check"}
        if record(block.get("attrs")).get("checked") is True:
            look["checked"] = True
    for inner in records(block.get("content")):
        _block(inner, look, made, depth + 1)


def _spans(block: Record, made: list[Insert]) -> None:
    for span in records(block.get("content")):
        if span.get("type") == "hardBreak":
            made.append(Insert("\n", {}))
        elif words := text(span, "text"):
            made.append(Insert(words, _look(span)))


def _look(span: Record) -> Look:
    look: dict[str, Any] = {}
    for mark in records(span.get("marks")):
        kind = str(mark.get("type"))
        if kind in _MARKS:
            look[_MARKS[kind]] = True
        elif kind == "link":
            target = text(record(mark.get("attrs")), "href")
            if target.startswith(_LINKS):
                look["link"] = target
    return look
