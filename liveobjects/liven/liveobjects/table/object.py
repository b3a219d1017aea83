"""The table as an object: the latest table of a value stream, sorted; and a stream of one written table."""

from __future__ import annotations

from collections.abc import Callable

from liven.liveobjects.channel.api.endpoints import Value, ValueClient
from liven.liveobjects.table.cell_text import cell_text
from liven.liveobjects.table.ordering import ordered_rows, sort_keys
from liven.liveobjects.table.value import Table, kind_of
from liven.liveobjects.table.written_rows import table_of
from liven.runtime.objects.context import Context
from liven.runtime.objects.reply import Reply
from liven.types.declare import Dual, ExportedUI, proxy

_LONGEST_NAME = 100


@proxy(
    id="0B45541C5309B2BEE9360F8367A8F0FA",
    alias="liven:table",
    view="liven.liveobjects.table.view:make",
)
class TableObject:
    """Shows the latest table of a value stream. `sort` names columns, separated by commas, each with a -
    before it for the greatest first."""

    UI: ExportedUI
    rows: Dual[ValueClient[Table], Value[Table]]

    def __init__(self, context: Context, sort: str = "", title: str = "") -> None:
        self.context = context
        self.title = title[:_LONGEST_NAME]
        self.table: Table | None = None
        self.order: list[int] = []
        """The numbers of the rows as they are shown."""
        self._watchers: list[Callable[[], object]] = []
        self._keys = sort_keys(sort)

    def watch(self, watcher: Callable[[], object]) -> None:
        """Call a view after each change."""
        self._watchers.append(watcher)

    def unwatch(self, watcher: Callable[[], object]) -> None:
        """Stop calling a view."""
        self._watchers.remove(watcher)

    def rows_connected(self) -> None:
        """Ask for the present table."""

        def got(reply: Reply[Table]) -> None:
            if reply.error is None and self.table is None and isinstance(table := reply.value(), Table):
                self.set(table)

        self.rows.peer.get().then(got)  # type: ignore[attr-defined]

    def set(self, value: Table) -> None:
        """Show a table."""
        self.table = value
        self.order = ordered_rows(value, self._keys)
        for watcher in tuple(self._watchers):
            watcher()

    def lines(self) -> list[list[str]]:
        """Return the names of the columns, and the rows as texts in their order."""
        if self.table is None:
            return []
        columns = [(kind_of(column), column) for column in self.table.columns]
        rows = [[cell_text(kind, column.values[number]) for kind, column in columns] for number in self.order]
        return [[column.name for _, column in columns], *rows]


@proxy(id="0D26CEB3459F4DE0858A76130902EACD", alias="liven:rows")
class WrittenRows:
    """A stream of one table, which is written in the recipe as rows of cells with commas between them. Its
    first row names the columns. Everybody sees the same rows, and nobody changes them."""

    Endpoint: Dual[Value[Table], ValueClient[Table]]

    def __init__(self, context: Context, text: str) -> None:
        self.context = context
        self._table = table_of(text)

    def Endpoint_connected(self) -> None:
        """Send the table."""
        self.Endpoint.peer.set(self._table)

    def get(self) -> Table:
        """Return the table."""
        return self._table

    def set(self, value: Table) -> None:
        """Refuse another table: this one is part of the recipe."""
        del value
        self.context.report("the rows are written in the recipe, so nothing can replace them")
