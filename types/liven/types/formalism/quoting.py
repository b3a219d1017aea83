"""Quoting of names in formulas: plain words stand as they are, other names in double quotes."""

from __future__ import annotations

import re

_WORD = r"[^\W\d]\w*(?:-[^\W\d]\w*)*"
_PART = rf'(?:{_WORD}|"[^"\n]*")'

NAME = rf"{_PART}(?:\.{_PART})*(?:\.\*)?"
"""A pattern for a name with its directions and dots, as in `channel.in."Set Key".reply`."""

_PLAIN = re.compile(rf"{_WORD}(?:\.{_WORD})*(?:\.\*)?|\*")


def quoted(name: str) -> str:
    """Return the name as a formula writes it. A name that contains a double quote cannot be written."""
    return name if _PLAIN.fullmatch(name) else f'"{name}"'


def unquoted(text: str) -> str:
    """Return the name that a formula wrote in this way."""
    return text.replace('"', "")
