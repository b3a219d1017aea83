"""A table as a value: columns of one kind each, which can be sent over channels."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

from liven.types.declare import Int64, value

WHOLE: Final = "whole"
REAL: Final = "real"
TEXT: Final = "text"
TRUTH: Final = "truth"
TIME: Final = "time"
_LEAST, _MOST = -(2**63), 2**63 - 1


@value
class WholeColumn:
    """A column of whole numbers."""

    name: str
    values: list[Int64 | None]


@value
class RealColumn:
    """A column of numbers."""

    name: str
    values: list[float | None]


@value
class TextColumn:
    """A column of texts."""

    name: str
    values: list[str | None]


@value
class TruthColumn:
    """A column of what is true or false."""

    name: str
    values: list[bool | None]


@value
class TimeColumn:
    """A column of times, in microseconds since 1970 UTC."""

    name: str
    values: list[Int64 | None]


@value(id="9052B901314145E43A1574EF95B25B69", alias="liven:table-value")
class Table:
    """All rows of a table, column by column."""

    columns: list[WholeColumn | RealColumn | TextColumn | TruthColumn | TimeColumn]
    at: Int64
    """The time of the table, in microseconds since 1970 UTC."""
    is_cut: bool
    """True if there are more rows than are in it."""


def _is_whole(cell: object) -> bool:
    return isinstance(cell, int) and not isinstance(cell, bool) and _LEAST <= cell <= _MOST


def _is_number(cell: object) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _is_text(cell: object) -> bool:
    return isinstance(cell, str)


def _is_truth(cell: object) -> bool:
    return isinstance(cell, bool)


Column: TypeAlias = WholeColumn | RealColumn | TextColumn | TruthColumn | TimeColumn
_COLUMNS: Final[dict[str, tuple[type[Column], Callable[[object], bool]]]] = {
    WHOLE: (WholeColumn, _is_whole),
    REAL: (RealColumn, _is_number),
    TEXT: (TextColumn, _is_text),
    TRUTH: (TruthColumn, _is_truth),
    TIME: (TimeColumn, _is_whole),
}
_KINDS: Final = {cls: kind for kind, (cls, _) in _COLUMNS.items()}


def kind_of(column: Column) -> str:
    """Return the kind of a column in one word."""
    return _KINDS[type(column)]


def column_of(kind: str, name: str, cells: Iterable[Any]) -> Column:
    """Return a column of these cells; raise ValueError for a kind that there is not, or another cell."""
    if kind not in _COLUMNS:
        raise ValueError(f"there is no column of the kind {kind!r}")
    cls, fits = _COLUMNS[kind]
    found: list[Any] = list(cells)
    for cell in found:
        if cell is not None and not fits(cell):
            raise ValueError(f"{cell!r:.80} is no value of the column {name!r:.80}, whose kind is {kind}")
    if kind == REAL:
        found = [None if cell is None else float(cell) for cell in found]
    return cls(name, found)


def row_count(table: Table) -> int:
    """Return the number of rows: the shortest column's, as a table of strangers may be ragged."""
    return min((len(column.values) for column in table.columns), default=0)
