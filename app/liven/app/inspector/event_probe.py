"""The event probe: the last events at one endpoint, with their values."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from liven.liveobjects.look.view.labels import plain_label, plain_tip
from liven.runtime.objects.connection import Connection
from liven.runtime.objects.connection_taps import EventLog, PassedEvent
from liven.runtime.objects.endpoint import Endpoint

EVERY_MS = 200
_HEAD = ("Time", "Way", "Event", "Values")


class EventProbe(QWidget):
    """A list of the events at an endpoint, from `probe` until `stop`."""

    def __init__(self) -> None:
        super().__init__()
        self._end: Endpoint | None = None
        self._connection: Connection | None = None
        self._log = EventLog(time.time)
        self._listed = 0
        self._words = plain_label()
        self._words.setWordWrap(True)
        self._list = QTreeWidget()
        self._list.setAccessibleName("Events on the probed endpoint")
        self._list.setRootIsDecorated(False)
        self._list.setHeaderLabels(list(_HEAD))
        self._stop = QPushButton("S&top probing")
        self._stop.clicked.connect(self.stop)
        head = QHBoxLayout()
        head.addWidget(self._words, 1)
        head.addWidget(self._stop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(head)
        layout.addWidget(self._list)
        self._timer = QTimer(self, interval=EVERY_MS)
        self._timer.timeout.connect(self.refresh)
        self._detach()

    @property
    def probed(self) -> Endpoint | None:
        """The endpoint being probed, if any."""
        return self._end

    def probe(self, end: Endpoint) -> None:
        """Probe another endpoint from now on."""
        self.stop()
        self._end = end
        self._log = EventLog(time.time)
        self._listed = -1
        self._stop.setEnabled(True)
        self._timer.start()
        self.refresh()

    def stop(self) -> None:
        """Stop probing."""
        self._timer.stop()
        self._tap(None)
        if self._end is not None:
            self._end = None
            self._detach()

    def _detach(self) -> None:
        """Detach from the connection and keep the list readable."""
        self._stop.setEnabled(False)
        self._words.setText("Select an endpoint and press Probe to list its events here.")

    def refresh(self) -> None:
        """Add new events, and follow the endpoint if it is connected to another one now."""
        end = self._end
        if end is None:
            return
        self._tap(end.connection)
        self._words.setText(self._told(end))
        if self._listed != self._log.total:
            self._listed = self._log.total
            self._list.clear()
            self._list.addTopLevelItems([_row(passed, end) for passed in self._log.kept])
            self._list.scrollToBottom()
            for column in range(len(_HEAD) - 1):
                self._list.resizeColumnToContents(column)

    def _told(self, end: Endpoint) -> str:
        if end.proxy.ended:
            return f"{end} has ended."
        if end.connection is None:
            return f"{end} is not connected; its events are listed once it is."
        return f"{end}: {self._log.total} events, the last {len(self._log.kept)} below."

    def _tap(self, connection: Connection | None) -> None:
        if connection is not self._connection:
            if self._connection is not None:
                self._connection.unwatch(self._log)
            if connection is not None:
                connection.watch(self._log)
            self._connection = connection


def _row(passed: PassedEvent, end: Endpoint) -> QTreeWidgetItem:
    clock = time.strftime("%H:%M:%S", time.localtime(passed.at)) + f".{int(passed.at * 1000) % 1000:03d}"
    row = QTreeWidgetItem([clock, "in" if passed.receiver is end else "out", passed.name, passed.values])
    row.setToolTip(3, plain_tip(passed.values))
    return row
