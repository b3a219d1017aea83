"""Rows of which there are mostly none.

A program has thousands of channels, nearly all of them idle, and an empty list is larger than most of what a
channel must keep. So what is empty is the one empty tuple, and becomes a list when something comes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Rows: TypeAlias = list[T] | tuple[T, ...]


def with_row(rows: Rows[T], row: T) -> list[T]:
    """The rows and one more; to be put in their place, as a list is changed and not copied."""
    if isinstance(rows, list):
        rows.append(row)
        return rows
    return [row]


def with_rows(rows: Rows[T], more: Iterable[T]) -> Rows[T]:
    """The rows and more of them, likewise."""
    if isinstance(rows, list):
        rows += more
        return rows
    return list(more) or ()


def without_first(rows: Rows[T], count: int) -> Rows[T]:
    """All but the first so many."""
    if isinstance(rows, list) and count < len(rows):
        del rows[:count]
        return rows
    return ()
