"""Lists that are nearly always empty, at no cost while they are.

A program has thousands of channels, nearly all idle, and an empty list (56 bytes on 64-bit CPython) is larger
than most of an idle channel's fields. An empty one is therefore the shared empty tuple, and becomes a list
with its first row.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Rows: TypeAlias = list[T] | tuple[T, ...]


def with_row(rows: Rows[T], row: T) -> list[T]:
    """Append a row and return the list, which the caller stores in place of the rows. A list is changed in
    place."""
    if isinstance(rows, list):
        rows.append(row)
        return rows
    return [row]


def with_rows(rows: Rows[T], more: Iterable[T]) -> Rows[T]:
    """Append rows and return the list, as `with_row` does."""
    if isinstance(rows, list):
        rows += more
        return rows
    return list(more) or ()


def without_first(rows: Rows[T], count: int) -> Rows[T]:
    """Return all rows but the first `count`."""
    if isinstance(rows, list) and count < len(rows):
        del rows[:count]
        return rows
    return ()
