"""Numbers in little room, of which one sees how large they are."""

from __future__ import annotations

from unicodedata import east_asian_width

_UNITS = ("", "k", "M", "G", "T", "P")


def short(number: float) -> str:
    """A number in at most four signs."""
    for unit in _UNITS:
        if unit and number < 9.95:
            return f"{number:.1f}{unit}"
        if number < 999.5:
            return f"{number:.0f}{unit}"
        number /= 1000
    return "much"


def tenths(number: float) -> str:
    """A number of which the first hundredths and tenths matter, in at most four signs."""
    if number < 9.995:
        return f"{number:.2f}"
    return f"{number:.1f}" if number < 99.95 else short(number)


def wide(text: str) -> int:
    """At most so many columns of a terminal: those of China, Japan and Korea take two, as emoji."""
    return len(text) + sum(east_asian_width(each) in "WF" for each in text)
