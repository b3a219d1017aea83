"""The editor of the text in a shape. The text is the name of the item."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame

from liven.liveobjects.desktop.drawings.shape import Shape
from liven.liveobjects.desktop.model import LONGEST_LABEL
from liven.liveobjects.desktop.view.drawings.shape_text import dress, paint_document, text_area, top_of
from liven.liveobjects.view.plane_edit import PlaneEdit


class ShapeEdit(PlaneEdit):
    """An editor of plain text, which stands in the middle of a shape."""

    def __init__(self, shape: Shape, text: str) -> None:
        super().__init__()
        self._shape = shape
        self._area = QRectF()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAcceptRichText(False)
        self.setAccessibleName("Text of the shape")
        self.document().setPlainText(text)
        dress(self.document())
        self.document().contentsChanged.connect(self._keep_short)
        self.selectAll()

    def fit(self, size: QSizeF) -> None:
        """Take the part of the shape that its text may take."""
        whole = text_area(self._shape, QRectF(QPointF(0, 0), size))
        self._area = whole
        super().fit(whole.size())

    def origin(self) -> QPointF:
        scrolled = self.verticalScrollBar().value()
        return self._area.topLeft() + QPointF(0, 0 if scrolled else top_of(self.document(), self._area))

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Insert the plain text of a paste, as far as there is room."""
        self.insertPlainText(source.text()[: LONGEST_LABEL - len(self.toPlainText())])

    def paint_page(self, painter: QPainter, ink: str) -> None:
        """Paint the text."""
        scrolled = self.verticalScrollBar().value()
        painter.save()
        painter.setClipRect(self._area, Qt.ClipOperation.IntersectClip)
        painter.translate(0, -scrolled)
        inside = self._area.adjusted(0, 0, 0, scrolled)
        paint_document(painter, self.document(), inside, ink)
        painter.restore()

    def _keep_short(self) -> None:
        text = self.toPlainText()
        if len(text) > LONGEST_LABEL:
            cursor = self.textCursor()
            at = min(cursor.position(), LONGEST_LABEL)
            self.document().setPlainText(text[:LONGEST_LABEL])
            cursor.setPosition(at)
            self.setTextCursor(cursor)
