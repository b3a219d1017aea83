"""The text of a shape: centred, in the letters of a board."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFontMetricsF,
    QPainter,
    QPalette,
    QTextDocument,
    QTextOption,
)

from liven.liveobjects.desktop.drawings.shape import Shape
from liven.liveobjects.look.view.letters import font
from liven.runtime.foreign_text import shown_lines

_LEGIBLE: Final = 3.0
"""Pixels: a lower text is not painted."""


def dress(document: QTextDocument) -> None:
    """Give a document the letters and the alignment of the text in a shape."""
    document.setDocumentMargin(0)
    document.setUndoRedoEnabled(False)
    document.setDefaultFont(font("board"))
    option = QTextOption(Qt.AlignmentFlag.AlignHCenter)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    document.setDefaultTextOption(option)


def text_area(shape: Shape, area: QRectF) -> QRectF:
    """Return the part of a shape's area that its text may take."""
    left, top, wide, high = shape.text_area(area.width(), area.height())
    return QRectF(area.left() + left, area.top() + top, wide, high)


def text_height(text: str, width: float) -> float:
    """Return the height of a text in a width."""
    return _document(text, width).size().height()


def paint_text(painter: QPainter, shape: Shape, area: QRectF, text: str, ink: str) -> None:
    """Paint the text of a shape in its middle, cut off at the foot if it is too long."""
    inside = text_area(shape, area)
    if inside.height() * abs(painter.deviceTransform().m22()) < _LEGIBLE or not text.strip():
        return
    paint_document(painter, _document(shown_lines(text), inside.width()), inside, ink)


def paint_document(
    painter: QPainter,
    document: QTextDocument,
    inside: QRectF,
    ink: str,
    selections: list[QAbstractTextDocumentLayout.Selection] | None = None,
) -> None:
    """Paint a document in the middle of an area."""
    context = QAbstractTextDocumentLayout.PaintContext()
    palette = QPalette()
    palette.setColor(QPalette.ColorRole.Text, QColor(ink))
    context.palette = palette
    context.selections = selections or []
    painter.save()
    painter.setClipRect(inside, Qt.ClipOperation.IntersectClip)
    painter.translate(inside.left(), inside.top() + top_of(document, inside))
    document.documentLayout().draw(painter, context)
    painter.restore()


def top_of(document: QTextDocument, inside: QRectF) -> float:
    """Return how far below the upper end of an area its text begins."""
    return max((inside.height() - document.size().height()) / 2, 0.0)


def line_height() -> float:
    """Return the height of one line."""
    return QFontMetricsF(font("board")).height()


def _document(text: str, width: float) -> QTextDocument:
    made = QTextDocument()
    dress(made)
    made.setPlainText(text)
    made.setTextWidth(max(width, 1.0))
    return made
