"""Numbers in few characters for the table of `liven top`, with readable magnitudes."""

from __future__ import annotations

from unicodedata import east_asian_width

_UNITS = ("", "k", "M", "G", "T", "P")


def short(number: float) -> str:
    """Return a number in at most four characters."""
    for unit in _UNITS:
        if unit and number < 9.95:
            return f"{number:.1f}{unit}"
        if number < 999.5:
            return f"{number:.0f}{unit}"
        number /= 1000
    return "much"


def tenths(number: float) -> str:
    """Return a number below 1000 in at most four characters, with one or two decimals if small."""
    if number < 9.995:
        return f"{number:.2f}"
    return f"{number:.1f}" if number < 99.95 else short(number)


def wide(text: str) -> int:
    """Return the width of a text in terminal columns: East Asian characters and emoji take two."""
    return len(text) + sum(east_asian_width(each) in "WF" for each in text)
