"""The gesture that draws a connector."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPalette, QPen
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.view.gestures.gesture import Gesture, GestureCanvas


class DrawConnector(Gesture):
    """Draws a connector from one item to another and selects it, so that the next keys apply to it."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, canvas: GestureCanvas, start: QPointF, source: Item) -> None:
        super().__init__(canvas, start)
        self._source = source

    def end(self) -> None:
        target = self.canvas.item_at(self.at)
        if target is None or target.key == self._source.key:
            return
        command = commands.connect(self.canvas.state, self._source.key, target.key)
        if not command.changes:
            self.canvas.notify("Connect: there is already a connector.")
        self.canvas.do(command)
        drawn = commands.connector(self.canvas.state, self._source.key, target.key)
        if drawn is not None:
            self.canvas.select(frozenset(), drawn)

    def paint(self, painter: QPainter) -> None:
        painter.setPen(QPen(QApplication.palette().color(QPalette.ColorRole.Highlight), 2))
        painter.drawLine(self.canvas.camera.to_window(rect(self._source.place).center()), self.at)
