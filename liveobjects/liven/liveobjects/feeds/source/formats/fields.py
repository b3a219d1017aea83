"""Readers of single fields. Each returns a value of a declared range, or raises FieldError with the reason.

Documents come from strangers: numbers may be NaN, endless or of a thousand digits, texts may be halves of
characters, and anything may have another type than it should.
"""

from __future__ import annotations

import json
import math
import re
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from liven.liveobjects.feeds.source.formats.decoded import FieldError
from liven.runtime.foreign_text import shown_value

LONGEST: Final = 2_000
"""Characters of a text."""
FEET: Final = 0.3048
KNOTS: Final = 1852 / 3600
FEET_A_MINUTE: Final = FEET / 60
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_FIRST: Final = -62_135_596_800
_LAST: Final = 253_402_300_799
"""Seconds of the years 1 and 9999, the range of `datetime`."""
_NUMBER: Final = re.compile(r"[+-]?(\d{1,64}(\.\d{0,64})?|\.\d{1,64})([eE][+-]?\d{1,4})?")
_WHOLE: Final = re.compile(r"[+-]?\d{1,40}")
_UNITS: Final = ((1e11, 1_000_000), (1e14, 1_000), (1e17, 1))
"""Largest count since 1970 of seconds, milliseconds and microseconds, with the microseconds in each."""


def document(data: bytes) -> Any:
    """Return the value in a JSON document; raise FieldError."""
    try:
        return json.loads(data)
    except RecursionError:
        raise FieldError("it is nested too deep") from None
    except UnicodeDecodeError:
        raise FieldError("it is not JSON: its bytes are not text in UTF-8") from None
    except ValueError as error:
        raise FieldError(f"it is not JSON: {error}") from None


def entry(row: Any, name: str) -> Any:
    """Return a field of a JSON object, or None; raise FieldError if it is no object."""
    if not isinstance(row, dict):
        raise FieldError(f"{shown_value(row)} is not an object")
    return row.get(name)


def needed(value: Any, name: str) -> Any:
    """Return a value that must be there."""
    if value is None or value == "":
        raise FieldError(f"{name} is missing")
    return value


def number(value: Any, name: str, low: float = -math.inf, high: float = math.inf) -> float | None:
    """Return a finite number in a range; None stays None. A text is refused."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FieldError(f"{name} is {shown_value(value)}, not a number")
    try:
        found = float(value)
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise FieldError(f"{name} is {shown_value(value)}, not a finite number")
    if not low <= found <= high:
        raise FieldError(f"{name} is {found:g}, not between {low:g} and {high:g}")
    return found


def number_in(text: Any, name: str, low: float = -math.inf, high: float = math.inf) -> float | None:
    """Return the number that a text holds, or a number itself; None for an empty text."""
    if not isinstance(text, str):
        return number(text, name, low, high)
    words = text.strip()
    if not words:
        return None
    if not _NUMBER.fullmatch(words):
        raise FieldError(f"{name} is {shown_value(text)}, not a number")
    return number(float(words), name, low, high)


def whole(value: Any, name: str, low: int = -(2**63), high: int = 2**63 - 1) -> int | None:
    """Return a whole number in a range; None stays None. 3.0 is one, a text is none."""
    if value is None:
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise FieldError(f"{name} is {shown_value(value)}, not a whole number")
    if not low <= value <= high:
        raise FieldError(f"{name} is {shown_value(value)}, not between {low} and {high}")
    return value


def whole_in(text: Any, name: str, low: int = -(2**63), high: int = 2**63 - 1) -> int | None:
    """Return the whole number that a text holds, or a number itself; None for an empty text."""
    if not isinstance(text, str):
        return whole(text, name, low, high)
    words = text.strip()
    if not words:
        return None
    if not _WHOLE.fullmatch(words):
        raise FieldError(f"{name} is {shown_value(text)}, not a whole number")
    return whole(int(words), name, low, high)


def truth(value: Any, name: str) -> bool | None:
    """Return a truth value; None stays None. 0 and 1 are truth values, as many feeds write them."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and value in (0, 1):
        return bool(value)
    raise FieldError(f"{name} is {shown_value(value)}, not a truth value")


def words(value: Any, name: str, longest: int = LONGEST) -> str | None:
    """Return a text without spaces around it; None for none and for an empty one."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise FieldError(f"{name} is {shown_value(value)}, not a text")
    if len(value) > longest:
        raise FieldError(f"{name} has {len(value):,} characters; the limit is {longest:,}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise FieldError(f"{name} has half of a character, which is no text") from None
    return value.strip() or None


def microseconds(value: Any, name: str, unit: int = 1_000_000) -> int | None:
    """Return a time in µs since 1970 from a number of units, each of `unit` µs; None stays None."""
    if isinstance(value, int) and not isinstance(value, bool):
        found = value * unit if abs(value) < 2**63 else 2**63
    else:
        there = number(value, name)
        if there is None:
            return None
        found = round(there * unit) if abs(there) < 2**63 else 2**63
    return _dated(found, value, name)


def moment_in(text: Any, name: str) -> int | None:
    """Return a time in µs since 1970 from a text: ISO 8601, of UTC where no zone is given, or a count since
    1970 whose size tells seconds, milliseconds, microseconds and nanoseconds apart."""
    if not isinstance(text, str) or _NUMBER.fullmatch(text.strip()):
        count = number_in(text, name)
        if count is None:
            return None
        for largest, unit in _UNITS:
            if abs(count) < largest:
                exact = whole_in(text, name) if count.is_integer() and _is_plain(text) else None
                return microseconds(count if exact is None else exact, name, unit)
        return _dated(round(count / 1000), text, name)
    found = text.strip()
    if not found:
        return None
    try:
        there = datetime.fromisoformat(found[:64])
        return (there.replace(tzinfo=there.tzinfo or UTC) - _EPOCH) // _MICROSECOND
    except (ValueError, OverflowError):
        raise FieldError(f"{name} is {shown_value(text)}, not a time such as 2026-01-31T12:00:00Z") from None


def latitude(value: Any, name: str = "latitude") -> float | None:
    """Return a latitude in degrees."""
    return number_in(value, name, -90, 90)


def longitude(value: Any, name: str = "longitude") -> float | None:
    """Return a longitude in degrees."""
    return number_in(value, name, -180, 180)


def _is_plain(text: Any) -> bool:
    return isinstance(text, int) or (isinstance(text, str) and bool(_WHOLE.fullmatch(text.strip())))


def _dated(found: int, value: Any, name: str) -> int:
    if not _FIRST * 1_000_000 <= found <= _LAST * 1_000_000:
        raise FieldError(f"{name} is {shown_value(value)}, which is no time between the years 1 and 9999")
    return found
