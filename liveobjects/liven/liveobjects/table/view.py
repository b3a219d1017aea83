"""The view of a table: a head, and as many rows as there is room for; the widget scrolls through all."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPalette
from PySide6.QtWidgets import QAbstractItemView, QApplication, QTableView, QWidget

from liven.liveobjects.table.cell_text import cell_text
from liven.liveobjects.table.object import TableObject
from liven.liveobjects.table.value import REAL, WHOLE, Column, kind_of
from liven.liveobjects.view.contract import Searchable, View, ViewHost
from liven.liveobjects.view.loading import NOT_LOADED
from liven.liveobjects.view.painting import paint_sheet
from liven.runtime.foreign_text import shown_line

_LINE: Final = 22.0
_MARGIN: Final = 8.0
_GAP: Final = 12.0
_MEASURED: Final = 30
"""Rows whose texts say how wide a column is."""
_MOST_SUMMARY: Final = 100
_CUT: Final = "There are more rows than are shown."
_NO_ROWS: Final = "No rows"
_Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()


class TableView(View, Searchable):
    """The view of a table."""

    def __init__(self, model: TableObject, host: ViewHost) -> None:
        super().__init__()
        self._model = model
        self._host = host
        self._rows: _Rows | None = None
        model.watch(self._differs)

    def is_loading(self) -> bool:
        return self._model.table is None

    def title(self) -> str:
        return self._model.title

    def paint(self, painter: QPainter, area: QRectF) -> None:
        painter.save()
        painter.setClipRect(area)
        paint_sheet(painter, area)
        if not self._model.order:
            words = NOT_LOADED if self.is_loading() else _NO_ROWS
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, words)
        else:
            self._paint_rows(painter, area.adjusted(_MARGIN, 4, -_MARGIN, -4))
        painter.restore()

    def make_widget(self) -> QWidget:
        self._rows = _Rows(self._model)
        made = QTableView()
        made.setAccessibleName(self._model.title or "Table")
        made.setModel(self._rows)
        made.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        made.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        made.verticalHeader().hide()
        made.resizeColumnsToContents()
        self._rows.columns_replaced.connect(made.resizeColumnsToContents)
        return made

    def release_widget(self, widget: QWidget) -> None:
        del widget
        self._rows = None

    def summary(self) -> str:
        """Return the rows as lines."""
        return "\n".join("\t".join(line) for line in self._model.lines()[: _MOST_SUMMARY + 1])

    def is_empty(self) -> bool:
        return self._model.table is not None and not self._model.order

    def size_hint(self) -> QSizeF:
        table = self._model.table
        columns = 3 if table is None else len(table.columns)
        return QSizeF(min(640, max(260, 120 * columns)), 260)

    def close(self) -> None:
        self._model.unwatch(self._differs)
        super().close()

    def _paint_rows(self, painter: QPainter, area: QRectF) -> None:
        table = self._model.table
        assert table is not None
        room = max(1, int(area.height() / _LINE) - 1)
        shown = self._model.order[:room]
        head = QFont(painter.font())
        head.setBold(True)
        texts = [
            [cell_text(kind_of(column), column.values[number]) for number in shown]
            for column in table.columns
        ]
        widths = _widths(painter.font(), head, table.columns, texts, area.width())
        left = area.left()
        for column, cells, width in zip(table.columns, texts, widths, strict=True):
            self._paint_column(painter, head, QRectF(left, area.top(), width, _LINE), column, cells)
            left += width + _GAP
        if len(shown) < len(self._model.order) or table.is_cut:
            self._paint_more(painter, area)

    def _paint_column(
        self, painter: QPainter, head: QFont, place: QRectF, column: Column, cells: list[str]
    ) -> None:
        plain = painter.font()
        side = _side(column) | Qt.AlignmentFlag.AlignVCenter
        palette = QApplication.palette()
        painter.setFont(head)
        painter.setPen(palette.color(QPalette.ColorRole.Text))
        painter.drawText(place, side, _elided(head, shown_line(column.name), place.width()))
        painter.setFont(plain)
        for number, cell in enumerate(cells, 1):
            line = place.translated(0, number * _LINE)
            painter.drawText(line, side, _elided(plain, cell, place.width()))
        painter.setPen(palette.color(QPalette.ColorRole.Mid))
        painter.drawLine(place.bottomLeft(), place.bottomRight())

    def _paint_more(self, painter: QPainter, area: QRectF) -> None:
        """Hint at the rows below with a mark in the corner."""
        painter.setPen(QApplication.palette().color(QPalette.ColorRole.Mid))
        corner = QRectF(area.right() - 20, area.bottom() - 14, 20, 14)
        painter.drawText(corner, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, "…")

    def _differs(self) -> None:
        if self._rows is not None:
            self._rows.refresh()
        self.changed.emit()


class _Rows(QAbstractTableModel):
    """The rows of a table for Qt, as they were when it was told last."""

    columns_replaced = Signal()
    """The columns are others than before."""

    def __init__(self, model: TableObject) -> None:
        super().__init__()
        self._model = model
        self._columns: list[Column] = []
        self._order: list[int] = []
        self.refresh()

    def refresh(self) -> None:
        """Take the present table. If it has the same columns, what is selected and in view stays so."""
        table = self._model.table
        columns = [] if table is None else table.columns
        are_new = self._names(columns) != self._names(self._columns)
        if not are_new and len(self._order) == len(self._model.order):
            self._columns, self._order = columns, self._model.order
            if self._order and columns:
                self.dataChanged.emit(self.index(0, 0), self.index(len(self._order) - 1, len(columns) - 1))
            return
        self.beginResetModel()
        self._columns, self._order = columns, self._model.order
        self.endResetModel()
        if are_new:
            self.columns_replaced.emit()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        column = self._columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return cell_text(kind_of(column), column.values[self._order[index.row()]])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(column) | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation is Qt.Orientation.Vertical:
            return None
        return shown_line(self._columns[section].name)

    @staticmethod
    def _names(columns: list[Column]) -> list[tuple[str, str]]:
        return [(column.name, kind_of(column)) for column in columns]


def _side(column: Column) -> Qt.AlignmentFlag:
    """Return the side of the cells: numbers stand below each other."""
    numbers = kind_of(column) in (WHOLE, REAL)
    return Qt.AlignmentFlag.AlignRight if numbers else Qt.AlignmentFlag.AlignLeft


def _widths(
    font: QFont, head: QFont, columns: list[Column], texts: list[list[str]], room: float
) -> list[float]:
    """Return the widths of the columns: as wide as their texts, or less if there is no room for that."""
    plain, bold = QFontMetricsF(font), QFontMetricsF(head)
    wanted = [
        max(
            bold.horizontalAdvance(shown_line(column.name)) + 4,
            *(plain.horizontalAdvance(text) + 4 for text in cells[:_MEASURED]),
        )
        for column, cells in zip(columns, texts, strict=True)
    ]
    space = max(1.0, room - _GAP * (len(columns) - 1))
    share = min(1.0, space / sum(wanted))
    return [width * share for width in wanted]


def _elided(font: QFont, text: str, width: float) -> str:
    return QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, width)


def make(model: TableObject, host: ViewHost) -> TableView:
    """Make the view of a table."""
    return TableView(model, host)
