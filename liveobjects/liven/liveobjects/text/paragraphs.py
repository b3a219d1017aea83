"""Paragraphs of a note: the edits that Enter, Backspace and marks such as "- " make.

A line break carries the look of the paragraph that it ends, and the last paragraph has none. A new line break
therefore takes on the look of the paragraph above it, and the old one that of the paragraph below."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from liven.liveobjects.text.document import Delete, Delta, Document, Insert, Keep, Look

PLAIN: Final[Mapping[str, None]] = MappingProxyType({"heading": None, "list": None, "checked": None})
_MARKS: Final[Mapping[str, Look]] = MappingProxyType(
    {
        "- ": {"list": "bullet"},
        "* ": {"list": "bullet"},
        "1. ": {"list": "number"},
        "1) ": {"list": "number"},
        "[] ": {"list": "check"},
        "[ ] ": {"list": "check"},
        "[x] ": {"list": "check", "checked": True},
        "# ": {"heading": 1},
        "## ": {"heading": 2},
        "### ": {"heading": 3},
    }
)
"""Marks that people type at the start of a paragraph, as in Markdown, with the looks that they stand for."""


def look_at(document: Document, at: int) -> Look:
    """Return the look of the character at `at`."""
    for run in document.runs():
        if at < len(run.text):
            return run.look
        at -= len(run.text)
    return {}


def paragraph_look(document: Document, at: int) -> Look:
    """Return the look of the paragraph that contains `at`."""
    stop = str(document).find("\n", at)
    return {} if stop < 0 else look_at(document, stop)


def dressed(document: Document, start: int, end: int, look: Look) -> Delta:
    """Return the edit that gives the paragraphs from `start` to `end` a look; None removes an attribute."""
    text = str(document)
    delta: list[Keep | Insert | Delete] = []
    at = 0
    stop = text.find("\n", start)
    while stop >= 0:
        delta += [Keep(stop - at, {}), Keep(1, look)]
        at = stop + 1
        if at > end:
            break
        stop = text.find("\n", at)
    if stop < 0:  # the last paragraph has no line break to carry its look
        added = {quality: value for quality, value in look.items() if value is not None}
        if added:
            delta += [Keep(len(text) - at, {}), Insert("\n", added)]
    return tuple(delta)


def entered(document: Document, start: int, end: int) -> tuple[Delta, int]:
    """Return the edit of Enter in place of the characters from `start` to `end`, and the caret after it.

    In an empty item of a list, Enter ends the list. Behind a heading follows plain text, behind a ticked item
    an open one."""
    text, look = str(document), paragraph_look(document, end)
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    last = len(text) if last < 0 else last
    if first == last and (look.get("list") or look.get("heading")):
        return (Keep(start, {}), Keep(1, dict(PLAIN))), start
    above, below = dict(look), {}
    if start == first and end < last:
        above = {"list": look["list"]} if look.get("list") else {}
    else:
        below = _continued(look, is_end=end == last)
    delta: list[Keep | Insert | Delete] = [Keep(start, {})]
    if end > start:
        delta.append(Delete(end - start))
    delta.append(Insert("\n", above))
    if below and last < len(text):
        delta += [Keep(last - end, {}), Keep(1, below)]
    return tuple(delta), start + 1


def backspaced(document: Document, at: int) -> Delta | None:
    """Return the edit of Backspace at the start of a paragraph: it takes away the list or the heading. Return
    None where Backspace removes a character as usual."""
    text = str(document)
    if at and text[at - 1] != "\n":
        return None
    look = paragraph_look(document, at)
    if not (look.get("list") or look.get("heading")):
        return None
    stop = text.find("\n", at)
    return (Keep(stop, {}), Keep(1, dict(PLAIN)))


def marked(document: Document, at: int) -> Delta | None:
    """Return the edit that replaces a mark such as "- ", just typed before `at`, by the look for which it
    stands; None if there is no mark."""
    text = str(document)
    first = text.rfind("\n", 0, at) + 1
    look = _MARKS.get(text[first:at])
    here = paragraph_look(document, at)
    if look is None or here.get("list") or here.get("heading"):
        return None
    stop = text.find("\n", at)
    if stop < 0:
        return (Keep(first, {}), Delete(at - first), Keep(len(text) - at, {}), Insert("\n", look))
    return (Keep(first, {}), Delete(at - first), Keep(stop - at, {}), Keep(1, look))


def _continued(look: Look, *, is_end: bool) -> Look:
    """Return what changes in the look of a paragraph when it becomes the lower one of two."""
    ended = {"checked": None} if look.get("checked") else {}
    return {**ended, "heading": None} if is_end and look.get("heading") else ended
