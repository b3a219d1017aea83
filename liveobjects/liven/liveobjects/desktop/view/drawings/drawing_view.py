"""The view of a drawing in a window of its own or in a folder. On a desktop, the desktop paints it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.drawings.ink import Ink
from liven.liveobjects.desktop.drawings.recipes import Drawing
from liven.liveobjects.desktop.drawings.shape import NEW_HEIGHT, NEW_WIDTH
from liven.liveobjects.desktop.object import InkObject, ShapeObject
from liven.liveobjects.desktop.view.drawings.painting import paint_drawing
from liven.liveobjects.view.contract import View, ViewHost

_ROOM = 24.0
"""Pixels around a drawing in a window."""
_NO_LINE = "#00000000"


class DrawingView(View):
    """A drawing, which cannot be changed where it is no item."""

    def __init__(self, drawing: Drawing) -> None:
        super().__init__()
        self._drawing = drawing

    def paint(self, painter: QPainter, area: QRectF) -> None:
        paint_drawing(painter, area, self._drawing)

    def make_widget(self) -> QWidget:
        return _Sheet(self._drawing)

    def size_hint(self) -> QSizeF:
        return QSizeF(NEW_WIDTH, NEW_WIDTH if isinstance(self._drawing, Ink) else NEW_HEIGHT)

    def is_flat(self) -> bool:
        return True

    def edge_colour(self) -> str:
        return _NO_LINE


class _Sheet(QWidget):
    def __init__(self, drawing: Drawing) -> None:
        super().__init__()
        self._drawing = drawing
        self.setAccessibleName("Stroke" if isinstance(drawing, Ink) else "Shape")

    def paintEvent(self, _event: object) -> None:
        painter = QPainter(self)
        room = min(_ROOM, self.width() / 4, self.height() / 4)
        paint_drawing(painter, QRectF(self.rect()).adjusted(room, room, -room, -room), self._drawing)
        painter.end()


def make(model: ShapeObject | InkObject, host: ViewHost) -> DrawingView:
    """Make the view of a drawing."""
    del host
    return DrawingView(model.drawing)
