"""The view of a counter: a large number between two buttons."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QFont, QFontInfo, QPainter
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from liven.liveobjects.counter.object import CounterObject
from liven.liveobjects.counter.view.counter_face import MORE, CounterFace
from liven.liveobjects.look.view.labels import plain_label, plain_tip
from liven.liveobjects.view.accessibility import announce
from liven.liveobjects.view.contract import Spoken, View, ViewHost
from liven.liveobjects.view.loading import NOT_LOADED
from liven.liveobjects.view.zones import HasZones, Zone
from liven.runtime.foreign_text import shown_line


class CounterView(View, Spoken, HasZones):
    """The view of a counter: it paints the number; its widget counts."""

    def __init__(self, model: CounterObject, host: ViewHost) -> None:
        super().__init__()
        self._model = model
        self._host = host
        self._label: QLabel | None = None
        model.watch(self._counted)

    def is_loading(self) -> bool:
        return not getattr(self._model, "ready", True)  # an object that counts on its own may not say

    def paint(self, painter: QPainter, area: QRectF) -> None:
        self._face().paint(painter, area)

    def zones(self, area: QRectF) -> tuple[Zone, ...]:
        return self._face().zones(area)

    def press(self, key: str) -> None:
        """Count up or down by one."""
        self._model.add(1 if key == MORE else -1)

    def _face(self) -> CounterFace:
        return CounterFace(self._words(), shown_line(self.shown_name) or "Counter")

    def make_widget(self) -> QWidget:
        made = QWidget()
        made.setAutoFillBackground(True)
        row = QHBoxLayout(made)
        self._label = plain_label(self._words())
        self._label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        font = QFont(self._label.font())
        font.setPixelSize(round(QFontInfo(font).pixelSize() * 2.5))
        self._label.setFont(font)
        for sign, words, amount in (("−", "Subtract 1", -1), ("+", "Add 1", 1)):
            button = QPushButton(sign)
            button.setAccessibleName(words)
            button.setToolTip(plain_tip(words))
            button.clicked.connect(lambda _=False, amount=amount: self._model.add(amount))
            row.addWidget(button)
            made.setFocusProxy(button)  # the last one: to count up is what most people want
        row.insertWidget(1, self._label, 1)
        return made

    def release_widget(self, widget: QWidget) -> None:
        del widget
        self._label = None

    def spoken(self) -> str:
        """Return the number."""
        return self._words()

    def size_hint(self) -> QSizeF:
        return QSizeF(188, 128)

    def close(self) -> None:
        self._model.unwatch(self._counted)
        super().close()

    def _words(self) -> str:
        return NOT_LOADED if self.is_loading() else f"{self._model.number:,}"

    def _counted(self) -> None:
        if self._label is not None:
            self._label.setText(self._words())
            announce(self._label, self._words())
        self.changed.emit()


def make(model: CounterObject, host: ViewHost) -> CounterView:
    """Make the view of a counter."""
    return CounterView(model, host)
