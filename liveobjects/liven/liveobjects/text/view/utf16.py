"""Conversion of positions: Python counts characters, Qt counts UTF-16 units, of which some characters need
two."""

from __future__ import annotations


def to_qt(text: str, at: int) -> int:
    """Return Qt's position of the character at `at` in `text`."""
    return at if text.isascii() else len(text[:at].encode("utf-16-le")) // 2


def from_qt(text: str, position: int) -> int:
    """Return the character of `text` at Qt's `position`; inside a character, the next one."""
    if text.isascii():
        return min(position, len(text))
    units = text.encode("utf-16-le")[: 2 * position]
    return len(units.decode("utf-16-le", errors="ignore"))


_STANDING_IN = (
    ("\r", " "),
    ("\u2028", " "),
    ("\u2029", " "),
    ("\ufdd0", "\ufffd"),
    ("\ufdd1", "\ufffd"),
    ("\ufeff", "\u2060"),
)
"""Characters that Qt would take for a paragraph or frame, or drop at the beginning of a text, with stand-ins
of the same length, so that all other positions stay the same."""


def on_page(text: str) -> str:
    """Return the text that the page shows: it has the same number of characters and units."""
    for sign, other in _STANDING_IN:
        if sign in text:
            text = text.replace(sign, other)
    return text


def read_back(text: str) -> str:
    """Return the text of a page as Qt reports it. Qt does not distinguish kinds of spaces."""
    return on_page(text).replace("\u00a0", " ")


def difference(old: str, new: str, near: int) -> tuple[int, int, str]:
    """Return the place, the number of deleted characters and the inserted text that turn `old` into
    `new`. Of several possibilities, choose the one that ends nearest to the caret `near`: in "aaa" any letter
    may be new."""
    most = min(len(old), len(new))
    tail = _same_end(old, new, min(most, len(new) - min(near, len(new))))
    head = _same_start(old, new, most - tail)
    tail += _same_end(old[: len(old) - tail], new[: len(new) - tail], most - head - tail)
    return head, len(old) - head - tail, new[head : len(new) - tail]


_BLOCK = 4096
"""The number of characters compared at a time: a key press changes only one of a long text."""


def _same_start(one: str, other: str, limit: int) -> int:
    """Return the number of characters, at most `limit`, with which both begin."""
    at = 0
    while at < limit:
        step = min(_BLOCK, limit - at)
        if one[at : at + step] != other[at : at + step]:
            while one[at] == other[at]:
                at += 1
            return at
        at += step
    return at


def _same_end(one: str, other: str, limit: int) -> int:
    """Return the number of characters, at most `limit`, with which both end."""
    at = 0
    while at < limit:
        step = min(_BLOCK, limit - at)
        first, second = len(one) - at, len(other) - at
        if one[first - step : first] != other[second - step : second]:
            while one[first - 1] == other[second - 1]:
                first, second, at = first - 1, second - 1, at + 1
            return at
        at += step
    return at
