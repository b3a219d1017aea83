"""Mouse gestures: each starts with a press, follows the mouse, and ends or is cancelled.

While it lasts, it shows the result in `GestureCanvas.preview`; nobody else sees anything. When it ends, it
makes one command. Cancelling changes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPalette, QPen
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.state import Desktop, Item, Link, Place
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.view.transfer.drop_targets import DropTargets
from liven.liveobjects.desktop.view.transfer.separate_copies import SeparateCopies


class GestureCanvas(Protocol):
    """The part of the canvas that gestures use."""

    snapping: bool

    @property
    def camera(self) -> Camera: ...

    @property
    def preview(self) -> dict[str, Place]:
        """Places where items are shown during a gesture, instead of their own."""

    @property
    def state(self) -> Desktop: ...

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def drop_targets(self) -> DropTargets: ...

    @property
    def copies(self) -> SeparateCopies: ...

    def select(self, keys: Iterable[str], link: Link | None = None) -> None: ...

    def item_at(self, point: QPointF) -> Item | None: ...

    def do(self, command: Command) -> bool: ...

    def notify(self, message: str) -> None: ...


class Gesture:
    """One gesture. Points are in window coordinates."""

    cursor = Qt.CursorShape.ArrowCursor
    faded: frozenset[str] = frozenset()
    """Keys of the items that are about to be removed, and are painted faintly."""

    def __init__(self, canvas: GestureCanvas, start: QPointF) -> None:
        self.canvas = canvas
        self.start = start
        self.at = start

    def follow(self, point: QPointF, keys: Qt.KeyboardModifier) -> None:
        """Follow the mouse to `point`, with these modifier keys held."""
        del keys
        self.at = point

    def end(self) -> None:
        """Carry the gesture out: the button was released."""

    def cancel(self) -> None:
        """Leave everything as it was."""
        self.canvas.preview.clear()

    def paint(self, painter: QPainter) -> None:
        """Paint over the window while the gesture lasts."""

    @property
    def delta(self) -> QPointF:
        """The distance of the mouse from the start, on the plane."""
        return (self.at - self.start) / self.canvas.camera.zoom


class Pan(Gesture):
    """Moves the plane under the window."""

    cursor = Qt.CursorShape.ClosedHandCursor

    def follow(self, point: QPointF, keys: Qt.KeyboardModifier) -> None:
        self.canvas.camera.pan(point - self.at)
        super().follow(point, keys)


class SelectionFrame(Gesture):
    """Draws a frame and selects the items it touches."""

    def __init__(self, canvas: GestureCanvas, start: QPointF, before: frozenset[str]) -> None:
        super().__init__(canvas, start)
        self._before = before

    @property
    def area(self) -> QRectF:
        """The frame, on the plane."""
        camera = self.canvas.camera
        return QRectF(camera.to_plane(self.start), camera.to_plane(self.at)).normalized()

    def follow(self, point: QPointF, keys: Qt.KeyboardModifier) -> None:
        super().follow(point, keys)
        area = self.area
        touched = {key for key, item in self.canvas.state.items.items() if area.intersects(rect(item.place))}
        self.canvas.select(self._before | commands.with_groups(self.canvas.state, touched))

    def cancel(self) -> None:
        self.canvas.select(self._before)

    def paint(self, painter: QPainter) -> None:
        colour = QApplication.palette().color(QPalette.ColorRole.Highlight)
        painter.setPen(QPen(colour, 1))
        colour.setAlpha(40)
        painter.setBrush(colour)
        painter.drawRect(QRectF(self.start, self.at).normalized())
