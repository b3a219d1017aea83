"""A card that shows a decoded record: what it is about, its figure, its moment, and a table of its fields."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QFont, QPaintEvent, QPalette
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from liven.liveobjects.feeds.view.value.record_summary import RecordSummary
from liven.liveobjects.look.tokens import CARD_RADIUS
from liven.liveobjects.look.view.labels import brief, plain_label
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.panel import paint_panel

_PADDING = 24
_SHADE = 12
"""Pixels around the card, for its shadow."""
_WIDE = 460
_LONGEST = 200
_COPIED = Qt.TextInteractionFlag.TextSelectableByMouse


class RecordCard(QWidget):
    """One record. The next one takes its place in the same labels, so that a film does not flicker."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setMinimumWidth(_WIDE)
        self._summary = RecordSummary()
        self._title = _label(font("heading2"))
        self._figure = _label(font("number"))
        self._figure_name = _label(font("body"))
        self._moment = _label(font("body"))
        self._fields = QWidget()
        self._grid = QGridLayout(self._fields)
        self._grid.setContentsMargins(0, 12, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._cells: list[tuple[QLabel, QLabel]] = []
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(4 * (_PADDING + _SHADE,)))
        layout.setSpacing(2)
        for part in (self._title, self._moment, self._figure, self._figure_name, self._fields):
            layout.addWidget(part)
        self._colour()

    @property
    def summary(self) -> RecordSummary:
        """The shown record."""
        return self._summary

    def show_record(self, summary: RecordSummary) -> None:
        """Show another record."""
        self._summary = summary
        for label, words in (
            (self._title, summary.title),
            (self._moment, summary.moment),
            (self._figure, summary.figure),
            (self._figure_name, summary.figure_name),
        ):
            label.setText(brief(words, _LONGEST))
            label.setVisible(bool(words))
        self._fill(summary.rows)
        self.setAccessibleName(brief(summary.text, 2000))

    def changeEvent(self, event: QEvent) -> None:
        """Adopt the colours of another light."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_cells"):
            self._colour()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the card and its shadow."""
        del event
        look = current_look()
        paint_panel(self, _SHADE, look.shadows.rest, CARD_RADIUS, look.card)

    def _fill(self, rows: tuple[tuple[str, str], ...]) -> None:
        while len(self._cells) < len(rows):
            cells = _label(font("body")), _label(font("body"))
            _ink(cells[0], current_look().quiet)
            _ink(cells[1], current_look().ink)
            for column, cell in enumerate(cells):
                self._grid.addWidget(cell, len(self._cells), column, Qt.AlignmentFlag.AlignTop)
            self._cells.append(cells)
        for at, (name, value) in enumerate(self._cells):
            is_there = at < len(rows)
            for cell, words in zip((name, value), rows[at] if is_there else ("", ""), strict=True):
                cell.setText(brief(words, _LONGEST))
                cell.setVisible(is_there)
        self._fields.setVisible(bool(rows))

    def _colour(self) -> None:
        look = current_look()
        for label in (self._title, self._figure):
            _ink(label, look.ink)
        for label in (self._moment, self._figure_name):
            _ink(label, look.quiet)
        for name, value in self._cells:
            _ink(name, look.quiet)
            _ink(value, look.ink)
        self.update()


def _label(letters: QFont) -> QLabel:
    made = plain_label()
    made.setFont(letters)
    made.setWordWrap(True)
    made.setTextInteractionFlags(_COPIED)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys are those of the replay
    return made


def _ink(label: QLabel, colour: str) -> None:
    palette = QPalette(label.palette())
    palette.setColor(QPalette.ColorRole.WindowText, QColor(colour))
    palette.setColor(QPalette.ColorRole.Text, QColor(colour))
    label.setPalette(palette)
