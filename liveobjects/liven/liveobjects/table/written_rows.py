"""Rows written as text, cells divided by commas: each column gets the narrowest kind that fits its cells."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Sequence
from typing import Any, Final

from liven.liveobjects.table.value import REAL, TEXT, TRUTH, WHOLE, Table, column_of

MOST_ROWS: Final = 10_000
MOST_COLUMNS: Final = 200
_WHOLE: Final = re.compile(r"[+-]?(0|[1-9][0-9]{0,17})")
_REAL: Final = re.compile(r"[+-]?([0-9]{1,30}(\.[0-9]{0,30})?|\.[0-9]{1,30})([eE][+-]?[0-9]{1,3})?")
_LEADING_ZERO: Final = re.compile(r"[+-]?0[0-9]")
"""Numbers such as 007 are names: as numbers they would lose their zeros."""
_TRUTH: Final = {"true": True, "yes": True, "false": False, "no": False}


def table_of(text: str) -> Table:
    """Return the table that a text holds; the names of the columns are in its first row."""
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline="")):
            if len(rows) > MOST_ROWS:
                break
            rows.append(row[:MOST_COLUMNS])
    except csv.Error:
        pass  # what was read before stays
    head, body = (rows[0], rows[1 : MOST_ROWS + 1]) if rows else ([], [])
    count = max(map(len, rows), default=0)
    columns = []
    for number in range(count):
        name = head[number] if number < len(head) and head[number] else f"Column {number + 1}"
        cells = [row[number] if number < len(row) else "" for row in body]
        columns.append(_column(name, cells))
    return Table(columns, 0, len(rows) > MOST_ROWS + 1)


def _column(name: str, cells: Sequence[str]) -> Any:
    plain = [cell.strip() for cell in cells]
    there = [cell for cell in plain if cell]
    if there and all(_WHOLE.fullmatch(cell) for cell in there):
        return column_of(WHOLE, name, (int(cell) if cell else None for cell in plain))
    if there and all(_REAL.fullmatch(cell) and not _LEADING_ZERO.match(cell) for cell in there):
        numbers = [float(cell) if cell else None for cell in plain]
        if all(cell is None or math.isfinite(cell) for cell in numbers):
            return column_of(REAL, name, numbers)
    if there and all(cell.lower() in _TRUTH for cell in there):
        return column_of(TRUTH, name, (_TRUTH[cell.lower()] if cell else None for cell in plain))
    return column_of(TEXT, name, (cell or None for cell in cells))
