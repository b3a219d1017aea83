"""Painting list entries: a name, with text at the right end."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

ASIDE = Qt.ItemDataRole.UserRole + 7
"""The data role of the text at the right end of an entry."""
_GAP = 6

Index = QModelIndex | QPersistentModelIndex


class ShortcutDelegate(QStyledItemDelegate):
    """Paint the text at the left, and the entry's `ASIDE` data, fainter, at the right."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        painter.save()
        painter.setPen(shown.palette.color(_group(shown), _role(shown, QPalette.ColorRole.PlaceholderText)))
        area, at = shown.rect.adjusted(_GAP, 0, -_GAP, 0), Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, at | Qt.AlignmentFlag.AlignRight, str(index.data(ASIDE) or ""))
        painter.restore()


def _group(option: QStyleOptionViewItem) -> QPalette.ColorGroup:
    active = option.state & QStyle.StateFlag.State_Active
    return QPalette.ColorGroup.Active if active else QPalette.ColorGroup.Inactive


def _role(option: QStyleOptionViewItem, plain: QPalette.ColorRole) -> QPalette.ColorRole:
    chosen = option.state & QStyle.StateFlag.State_Selected
    return QPalette.ColorRole.HighlightedText if chosen else plain
