"""The value stream of a query: its latest result, which nobody can set."""

from __future__ import annotations

from liven.liveobjects.table.value import Table
from liven.runtime.errors import CallFailedError


class LatestTable:
    """The answers of a value stream of tables that a query alone feeds."""

    latest: Table | None = None

    def get(self) -> Table:
        """Return the latest table."""
        if self.latest is None:
            raise CallFailedError("no result has come yet")
        return self.latest

    def set(self, value: Table) -> None:
        """Refuse the value: results come from the query alone."""
        del value
        raise CallFailedError("the result of a query cannot be set")
