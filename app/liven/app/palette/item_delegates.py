"""Painting list entries: a name with a description below it, or with text at the right end."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

ASIDE = Qt.ItemDataRole.UserRole + 7
"""The data role of the text at the right end of an entry."""
_GAP = 6
_WIDEST = 160
"""The widest size hint, in pixels; longer texts are elided."""

Index = QModelIndex | QPersistentModelIndex


class TwoLineDelegate(QStyledItemDelegate):
    """Paint the first line as a name and the second, fainter, as its description."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        name, _, words = str(index.data()).partition("\n")
        shown.text = ""  # the style still paints selection and focus
        QApplication.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, shown, painter, shown.widget)
        area = shown.rect.adjusted(_GAP, _GAP // 2, -_GAP, -_GAP // 2)
        bold = _bold(shown.font)
        high = QFontMetrics(bold).height()
        painter.save()
        painter.setPen(shown.palette.color(_group(shown), _role(shown, QPalette.ColorRole.Text)))
        _line(painter, bold, QRect(area.left(), area.top(), area.width(), high), name)
        painter.setPen(shown.palette.color(_group(shown), _role(shown, QPalette.ColorRole.PlaceholderText)))
        _line(painter, shown.font, area.adjusted(0, high, 0, 0), words)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        name, _, words = str(index.data()).partition("\n")
        bold, plain = QFontMetrics(_bold(option.font)), QFontMetrics(option.font)
        wide = max(bold.horizontalAdvance(name), plain.horizontalAdvance(words))
        return QSize(min(wide + 2 * _GAP, _WIDEST), bold.height() + plain.height() + _GAP)


class HeadedDelegate(TwoLineDelegate):
    """Paint two-line entries, and entries that cannot be selected as headings."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if index.flags() & Qt.ItemFlag.ItemIsEnabled:
            super().paint(painter, option, index)
            return
        painter.save()
        painter.setPen(option.palette.color(_group(option), QPalette.ColorRole.PlaceholderText))
        area = option.rect.adjusted(_GAP, 0, -_GAP, -_GAP // 2)
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, str(index.data()))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        if index.flags() & Qt.ItemFlag.ItemIsEnabled:
            return super().sizeHint(option, index)
        letters = QFontMetrics(option.font)
        return QSize(letters.horizontalAdvance(str(index.data())) + 2 * _GAP, letters.height() + 2 * _GAP)


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


def _bold(font: QFont) -> QFont:
    made = QFont(font)
    made.setBold(True)
    return made


def _group(option: QStyleOptionViewItem) -> QPalette.ColorGroup:
    active = option.state & QStyle.StateFlag.State_Active
    return QPalette.ColorGroup.Active if active else QPalette.ColorGroup.Inactive


def _role(option: QStyleOptionViewItem, plain: QPalette.ColorRole) -> QPalette.ColorRole:
    chosen = option.state & QStyle.StateFlag.State_Selected
    return QPalette.ColorRole.HighlightedText if chosen else plain


def _line(painter: QPainter, font: QFont, area: QRect, words: str) -> None:
    painter.setFont(font)
    fitting = QFontMetrics(font).elidedText(words, Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, fitting)
