"""The order in which the rows of a table are shown, written as `-start, sector`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from liven.liveobjects.table.value import Table, row_count


@dataclass(frozen=True, slots=True)
class SortKey:
    """One column to sort by."""

    column: str
    descending: bool = False


def sort_keys(text: str) -> tuple[SortKey, ...]:
    """Return the columns that a person wrote, each with a - before it for the greatest first."""
    parts = [part.strip() for part in text.split(",")]
    return tuple(
        SortKey(part.lstrip("-").strip(), part.startswith("-")) for part in parts if part.strip("- ")
    )


def ordered_rows(table: Table, keys: Sequence[SortKey]) -> list[int]:
    """Return the numbers of the rows in an order. Columns that the table lacks are passed over, and cells
    without a value come last."""
    columns = {column.name.lower(): column.values for column in reversed(table.columns)}
    found = list(range(row_count(table)))
    for key in reversed(keys):
        values: Sequence[Any] | None = columns.get(key.column.lower())
        if values is None:
            continue
        there = [number for number in found if not _is_missing(values[number])]
        missing = [number for number in found if _is_missing(values[number])]
        there.sort(key=lambda number: values[number], reverse=key.descending)
        found = [*there, *missing]
    return found


def _is_missing(cell: Any) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))
