"""Text editors for a plane: what a person writes in is painted by the host at any zoom.

The editor itself lies out of sight. It has the focus, the keys, the clipboard and the input method, and the
same document as the picture, so entering an object changes nothing that is seen. The host paints caret and
selection over the picture, and passes the mouse on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QResizeEvent, QTextBlock, QTextCursor
from PySide6.QtWidgets import QApplication, QTextEdit

from liven.liveobjects.look.view.light import current_look

AWAY: Final = -30_000
"""Pixels at which an editor lies, left of everything that is seen."""
_CARET: Final = 1.6
_STEADY_MS: Final = 600_000
_CHOSEN: Final = 77
"""Opacity of a selection over letters, of 255."""
_RECTANGLES: Final = (
    Qt.InputMethodQuery.ImCursorRectangle,
    Qt.InputMethodQuery.ImAnchorRectangle,
)


class PlaneEdit(QTextEdit):
    """An editor that can lie on a plane. Points and areas of the plane are those of the item, unscaled."""

    picture_changed = Signal()
    """The document is painted otherwise now: by an input method, by scrolling, or laid out anew."""
    overlay_changed = Signal()
    """The caret or the selection is painted otherwise now."""

    def __init__(self) -> None:
        super().__init__()
        self._to_host: Callable[[QRectF], QRectF] | None = None
        self._exact = 0.0
        self._caret_on = True
        self._blink = QTimer(self)
        self._blink.timeout.connect(self._turn_caret)

    @property
    def is_on_plane(self) -> bool:
        """True while a host paints the document."""
        return self._to_host is not None

    def lie_on_plane(self, to_host: Callable[[QRectF], QRectF]) -> None:
        """Lie out of sight. `to_host` maps an area of the item to the widget that paints it."""
        self._to_host = to_host
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().documentLayout().update.connect(self.picture_changed)
        self.verticalScrollBar().valueChanged.connect(self.picture_changed)
        self.cursorPositionChanged.connect(self._show_caret)
        self.selectionChanged.connect(self._show_caret)
        flash = QApplication.cursorFlashTime()
        self._blink.start(flash // 2 if flash > 0 else _STEADY_MS)

    def fit(self, size: QSizeF) -> None:
        """Take the size of the item, to the part of a pixel: lines must not break elsewhere."""
        self._exact = size.width()
        self.setGeometry(AWAY, 0, max(round(size.width()), 1), max(round(size.height()), 1))
        self.document().setTextWidth(self._exact)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._exact:  # Qt breaks lines at a whole number of pixels
            self.document().setTextWidth(self._exact)

    def seen_area(self, area: QRectF) -> QRectF:
        """Return an area of the item as the host sees it."""
        return area if self._to_host is None else self._to_host(area)

    def origin(self) -> QPointF:
        """Return the point of the item that is the upper left corner of the page."""
        return QPointF(0, 0)

    def caret_area(self) -> QRectF:
        """Return the area of the caret in the item."""
        area = QRectF(self.cursorRect()).translated(self.origin())
        return QRectF(area.left(), area.top(), _CARET, area.height())

    def paint_overlay(self, painter: QPainter, ink: QColor) -> None:
        """Paint selections and the caret over the picture, in the coordinates of the item."""
        painter.save()
        painter.translate(self.origin() - QPointF(0, self.verticalScrollBar().value()))
        for extra in self.extraSelections():
            each: Any = extra  # the stubs do not know its fields
            self._paint_selection(painter, each.cursor, each.format.background().color())
        self._paint_selection(painter, self.textCursor(), QColor(current_look().select))
        painter.restore()
        if self._caret_on and self.hasFocus():
            painter.fillRect(self.caret_area(), ink)

    def inputMethodQuery(self, query: Qt.InputMethodQuery, argument: Any = None) -> Any:
        """Return the place of the caret as it is seen: lists of an input method open there."""
        found = super().inputMethodQuery(query)
        if argument is not None:
            found = super().inputMethodQuery(query, argument)
        if query not in _RECTANGLES or self._to_host is None or not isinstance(found, QRect | QRectF):
            return found
        seen = self._to_host(QRectF(found).translated(self.origin()))
        return seen.translated(-QPointF(self.pos()))

    def to_page(self, point: QPointF) -> QPointF:
        """Convert a point of the item to the page, which gets the events of the mouse."""
        return point - self.origin()

    def _paint_selection(self, painter: QPainter, cursor: QTextCursor, colour: QColor) -> None:
        if not cursor.hasSelection():
            return
        colour.setAlpha(min(colour.alpha(), _CHOSEN))
        top = self.verticalScrollBar().value()
        first = self.cursorForPosition(QPoint(0, 0)).block()
        block = max(first, self.document().findBlock(cursor.selectionStart()), key=QTextBlock.position)
        while block.isValid() and block.position() < cursor.selectionEnd():
            if self.document().documentLayout().blockBoundingRect(block).top() > top + self.height():
                return
            for area in _chosen_areas(block, cursor.selectionStart(), cursor.selectionEnd()):
                painter.fillRect(area, colour)
            block = block.next()

    def _show_caret(self) -> None:
        """Show the caret at once where it is now, and blink on from there."""
        self._caret_on = True
        self._blink.start()
        self.overlay_changed.emit()

    def _turn_caret(self) -> None:
        still = QApplication.cursorFlashTime() <= 0
        self._caret_on = still or not self._caret_on
        self.overlay_changed.emit()


def _chosen_areas(block: QTextBlock, start: int, end: int) -> list[QRectF]:
    """Return the areas of the selected characters of a paragraph, line by line, in its document."""
    layout, found = block.layout(), list[QRectF]()
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        first = max(start - block.position(), line.textStart())
        last = min(end - block.position(), line.textStart() + line.textLength())
        if first > last or (first == last and block.length() > 1):
            continue
        left, right = _x(line, first), _x(line, last)
        if end > block.position() + block.length() - 1 and number == layout.lineCount() - 1:
            right += line.height() / 4  # the end of the paragraph is selected, too
        corner = layout.position() + QPointF(min(left, right), line.y())
        found.append(QRectF(corner, QSizeF(abs(right - left), line.height())))
    return found


def _x(line: Any, position: int) -> float:
    found = line.cursorToX(position)
    return float(found[0] if isinstance(found, tuple) else found)
