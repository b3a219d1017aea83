"""The inspector: a tree and a graph of the running objects, an event probe, and promise monitors."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QPushButton,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from liven.app.inspector.event_probe import EventProbe
from liven.app.inspector.event_rates import EventRates
from liven.app.inspector.graph import Graph
from liven.app.inspector.labels import joined, kind_of, rate_text
from liven.app.inspector.tree import Tree
from liven.liveobjects.look.view.labels import plain_label
from liven.runtime.objects.connection import Connection
from liven.runtime.objects.endpoint import Endpoint
from liven.runtime.objects.node import Node
from liven.runtime.objects.promise_monitor import PromiseMonitor, PromiseMonitors
from liven.runtime.objects.proxy import Proxy

EVERY_MS = 1000
MOST = 2000
"""Most objects that are listed."""


class Inspector(QDockWidget):
    """The dock. It refreshes once a second while it is visible and measures nothing otherwise.

    The graph shows the object `whole` until another is selected.
    """

    def __init__(self, node: Node, whole: str) -> None:
        super().__init__("Inspector")
        self.setObjectName("inspector")
        self._node = node
        self._whole = whole
        self._shape: tuple[object, ...] = ()
        self._rates = EventRates(time.monotonic)
        self._watches: dict[Connection, PromiseMonitor] = {}
        self._count = plain_label()
        self._tree = Tree()
        self._graph = Graph()
        self._probe = EventProbe()
        self._pages = QTabWidget()
        self._put = QPushButton("Pro&be")
        self._monitor = QPushButton("&Monitor")
        self._arrange()
        self._put.clicked.connect(self.probe)
        self._monitor.clicked.connect(self.monitor)
        self._tree.currentItemChanged.connect(lambda *_: self._chosen())
        self._tree.itemActivated.connect(lambda *_: self.probe())
        self._graph.chosen.connect(self._tree.choose)
        self._timer = QTimer(self, interval=EVERY_MS)
        self._timer.timeout.connect(self.refresh)
        self.visibilityChanged.connect(self._seen)

    def refresh(self) -> None:
        """Read the running objects; rebuild tree and graph only if something changed."""
        running = self._running()
        connections = _connections(running)
        self._watches = {one: watch for one, watch in self._watches.items() if one in connections}
        self._rates.look(connections)
        shape = tuple(
            (proxy.path, *((end.name, joined(end)) for end in proxy.endpoints.values())) for proxy in running
        )
        ends = sum(len(proxy.endpoints) for proxy in running)
        self._count.setText(f"{len(running)} objects with {ends} endpoints are running.")
        if shape != self._shape:
            self._shape = shape
            self._tree.grow(running)
            self._draw()
        self._tell()

    def probe(self) -> None:
        """List the events of the selected endpoint as they pass."""
        end = self._tree.chosen()
        if isinstance(end, Endpoint):
            self._probe.probe(end)
            self._pages.setCurrentWidget(self._probe)
            self._offer()

    def monitor(self) -> None:
        """Switch the check for broken promises on the selected endpoint's connection on or off. A broken
        promise becomes a problem in the problems panel."""
        connection = self._chosen_connection()
        if connection is None:
            return
        watch = self._watches.pop(connection, None)
        if watch is not None:
            watch.close()
        elif (begun := self._node.service(PromiseMonitors).begin(connection)) is not None:
            self._watches[connection] = begun
        self._tell()
        self._offer()

    def copy(self) -> None:
        """Copy everything as text, to be sent to somebody who can help."""
        lines = []
        for proxy in self._running():
            lines.append(f"{proxy}  {kind_of(proxy)}")
            lines += [f"    {end.name} → {joined(end) or 'nothing'}" for end in proxy.endpoints.values()]
        QGuiApplication.clipboard().setText("\n".join(lines))

    def end(self) -> None:
        """Stop reading: the window closes."""
        self._rest()
        for watch in self._watches.values():
            watch.close()
        self._watches.clear()

    def _rest(self) -> None:
        self._timer.stop()
        self._rates.stop()
        self._probe.stop()

    def _seen(self, visible: bool) -> None:
        if not visible:
            self._rest()  # monitors keep running: they are for unattended use
        elif not self._timer.isActive():
            self.refresh()
            self._timer.start()

    def _running(self) -> list[Proxy]:
        """Return the running objects, the one of this window first."""
        running = list(self._node.running.values())[:MOST]
        return sorted(running, key=lambda proxy: (proxy.path[:1] != (self._whole,), proxy.path))

    def _arrange(self) -> None:
        copy = QPushButton("Copy as te&xt")
        copy.clicked.connect(self.copy)
        buttons = QHBoxLayout()
        for widget in (self._put, self._monitor, copy):
            buttons.addWidget(widget)
        buttons.addStretch(1)
        self._pages.addTab(self._graph, "&Graph")
        self._pages.addTab(self._probe, "Probe")
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self._tree)
        split.addWidget(self._pages)
        split.setSizes([520, 460])
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addWidget(self._count)
        layout.addWidget(split, 1)
        layout.addLayout(buttons)
        self.setWidget(page)
        self._offer()

    def _chosen(self) -> None:
        """Show the graph of the object that the selected row belongs to."""
        what = self._tree.chosen()
        self._offer()
        proxy = what.proxy if isinstance(what, Endpoint) else what
        if proxy is not None and proxy.path and proxy.path[0] != self._whole and not self._drawn(proxy):
            self._whole = proxy.path[0]
            self._draw()
        self._graph.mark(what)

    def _drawn(self, proxy: Proxy) -> bool:
        return any(one is proxy for one in self._of_whole())

    def _draw(self) -> None:
        self._graph.draw(self._of_whole())
        self._graph.mark(self._tree.chosen())

    def _of_whole(self) -> list[Proxy]:
        """Return the parts of one whole object and everything connected to them."""
        running = self._running()
        own = [proxy for proxy in running if proxy.path[:1] == (self._whole,)]
        there = {id(proxy) for proxy in own}
        ends = (end for proxy in own for end in proxy.endpoints.values())
        beside = {
            id(other.proxy): other.proxy
            for end in ends
            if end.connection is not None
            for other in [end.connection.opposite(end)]
            if id(other.proxy) not in there
        }
        return [*sorted(own, key=lambda proxy: len(proxy.path)), *beside.values()]

    def _chosen_connection(self) -> Connection | None:
        end = self._tree.chosen()
        return end.connection if isinstance(end, Endpoint) else None

    def _offer(self) -> None:
        """Enable the buttons that apply to the selected row."""
        connection = self._chosen_connection()
        watched = connection is not None and connection in self._watches
        self._put.setEnabled(isinstance(self._tree.chosen(), Endpoint))
        self._monitor.setEnabled(connection is not None)
        self._monitor.setText("Stop &monitoring" if watched else "&Monitor")

    def _tell(self) -> None:
        self._tree.tell(lambda end: rate_text(self._rates.rate(end.connection)), self._verdict)
        self._graph.show_rates({one: self._rates.rate(one) for one in _connections(self._of_whole())})

    def _verdict(self, end: Endpoint) -> str:
        watch = self._watches.get(end.connection) if end.connection is not None else None
        if watch is None:
            return ""
        return "⚠ promise broken" if watch.broken else "on"


def _connections(running: list[Proxy]) -> dict[Connection, None]:
    ends = (end for proxy in running for end in proxy.endpoints.values())
    return {end.connection: None for end in ends if end.connection is not None}
