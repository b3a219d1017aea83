"""The lines of JSON that a query prints, as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from liven.liveobjects.table.value import Table, column_of


def told_table(event: Mapping[str, Any]) -> Table:
    """Return the table of an event; raise ValueError for an event of another form."""
    try:
        kinds = [(str(name), str(kind)) for name, kind in event["columns"]]
        rows = event["rows"]
        if any(len(row) != len(kinds) for row in rows):
            raise ValueError("a row has another number of cells than there are columns")
        columns = [
            column_of(kind, name, [row[place] for row in rows]) for place, (name, kind) in enumerate(kinds)
        ]
        return Table(columns, int(event["at"]), bool(event["cut"]))
    except (KeyError, TypeError) as error:
        raise ValueError(f"the query printed something that is no table: {error}") from None
