"""The slow side of generated code: values that are not exactly of the expected Python type.

Generated code tests for the exact type in line and comes here otherwise. Subclasses (an IntEnum, a numpy
float) become plain; whole numbers become floats where that is exact; all else is a fault.
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
    """A whole number within bounds."""
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return int(value)
    raise bad(steps, expected, value)


def number(value: Any, expected: str, steps: Steps) -> float:
    """A float; a whole number if it is exact as one."""
    if isinstance(value, float):
        return float(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _EXACT[expected]:
        return float(value)
    raise bad(steps, expected, value)


def single(value: Any, steps: Steps) -> float:
    """A number to be written in 32 bits: rounded, never turned into infinity."""
    found = number(value, "float32", steps)
    if abs(found) > SINGLE_MAX and not math.isinf(found):
        raise CodecError(path_of(steps), f"expected float32, got {found!r}, which is too large for it")
    return found


def single_read(value: Any, steps: Steps) -> float:
    """A number that came from the wire and must be exact in 32 bits."""
    found = single(value, steps)
    if found == found and rounded(found) != found:
        raise CodecError(path_of(steps), "expected float32, got float64")
    return found


def rounded(value: float) -> float:
    """The nearest float of 32 bits; infinity stays."""
    nearest: float = _SINGLE.unpack(_SINGLE.pack(value))[0]
    return nearest


def rounded_loosely(value: float) -> float:
    """The nearest float of 32 bits; not a number where there is none."""
    return rounded(value) if abs(value) <= SINGLE_MAX else math.nan


def text(value: Any, expected: str, steps: Steps) -> str:
    """A text."""
    if isinstance(value, str):
        return str.__str__(value)
    raise bad(steps, expected, value)


def run_of_bytes(value: Any, steps: Steps) -> bytes:
    """A run of bytes."""
    if isinstance(value, bytes):
        return bytes(value)
    raise bad(steps, "bytes", value)


def unpaired(value: Any, path: str) -> CodecError | None:
    """The fault of the first text in a neutral value that has no UTF-8 form; a key is a text too."""
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
