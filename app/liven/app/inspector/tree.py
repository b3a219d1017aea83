"""The tree: objects by their place in the recipe, with their endpoints and connections below."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem

from liven.app.inspector.labels import joined, kind_of
from liven.liveobjects.look.view.labels import plain_tip
from liven.runtime.objects.endpoint import Endpoint
from liven.runtime.objects.proxy import Proxy

_WHAT = Qt.ItemDataRole.UserRole
_HEAD = ("Object or endpoint", "Connected to", "Events", "Monitor", "Type")
_RATE, _MONITOR = 2, 3
_WIDEST = 190


class Tree(QTreeWidget):
    """The tree widget. Each row holds the object or endpoint that it shows."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("What runs")
        self.setColumnCount(len(_HEAD))
        self.setHeaderLabels(list(_HEAD))
        self.setIndentation(14)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # paths differ at their ends
        self._ends: list[QTreeWidgetItem] = []

    def grow(self, running: Sequence[Proxy]) -> None:
        """Show these objects, keeping the selection if it still exists."""
        chosen = self.chosen()
        self.clear()
        self._ends.clear()
        for proxy in running:
            top = QTreeWidgetItem(self, [str(proxy), "", "", "", kind_of(proxy)])
            top.setData(0, _WHAT, proxy)
            top.setToolTip(0, plain_tip(str(proxy)))
            for end in proxy.endpoints.values():
                self._ends.append(_end_row(top, end))
        self.expandToDepth(0)
        for column in range(len(_HEAD) - 1):
            self.resizeColumnToContents(column)
            self.setColumnWidth(column, min(self.columnWidth(column), _WIDEST))
        self.choose(chosen)

    def chosen(self) -> Proxy | Endpoint | None:
        """Return the selected object or endpoint."""
        item = self.currentItem()
        what = None if item is None else item.data(0, _WHAT)
        return what if isinstance(what, Proxy | Endpoint) else None

    def choose(self, what: object) -> None:
        """Select the row of an object or endpoint."""
        for at in range(self.topLevelItemCount()):
            top = self.topLevelItem(at)
            rows = [top, *(top.child(row) for row in range(top.childCount()))] if top is not None else []
            for row in rows:
                if row is not None and row.data(0, _WHAT) is what:
                    self.setCurrentItem(row)
                    self.scrollToItem(row)
                    return

    def tell(self, rate: Callable[[Endpoint], str], monitor: Callable[[Endpoint], str]) -> None:
        """Show the rate of each endpoint's connection and the state of its monitor."""
        for row in self._ends:
            end = row.data(0, _WHAT)
            row.setText(_RATE, rate(end))
            row.setText(_MONITOR, monitor(end))
        self.resizeColumnToContents(_MONITOR)


def _end_row(top: QTreeWidgetItem, end: Endpoint) -> QTreeWidgetItem:
    row = QTreeWidgetItem(top, [end.name, joined(end), "", "", str(end.type.local or "events")])
    row.setData(0, _WHAT, end)
    row.setToolTip(1, plain_tip(joined(end)))
    ways = [("in", end.type.inputs), ("out", end.type.outputs)]
    told = "\n".join(f"{way} {name}" for way, events in ways for name, _ in events)
    row.setToolTip(4, plain_tip(told or "rejects events"))
    return row
