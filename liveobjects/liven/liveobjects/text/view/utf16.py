"""Positions: Python counts characters, Qt counts units of UTF-16, of which some characters take two."""

from __future__ import annotations


def to_qt(text: str, at: int) -> int:
    """Where the character at `at` of `text` stands for Qt."""
    return at if text.isascii() else len(text[:at].encode("utf-16-le")) // 2


def from_qt(text: str, position: int) -> int:
    """The character of `text` at Qt's `position`; for the inside of a character, the one behind it."""
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
"""Characters that Qt would take for a new paragraph or a frame, or lose at the beginning of a text, and what
stands in their places on a page, so that all others stay in theirs."""


def on_page(text: str) -> str:
    """What is written on a page for a text: as many characters, each of as many units."""
    for sign, other in _STANDING_IN:
        if sign in text:
            text = text.replace(sign, other)
    return text


def read_back(text: str) -> str:
    """What Qt says that is on a page on which a text was written; it tells no space from another."""
    return on_page(text).replace("\u00a0", " ")


def difference(old: str, new: str, near: int) -> tuple[int, int, str]:
    """How `old` became `new`: where, how many characters went, and what came. Of the ways there are, the one
    whose end is nearest to `near`, where the caret is afterwards: in "aaa" any of the letters may be new."""
    most = min(len(old), len(new))
    tail = _same_end(old, new, min(most, len(new) - min(near, len(new))))
    head = _same_start(old, new, most - tail)
    tail += _same_end(old[: len(old) - tail], new[: len(new) - tail], most - head - tail)
    return head, len(old) - head - tail, new[head : len(new) - tail]


_BLOCK = 4096
"""So many characters are compared at one go: of a long text, a key changes one."""


def _same_start(one: str, other: str, limit: int) -> int:
    """With how many characters, at most `limit`, both begin."""
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
    """With how many characters, at most `limit`, both end."""
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
