"""The view of a roster: one name per line, each with a dot in the person's colour."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from liven.liveobjects.presence.participant import LONGEST_NAME
from liven.liveobjects.roster.object import Present, RosterObject
from liven.liveobjects.view.contract import Searchable, View, ViewHost
from liven.liveobjects.view.painting import paint_sheet
from liven.runtime.foreign_text import shown_line

_LINE = 24.0


class RosterView(View, Searchable):
    """The view of a roster: it paints names; in its widget you enter what you are doing."""

    def __init__(self, model: RosterObject, host: ViewHost) -> None:
        super().__init__()
        self._model = model
        self._host = host
        self._list: QListWidget | None = None
        model.watchers.append(self._differs)

    def paint(self, painter: QPainter, area: QRectF) -> None:
        palette = QApplication.palette()
        painter.save()
        painter.setClipRect(area)
        paint_sheet(painter, area)
        people = self._model.people
        if not people:
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, "Nobody is here")
        for number, person in enumerate(people):
            line = QRectF(area.left() + 8, area.top() + 4 + number * _LINE, area.width() - 16, _LINE)
            _dot(painter, QRectF(line.left(), line.center().y() - 5, 10, 10), person)
            painter.setPen(palette.color(QPalette.ColorRole.Text))
            painter.drawText(line.adjusted(18, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, _words(person))
        painter.restore()

    def make_widget(self) -> QWidget:
        made = QWidget()
        made.setAutoFillBackground(True)
        self._list = QListWidget()
        self._list.setAccessibleName("People")
        doing = QLineEdit(self._model.doing)
        doing.setMaxLength(LONGEST_NAME)
        doing.setAccessibleName("What you are doing")
        doing.setPlaceholderText("What are you doing?")
        doing.returnPressed.connect(lambda: self._model.do(doing.text()))
        layout = QVBoxLayout(made)
        layout.addWidget(self._list, 1)
        layout.addWidget(doing)
        self._differs()
        return made

    def release_widget(self, widget: QWidget) -> None:
        del widget
        self._list = None

    def summary(self) -> str:
        """Return the names and what these people do."""
        return "\n".join(map(_words, self._model.people))

    def size_hint(self) -> QSizeF:
        return QSizeF(200, 40 + _LINE * max(3, len(self._model.people)))

    def close(self) -> None:
        self._model.watchers.remove(self._differs)
        super().close()

    def _differs(self) -> None:
        if self._list is not None:
            self._list.clear()
            for person in self._model.people:
                picture = QPixmap(12, 12)
                picture.fill(Qt.GlobalColor.transparent)
                painter = QPainter(picture)
                _dot(painter, QRectF(1, 1, 10, 10), person)
                painter.end()
                self._list.addItem(QListWidgetItem(QIcon(picture), _words(person)))
        self.changed.emit()


def _dot(painter: QPainter, area: QRectF, person: Present) -> None:
    colour = QColor(person.colour[:20])
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour if colour.isValid() else QColor("#5d6d7e"))
    painter.drawEllipse(area)
    painter.restore()


def _words(person: Present) -> str:
    name = shown_line(person.name[:LONGEST_NAME]) or "Somebody"
    return f"{name} — {shown_line(person.doing[:LONGEST_NAME])}" if person.doing else name


def make(model: RosterObject, host: ViewHost) -> RosterView:
    """Make the view of a roster."""
    return RosterView(model, host)
