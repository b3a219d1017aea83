"""Texts that somebody else wrote, made safe to show: names, titles, reasons, addresses.

A text may hold characters that are not seen and change what is: bidirectional controls turn "gpj.exe" into
"exe.jpg", zero-width ones make two equal names, line breaks imitate a line of our own. This is the one place
that removes them; it keeps the joiners that Persian, Indic scripts and emoji are written with.
https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing
"""

from __future__ import annotations

import re
from reprlib import Repr
from typing import Final

_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f"  # control characters, line breaks apart
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff]"
)
_BREAKS: Final = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_SPACES: Final = re.compile("[\t\n]+")
_HALVES: Final = re.compile("[\ud800-\udfff]")
"""Halves of a character, which the file names of other systems have; Qt and terminals refuse them."""


_LONGEST_VALUE: Final = 80
_values = Repr()
_values.maxstring = _values.maxother = _values.maxlong = _LONGEST_VALUE


def shown_value(value: object) -> str:
    """Return the beginning of a value that somebody else sent, for a message. The value may be nested deeper
    than `repr` can go."""
    return shown_line(_values.repr(value)[:_LONGEST_VALUE])


def shown_lines(text: str) -> str:
    """Return a text of several lines without characters that hide or turn others."""
    if text.isascii() and text.isprintable():
        return text
    return _HALVES.sub("\N{REPLACEMENT CHARACTER}", _HIDDEN.sub("", _BREAKS.sub("\n", text)))


def shown_line(text: str) -> str:
    """Return a text on one line, without characters that hide or turn others."""
    return _SPACES.sub(" ", shown_lines(text))


def visible(text: str) -> str:
    """Return a text on one line with an escape for each character that hides or turns others.

    For names that a program reads, such as paths and ids: two that differ never look alike.
    """
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in text
    )
