"""JSON of strangers: parsed within bounds, and read value by value with a default for everything unfit."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from liven.liveobjects.desktop.foreign.board import LARGEST_FILE, ForeignError

Record: TypeAlias = dict[str, Any]
_FARTHEST: Final = 1e6
"""The largest coordinate that is taken over: others are faults, and the plane ends at ten times as much."""


def parsed(text: str | bytes) -> Any:
    """Return what a JSON text holds; raise ForeignError if it cannot be read."""
    if len(text) > LARGEST_FILE:
        size, limit = len(text) / 1e6, LARGEST_FILE / 1e6
        raise ForeignError(f"it has {size:.1f} MB; the limit is {limit:.0f} MB. Divide it into several files")
    try:
        return json.loads(text)
    except RecursionError:
        raise ForeignError("it is nested too deep, so it is damaged") from None
    except ValueError as error:
        raise ForeignError(f"it is cut off or damaged ({str(error)[:120]}); save it again") from None


def record(value: object) -> Record:
    """Return a JSON object; an empty one in place of anything else."""
    return value if isinstance(value, dict) else {}


def records(value: object) -> Iterator[Record]:
    """Yield the objects in a JSON array."""
    yield from (one for one in value if isinstance(one, dict)) if isinstance(value, list) else ()


def number(source: Record, name: str, default: float = 0.0, farthest: float = _FARTHEST) -> float:
    """Return a finite number that is not too far from zero."""
    return finite(source.get(name), default, farthest)


def finite(value: object, default: float = 0.0, farthest: float = _FARTHEST) -> float:
    """Return a value as a number if it is a finite one that is not too far from zero."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return default
    return float(value) if -farthest <= value <= farthest and math.isfinite(value) else default


def text(source: Record, name: str, default: str = "") -> str:
    """Return a text that can be stored: whole characters, no controls but line breaks and tabs."""
    found = source.get(name)
    return clean(found) if isinstance(found, str) else default


def clean(found: str) -> str:
    """Return a text without halves of characters and without control characters."""
    whole = found.replace("\r\n", "\n").replace("\r", "\n").encode(errors="replace").decode()
    return "".join(sign for sign in whole if sign in "\n\t" or sign >= " ")
