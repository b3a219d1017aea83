"""The slow path of generated code: values that are not exactly of the expected Python type.

Generated code tests for the exact type inline and calls these functions otherwise. Subclasses (an IntEnum,
a numpy float) become plain values, whole numbers become floats where that is exact, and anything else is a
fault.
"""

from __future__ import annotations

import math
import struct
from typing import Any

from liven.types.codec.errors import CodecError, Steps, bad, path_of

SINGLE_MAX = 3.4028234663852886e38
_SINGLE = struct.Struct(">f")
_EXACT = {"float32": 2**24, "float64": 2**53}


def whole(value: Any, low: int, high: int, expected: str, steps: Steps) -> int:
    """Return a whole number within bounds."""
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return int(value)
    raise bad(steps, expected, value)


def number(value: Any, expected: str, steps: Steps) -> float:
    """Return a float, also for a whole number that is exact as one."""
    if isinstance(value, float):
        return float(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _EXACT[expected]:
        return float(value)
    raise bad(steps, expected, value)


def single(value: Any, steps: Steps) -> float:
    """Return a number to be written in 32 bits: rounded, but never to infinity."""
    found = number(value, "float32", steps)
    if abs(found) > SINGLE_MAX and not math.isinf(found):
        raise CodecError(path_of(steps), f"expected float32, got {found!r}, which is too large for it")
    return found


def single_read(value: Any, steps: Steps) -> float:
    """Return a number from the wire, which must be exact in 32 bits."""
    found = single(value, steps)
    if found == found and rounded(found) != found:
        raise CodecError(path_of(steps), "expected float32, got float64")
    return found


def rounded(value: float) -> float:
    """Return the nearest float of 32 bits; infinity stays infinity."""
    nearest: float = _SINGLE.unpack(_SINGLE.pack(value))[0]
    return nearest


def rounded_loosely(value: float) -> float:
    """Return the nearest float of 32 bits, or NaN if there is none."""
    return rounded(value) if abs(value) <= SINGLE_MAX else math.nan


def text(value: Any, expected: str, steps: Steps) -> str:
    """Return a plain text."""
    if isinstance(value, str):
        return str.__str__(value)
    raise bad(steps, expected, value)


def run_of_bytes(value: Any, steps: Steps) -> bytes:
    """Return plain bytes."""
    if isinstance(value, bytes):
        return bytes(value)
    raise bad(steps, "bytes", value)


def unpaired(value: Any, path: str) -> CodecError | None:
    """Return the fault of the first text or key in a neutral value that has no UTF-8 form."""
    if isinstance(value, str):
        return _without_form(value, path, "the text")
    if isinstance(value, dict):
        return next(filter(None, (_unpaired_item(key, part, path) for key, part in value.items())), None)
    if isinstance(value, list):
        items = enumerate(value)
        return next((found for i, part in items if (found := unpaired(part, f"{path}[{i}]"))), None)
    return None


def _unpaired_item(key: Any, part: Any, path: str) -> CodecError | None:
    fault = _without_form(key, path, f"the key {key!a}") if isinstance(key, str) else None
    return fault or unpaired(part, f"{path}.{key}")


def _without_form(text: str, path: str, what: str) -> CodecError | None:
    try:
        text.encode()
    except UnicodeEncodeError as problem:
        sign = hex(ord(text[problem.start]))
        return CodecError(path, f"{what} holds half a surrogate pair ({sign}) at {problem.start}")
    return None
