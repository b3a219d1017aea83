"""The location of an element in a text: line, column and path, computed only for a fault.

The scanner walks tags without building anything. It also takes broken text, up to the break, in time linear
in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

Path = tuple[str, ...]

# A tag never holds another `<`, so that each attempt ends at the next one.
_TAG = re.compile(rb"""<(/?)([^\s/<>"'=]+)((?:"[^"<]*"|'[^'<]*'|[^"'<>])*?)(/?)>""")
_LABEL = re.compile(rb"""(?<![\w:.-])(?:id|name)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')""")
_SKIPPED = ((b"<!--", b"-->"), (b"<![CDATA[", b"]]>"), (b"<?", b"?>"))
_ENDS = re.compile(rb"""(?<![\w:.-])(from|to)\s*=\s*["']([^"'<]*)["']""")
LABELLED = frozenset({"Parameter", "Component", "Endpoint", "Attribute", "Connection"})
"""The elements whose step in a path carries their id."""


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a text and the path of the element there."""

    line: int
    column: int
    path: Path


def step(tag: str, label: str) -> str:
    """Return one step of a path: `Parameter[channel]`, `From`."""
    return f"{tag}[{label}]" if label and tag in LABELLED else tag


def of_element(text: bytes, number: int) -> Place:
    """Return the place of the element that opens as number `number` (from 0)."""
    for index, (offset, path) in enumerate(_openings(text)):
        if index == number:
            return _place(text, offset, tuple(path))
    return Place(1, 1, ())


def of_path(text: bytes, path: Path) -> Place | None:
    """Return the place of the first element with that path, or of the nearest one above it."""
    best: Place | None = None
    length = 0
    for offset, found in _openings(text):
        if length < len(found) <= len(path) and list(path[: len(found)]) == found:
            best, length = _place(text, offset, tuple(found)), len(found)
            if length == len(path):
                break
    return best


def at(text: bytes, line: int, column: int) -> Place:
    """Return the place of a parser's fault: the path of the innermost element still open there."""
    start = 0
    for _ in range(line - 1):
        start = text.find(b"\n", start) + 1
    return Place(line, column, _open_at(text, start + max(column - 1, 0)))


def _place(text: bytes, offset: int, path: Path) -> Place:
    start = text.rfind(b"\n", 0, offset) + 1
    column = len(text[start:offset].decode("utf-8", "replace")) + 1
    return Place(text.count(b"\n", 0, offset) + 1, column, path)


def _openings(text: bytes) -> Iterator[tuple[int, list[str]]]:
    """Yield each opening tag's offset and path; the list is the scanner's own and changes."""
    path: list[str] = []
    for offset, closes, label, empty in _tags(text):
        if closes:
            del path[-1:]
            continue
        path.append(label)
        yield offset, path
        if empty:
            path.pop()


def _open_at(text: bytes, stop: int) -> Path:
    path: list[str] = []
    for offset, closes, label, empty in _tags(text):
        if offset >= stop:
            break
        if closes:
            if path and path[-1].partition("[")[0] == label:
                path.pop()
        elif not empty:
            path.append(label)
    return tuple(path)


def _tags(text: bytes) -> Iterator[tuple[int, bool, str, bool]]:
    """Yield each tag: its offset, True if it closes, its step, True if it is empty."""
    offset = text.find(b"<")
    while offset >= 0:
        end = _skipped(text, offset)
        if end is None:
            tag = _TAG.match(text, offset)
            if tag is not None:
                yield offset, bool(tag[1]), _step(tag), bool(tag[4])
            end = tag.end() if tag else offset + 1
        if end < 0:
            return
        offset = text.find(b"<", end)


def _skipped(text: bytes, offset: int) -> int | None:
    """Return the end of the comment, literal or instruction at `offset`; -1 if it has none;
    None for a tag."""
    for opening, closing in _SKIPPED:
        if text.startswith(opening, offset):
            return text.find(closing, offset)
    return None


def _step(tag: re.Match[bytes]) -> str:
    if tag[2] == b"Connection":
        ends = dict(_ENDS.findall(tag[3]))
        label = ends.get(b"from", b"") + b" " + ends.get(b"to", b"")
    else:
        found = _LABEL.search(tag[3])
        label = (found[1] or found[2] or b"") if found else b""
    return step(tag[2].decode("utf-8", "replace"), label.decode("utf-8", "replace"))
