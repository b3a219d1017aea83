"""The lines of other items to which a moved or resized one snaps."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPalette, QPen
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop.snap import Snap
from liven.liveobjects.desktop.view.camera import Camera

REACH: Final = 8.0
"""Distance in pixels of the window within which an item snaps to a line."""
NOWHERE: Final = Snap(0.0, 0.0, None, None)


def paint_lines(painter: QPainter, camera: Camera, found: Snap) -> None:
    """Paint the lines of other items that the moved item snaps to."""
    painter.setPen(QPen(QApplication.palette().color(QPalette.ColorRole.Highlight), 1, Qt.PenStyle.DotLine))
    view = painter.viewport()
    if found.upright is not None:
        x = camera.to_window(QPointF(found.upright, 0)).x()
        painter.drawLine(QPointF(x, 0), QPointF(x, view.height()))
    if found.level is not None:
        y = camera.to_window(QPointF(0, found.level)).y()
        painter.drawLine(QPointF(0, y), QPointF(view.width(), y))
