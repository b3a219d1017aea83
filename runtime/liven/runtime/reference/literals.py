"""Plain values: the texts of XML Schema's simple types, read and written."""

from __future__ import annotations

import math
import re
import struct
from typing import Final, TypeAlias

from liven.runtime.reference import ids
from liven.runtime.reference.errors import RecipeError, shortened
from liven.runtime.reference.model import Plain, PlainType, Token

Literal: TypeAlias = str | bool | int | float | None

RANGES: Final[dict[str, tuple[int, int]]] = {
    "unsignedByte": (0, 2**8 - 1),
    "short": (-(2**15), 2**15 - 1),
    "int": (-(2**31), 2**31 - 1),
    "long": (-(2**63), 2**63 - 1),
    "unsignedInt": (0, 2**32 - 1),
    "unsignedLong": (0, 2**64 - 1),
    "UINT32": (0, 2**32 - 1),
    "UINT64": (0, 2**64 - 1),
    "Incarnation": (0, 2**64 - 1),
    "Index": (0, 2**64 - 1),
}
_HEXADECIMAL: Final = ("ID", "Identifier", "UINT128")
"""Numbers of 128 bits, which files spell as they spell ids."""
_INTEGER = re.compile(r"[+-]?[0-9]{1,40}")
_LONGEST_REAL: Final = 1_100
"""The most letters of a number with a fraction: the longest exact one, 2^-1074, has 1,077."""
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_TRUTH: Final = {"true": True, "1": True, "false": False, "0": False}
_UNUSUAL: Final = {"INF": math.inf, "-INF": -math.inf, "NaN": math.nan}


class LiteralError(RecipeError):
    """A text that is not a value of its type; the error shows a valid one."""


def value(item: Plain | Token) -> Literal:
    """Return the value; None if the item is nil. Raise LiteralError."""
    if item.nil:
        return None
    if isinstance(item, Token):
        return _token(item)
    if item.type == "string":
        return item.text
    text = item.text.strip()
    if item.type == "boolean":
        if text not in _TRUTH:
            raise LiteralError(f"{shortened(text)!r} is not a truth value; write true or false")
        return _TRUTH[text]
    return _real(text, item.type) if item.type in ("float", "double") else _whole(text, item.type)


def plain(kind: PlainType, content: Literal) -> Plain:
    """Return the item that spells `content`; raise LiteralError if `kind` has no such value."""
    if content is None:
        return Plain(kind, nil=True)
    if isinstance(content, bool):
        item = Plain(kind, "true" if content else "false")
    elif isinstance(content, float):
        item = Plain(kind, _spell(content))
    else:
        item = Plain(kind, str(content))
    value(item)
    return item


def canonical(item: Plain | Token) -> str:
    """Return the one text for all spellings of the value; the text itself if it spells none."""
    if isinstance(item, Token) and item.type in _HEXADECIMAL and not item.nil:
        return ids.normal(item.text if item.value is None else item.value)
    try:
        found = value(item)
    except LiteralError:
        return item.text.strip() if isinstance(item, Plain) else item.value or item.text
    if isinstance(found, bool):
        return "true" if found else "false"
    return _spell(found) if isinstance(found, float) else str(found if found is not None else "")


def _token(item: Token) -> str | int:
    text = (item.text if item.value is None else item.value).strip()
    return _whole(text, item.type) if item.type in RANGES and text else text


def _whole(text: str, kind: str) -> int:
    low, high = RANGES[kind]
    if _INTEGER.fullmatch(text) is None:
        raise LiteralError(f"{shortened(text)!r} is not a whole number, as {kind} must be")
    number = int(text)
    if not low <= number <= high:
        raise LiteralError(f"{shortened(text)} is outside {low}…{high}, the range of {kind}")
    return number


def _real(text: str, kind: str) -> float:
    if text in _UNUSUAL:
        return _UNUSUAL[text]
    if len(text) > _LONGEST_REAL or _DECIMAL.fullmatch(text) is None:
        raise LiteralError(f"{shortened(text)!r} is not a number, as {kind} must be; write it as 12.5 or 1e3")
    number = float(text)
    if kind == "double":
        return number
    try:
        return float(struct.unpack("<f", struct.pack("<f", number))[0])
    except OverflowError:
        raise LiteralError(f"{shortened(text)} is too large for a float; use a double") from None


def _spell(number: float) -> str:
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "INF" if number > 0 else "-INF"
    return repr(number)
