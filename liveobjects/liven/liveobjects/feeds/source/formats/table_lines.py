"""The lines of a CSV with a heading: cells by the names of their columns."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from typing import Final

from liven.liveobjects.feeds.source.formats.decoded import FieldError
from liven.runtime.foreign_text import shown_value

MOST_COLUMNS: Final = 1_000
LONGEST_CELL: Final = 1 << 17
_SEPARATORS: Final = (",", ";", "\t", "|")
_BYTE_ORDER_MARK: Final = "\ufeff"


class Heading:
    """The names of the columns, in small letters, and the character between cells."""

    def __init__(self, line: str) -> None:
        """Read a heading; raise FieldError if it names no columns."""
        line = line.removeprefix(_BYTE_ORDER_MARK)
        self.separator = max(_SEPARATORS, key=line.count)
        self.columns = [cell.strip().lower() for cell in _cells(line, self.separator)]
        if not line.strip():
            raise FieldError("the heading is empty; the first line names the columns")
        if len(self.columns) > MOST_COLUMNS:
            raise FieldError(f"it has {len(self.columns):,} columns; the limit is {MOST_COLUMNS:,}")
        double = next((one for one in self.columns if one and self.columns.count(one) > 1), "")
        if double:
            raise FieldError(f"two columns are called {shown_value(double)}")

    def cells(self, line: str) -> Mapping[str, str]:
        """Return the cells of a line by column; raise FieldError."""
        found = _cells(line, self.separator)
        if len(found) != len(self.columns):
            raise FieldError(f"it has {len(found)} cells, and the heading has {len(self.columns)}")
        return dict(zip(self.columns, found, strict=True))


def _cells(line: str, separator: str) -> list[str]:
    try:
        rows = list(csv.reader([line], delimiter=separator, strict=True))
    except csv.Error as error:
        raise FieldError(f"it is not a line of a CSV: {error}") from None
    cells = rows[0] if rows else [""]
    if any(len(cell) > LONGEST_CELL for cell in cells):  # the limit of `csv` is one for the whole process
        raise FieldError(f"it is not a line of a CSV: a cell has more than {LONGEST_CELL:,} characters")
    return cells
