"""How names stand in formulas: as they are, or in double quotes if they are not plain words."""

from __future__ import annotations

import re

_WORD = r"[^\W\d]\w*(?:-[^\W\d]\w*)*"
_PART = rf'(?:{_WORD}|"[^"\n]*")'

NAME = rf"{_PART}(?:\.{_PART})*(?:\.\*)?"
"""A pattern for a name with its directions and dots, as in `channel.in."Set Key".reply`."""

_PLAIN = re.compile(rf"{_WORD}(?:\.{_WORD})*(?:\.\*)?|\*")


def quoted(name: str) -> str:
    """The name as a formula has to write it. A name with a double quote in it cannot be written."""
    return name if _PLAIN.fullmatch(name) else f'"{name}"'


def unquoted(text: str) -> str:
    """The name that a formula has written so."""
    return text.replace('"', "")
