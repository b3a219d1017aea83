"""The result of decoding: rows in neutral form, and the faults of those that were refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeVar

Row: TypeAlias = Any
"""One value in neutral form: a dictionary for a record."""
Item = TypeVar("Item")

MOST_FAULTS: Final = 20
"""Faults that are kept with their reason; the others are counted."""


class FieldError(ValueError):
    """A field, row or document that cannot be used; the text says why, without the place."""


@dataclass(frozen=True, slots=True)
class RowFault:
    """One row that was refused."""

    row: int
    """Its number, from 1; 0 for the whole document."""
    reason: str

    def __str__(self) -> str:
        return f"row {self.row}: {self.reason}" if self.row else self.reason


@dataclass(slots=True)
class Decoded:
    """The rows of one document."""

    rows: list[Row] = field(default_factory=list)
    faults: list[RowFault] = field(default_factory=list)
    """The first faults."""
    refused: int = 0
    """The number of all faults."""

    def refuse(self, row: int, reason: str) -> None:
        """Count a fault, and keep it if there is room."""
        self.refused += 1
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(RowFault(row, reason))


Decode: TypeAlias = Callable[[bytes], Decoded]
"""Decodes a document."""


def unusable(reason: str) -> Decoded:
    """Return the result for a document of which nothing can be used."""
    result = Decoded()
    result.refuse(0, reason)
    return result


def each(items: Iterable[Item], read: Callable[[Item], Row | None], first: int = 1) -> Decoded:
    """Return the rows that `read` makes of items; None is an item without a row. `read` raises FieldError for
    an item that it cannot use."""
    result = Decoded()
    for number, item in enumerate(items, first):
        try:
            row = read(item)
        except FieldError as error:
            result.refuse(number, str(error))
            continue
        if row is not None:
            result.rows.append(row)
    return result
