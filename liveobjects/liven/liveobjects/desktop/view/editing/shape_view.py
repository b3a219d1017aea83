"""The view of a shape while a person writes in it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.drawings.shape import Shape
from liven.liveobjects.desktop.view.drawings.painting import ink_of, paint_drawing
from liven.liveobjects.desktop.view.drawings.shape_text import line_height
from liven.liveobjects.desktop.view.editing.shape_edit import ShapeEdit
from liven.liveobjects.view.contract import View, WritesOnPlane

_NO_LINE = "#00000000"


class ShapeView(View, WritesOnPlane):
    """A shape and the editor of its text. `done` gets the text at the end."""

    def __init__(self, shape: Shape, text: str, ground: QColor | None, done: Callable[[str], object]) -> None:
        super().__init__()
        self._shape, self._text, self._ground, self._done = shape, text, ground, done

    def paint(self, painter: QPainter, area: QRectF) -> None:
        paint_drawing(painter, area, self._shape, "", self._ground)
        page = self._widget
        if isinstance(page, ShapeEdit):
            page.paint_page(painter, ink_of(self._shape, self._ground))

    def make_widget(self) -> QWidget:
        made = ShapeEdit(self._shape, self._text)
        made.document().contentsChanged.connect(self.changed)
        made.picture_changed.connect(self.changed)
        return made

    def release_widget(self, widget: QWidget) -> None:
        assert isinstance(widget, ShapeEdit)
        self._done(widget.toPlainText().strip())

    def paint_overlay(self, painter: QPainter) -> None:
        page = self.widget()
        assert isinstance(page, ShapeEdit)
        page.paint_overlay(painter, QColor(ink_of(self._shape, self._ground)))

    def fitting_height(self, width: float) -> float:
        del width
        page = self._widget
        high = page.document().size().height() if isinstance(page, ShapeEdit) else line_height()
        return self._shape.height_for(high)

    def is_flat(self) -> bool:
        return True

    def radius(self) -> float:
        return 0.0

    def edge_colour(self) -> str:
        return _NO_LINE
