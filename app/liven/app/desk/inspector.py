"""The inspector: what runs in this program, as a tree: objects, their endpoints, what these are joined to."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDockWidget,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from liven.runtime.endpoint import Endpoint
from liven.runtime.node import Node
from liven.runtime.proxy import Proxy

EVERY_MS = 1000
MOST = 2000
"""So many objects are listed."""


class Inspector(QDockWidget):
    """Objects by their place in the recipe; below each its endpoints, and what they are joined to."""

    def __init__(self, node: Node) -> None:
        super().__init__("Inspector")
        self.setObjectName("inspector")
        self._node = node
        self._shape: tuple[object, ...] = ()
        self._tree = QTreeWidget()
        self._tree.setAccessibleName("What runs")
        self._tree.setColumnCount(3)
        self._tree.setHeaderLabels(["Object or endpoint", "Joined to", "Type"])
        self._count = QLabel()
        copy = QPushButton("&Copy as text")
        copy.clicked.connect(self.copy)
        page = QWidget()
        layout = QVBoxLayout(page)
        for widget in (self._count, self._tree, copy):
            layout.addWidget(widget)
        self.setWidget(page)
        self._timer = QTimer(self, interval=EVERY_MS)
        self._timer.timeout.connect(self.refresh)
        self.visibilityChanged.connect(self._seen)

    def refresh(self) -> None:
        """Looks again; the tree is made anew only when something is another."""
        running = list(self._node.running.values())[:MOST]
        shape = tuple(
            (proxy.path, *((end.name, _joined(end)) for end in proxy.endpoints.values())) for proxy in running
        )
        ends = sum(len(proxy.endpoints) for proxy in running)
        self._count.setText(f"{len(running)} objects with {ends} endpoints run here.")
        if shape != self._shape:
            self._shape = shape
            self._grow(running)

    def copy(self) -> None:
        """All of it as text, for a message to somebody who can help."""
        lines = []
        for proxy in list(self._node.running.values())[:MOST]:
            lines.append(f"{proxy}  {type(proxy.instance).__name__}")
            lines += [f"    {end.name} → {_joined(end) or 'nothing'}" for end in proxy.endpoints.values()]
        QGuiApplication.clipboard().setText("\n".join(lines))

    def _grow(self, running: list[Proxy]) -> None:
        self._tree.clear()
        for proxy in running:
            kind = type(proxy.instance).__name__
            top = QTreeWidgetItem(self._tree, [str(proxy), "", kind])
            for end in proxy.endpoints.values():
                row = QTreeWidgetItem(top, [end.name, _joined(end), str(end.type.local or "events")])
                row.setToolTip(2, "\n".join(f"in {name}" for name, _ in end.type.inputs) or "takes no events")
        self._tree.expandToDepth(0)
        for column in (0, 1):
            self._tree.resizeColumnToContents(column)

    def _seen(self, visible: bool) -> None:
        if visible:
            self.refresh()
            self._timer.start()
        else:
            self._timer.stop()


def _joined(end: Endpoint) -> str:
    """The other end of an endpoint's connection; empty if it has none."""
    if end.connection is None:
        return ""
    return str(end.connection.opposite(end))
