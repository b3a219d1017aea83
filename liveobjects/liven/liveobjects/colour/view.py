"""The view of a colour: a field of that colour with its code. Click it to choose another."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QColorDialog, QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from liven.liveobjects.colour.object import Colour, ColourObject
from liven.liveobjects.look.view.labels import plain_label, plain_tip
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.marks import paint_box
from liven.liveobjects.view.contract import Action, View, ViewHost
from liven.liveobjects.view.face import PAD, RIGHT, card, paint_words, width_of
from liven.liveobjects.view.loading import NOT_LOADED
from liven.liveobjects.view.messages import redo_and_report, undo_and_report
from liven.runtime.fold import RefusedError
from liven.runtime.foreign_text import shown_line

_NAME: Final = "Choose a colour"
_RIM: Final = 8.0
_FOOT: Final = 44.0
_NAMED: Final = 90.0
"""The least height of a face with name and code."""
_LEAST_NAME: Final = 30.0
_WELL_RADIUS: Final = 6.0
SWATCHES: Final = (
    ("Red", "#c0392b"),
    ("Orange", "#d68910"),
    ("Yellow", "#f4d03f"),
    ("Green", "#1e8449"),
    ("Blue", "#2471a3"),
    ("Violet", "#6c3483"),
    ("White", "#ffffff"),
    ("Black", "#000000"),
)


class ColourView(View):
    """The view of a colour: it paints the colour; its widget chooses one."""

    def __init__(self, model: ColourObject, host: ViewHost) -> None:
        super().__init__()
        self._model = model
        self._host = host
        self._label: QLabel | None = None
        model.watchers.append(self._differs)

    def is_loading(self) -> bool:
        return not self._model.ready

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint a well of the colour, and name and code below if there is room."""
        colour = self._model.colour
        with card(painter, area) as look:
            foot = _FOOT if area.height() >= _NAMED else _RIM
            well = area.adjusted(_RIM, _RIM, -_RIM, -foot)
            edge = look.line if look.high_contrast else look.edge
            shade = QColor(colour.r, colour.g, colour.b).name()
            paint_box(painter, well, _WELL_RADIUS, shade, edge, look.edge_width)
            if foot == _RIM:
                return
            row = QRectF(area.left() + PAD, well.bottom(), area.width() - 2 * PAD, foot)
            code = NOT_LOADED if self.is_loading() else colour.text
            small = font("caption")
            wide = width_of(code, small) + 1
            name = row.adjusted(0, 0, -wide - 8, 0)
            if name.width() >= _LEAST_NAME:
                paint_words(painter, name, shown_line(self.shown_name) or "Colour", font("strong"), look.ink)
            paint_words(painter, row, code, small, look.quiet, RIGHT)

    def make_widget(self) -> QWidget:
        made = QWidget()
        made.setAutoFillBackground(True)
        self._label = plain_label()
        self._label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._label.setMinimumHeight(32)
        grid = QGridLayout()
        for number, (name, text) in enumerate(SWATCHES):
            button = QPushButton()
            button.setAccessibleName(name)
            button.setToolTip(plain_tip(name))
            button.setStyleSheet(f"background: {text}; min-height: 20px")
            button.clicked.connect(lambda _=False, text=text: self._choose(QColor(text)))
            grid.addWidget(button, number // 4, number % 4)
        other = QPushButton("Choose…")
        other.clicked.connect(lambda _=False: self.ask())
        layout = QVBoxLayout(made)
        layout.addWidget(self._label, 1)
        layout.addLayout(grid)
        layout.addWidget(other)
        self._differs()
        return made

    def release_widget(self, widget: QWidget) -> None:
        del widget
        self._label = None

    def actions(self) -> tuple[Action, ...]:
        return (
            Action("Undo", ("Ctrl+Z",), partial(undo_and_report, self._undo, self._host), "Edit"),
            Action("Redo", ("Ctrl+Shift+Z",), partial(redo_and_report, self._redo, self._host), "Edit"),
            Action("Choose a colour…", (), self.ask, "Edit"),
        )

    def ask(self) -> None:
        """Open the dialog that chooses a colour."""
        now = self._model.colour
        chosen = QColorDialog.getColor(QColor(now.r, now.g, now.b), self.widget(), "Choose a colour")
        if chosen.isValid():
            self._choose(chosen)

    def title(self) -> str:
        return str(self._model.colour.text)

    def size_hint(self) -> QSizeF:
        return QSizeF(160, 120)

    def close(self) -> None:
        self._model.watchers.remove(self._differs)
        super().close()

    def _choose(self, colour: QColor) -> None:
        if not self._model.ready:
            self._host.show_message("The colour cannot be chosen: its channel is not connected.")
            return
        try:
            self._model.choose(Colour(colour.red(), colour.green(), colour.blue(), colour.alpha()))
        except RefusedError as why:
            self._host.show_message(f"The colour cannot be chosen: {why}")

    def _undo(self) -> str | None:
        return _NAME if self._model.undo() else None

    def _redo(self) -> str | None:
        return _NAME if self._model.redo() else None

    def _differs(self) -> None:
        if self._label is not None:
            colour = self._model.colour
            ink = "black" if QColor(colour.text).lightness() > 127 else "white"
            self._label.setText(colour.text)
            self._label.setStyleSheet(f"background: {colour.text}; color: {ink}")
        self.changed.emit()


def make(model: ColourObject, host: ViewHost) -> ColourView:
    """Make the view of a colour."""
    return ColourView(model, host)
