"""The view of a tester: the result as text."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

from liven.liveobjects.look.view.labels import plain_label
from liven.liveobjects.view.contract import View, ViewHost


class ChannelTesterView(View):
    """Shows the result of the test as text, and lists the first faults."""

    def __init__(self, model: Any, host: ViewHost) -> None:
        super().__init__()
        self._model = model
        self._host = host
        self._label: QLabel | None = None
        model.watch(self._came)

    def paint(self, painter: QPainter, area: QRectF) -> None:
        painter.fillRect(area, QApplication.palette().alternateBase())
        painter.setPen(QApplication.palette().text().color())
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._words())

    def make_widget(self) -> QWidget:
        made = QWidget()
        made.setAutoFillBackground(True)
        self._label = plain_label(self._words())
        self._label.setAccessibleName("Test result")
        self._label.setWordWrap(True)
        QVBoxLayout(made).addWidget(self._label)
        return made

    def release_widget(self, widget: QWidget) -> None:
        del widget
        self._label = None

    def size_hint(self) -> QSizeF:
        return QSizeF(320, 90)

    def close(self) -> None:
        self._model.unwatch(self._came)
        super().close()

    def _words(self) -> str:
        return "\n".join([self._model.summary(), *self._model.tally.faults[:3]])

    def _came(self) -> None:
        if self._label is not None:
            self._label.setText(self._words())
        self.changed.emit()


def make(model: Any, host: ViewHost) -> ChannelTesterView:
    """Return the view of a tester's proxy."""
    return ChannelTesterView(model, host)
