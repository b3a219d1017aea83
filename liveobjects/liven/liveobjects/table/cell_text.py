"""The cells of a table as texts."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any, Final

from liven.liveobjects.table.value import REAL, TIME, TRUTH, WHOLE
from liven.runtime.foreign_text import shown_line

_MILLION: Final = 1_000_000
_LONGEST: Final = 200
_SMALL, _LARGE = 1e-4, 1e15


def cell_text(kind: str, cell: Any) -> str:
    """Return a cell of a column of this kind on one line; empty if it has no value."""
    if cell is None:
        return ""
    if kind == WHOLE:
        return f"{cell:,}"
    if kind == REAL:
        return _real(float(cell))
    if kind == TRUTH:
        return "yes" if cell else "no"
    if kind == TIME:
        return _time(int(cell))
    return shown_line(str(cell)[:_LONGEST])


def _real(number: float) -> str:
    if math.isnan(number):
        return "–"
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    if number and not _SMALL <= abs(number) < _LARGE:
        return f"{number:.4g}"
    text = f"{number:,.3f}".rstrip("0").rstrip(".")
    return text or "0"


def _time(micros: int) -> str:
    """Return a time of UTC, to the second if nothing is lost by that."""
    try:
        moment = datetime.fromtimestamp(micros // _MILLION, UTC)
    except (OverflowError, ValueError, OSError):  # no calendar has it
        return f"{micros:,} µs"
    rest = micros % _MILLION
    return f"{moment:%Y-%m-%d %H:%M:%S}" + (f".{rest // 1000:03d}" if rest else "")
