"""The right side of the start window: the heading with search, patterns to begin with, and the grid."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QScrollArea, QVBoxLayout, QWidget

from liven.app.start.board_grid import BoardGrid
from liven.app.start.pattern_tile import HEIGHT, PatternTile
from liven.app.start.patterns import PATTERNS
from liven.app.start.tile import RIM
from liven.liveobjects.look.view.buttons import Emphasis, ToolButton, WordButton
from liven.liveobjects.look.view.labels import plain_label
from liven.liveobjects.look.view.letters import font, sized
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.menu_corners import round_corners
from liven.liveobjects.look.view.search_field import SearchField
from liven.liveobjects.look.view.signs import Sign

_SIDE: Final = 44
_HEAD: Final = 36
_FIELD: Final = 372
_LATEST, _NAMES = "Last opened", "Name"
_NOTHING: Final = {
    "Boards": "What you begin or open is here. Begin with one of the patterns above.",
    "Recent": "What you open is here.",
    "Starred": "Rest the mouse on a board and press its star, or press S, to have it here.",
    "Samples": "Samples come with the source of the program only.",
    "Deleted": "Nothing is deleted.",
}


class MainPage(QWidget):
    """The page."""

    begin_wanted = Signal(object)
    """Emitted with the `Pattern` of a new desktop."""
    sorted_by_name = Signal(bool)

    def __init__(self, grid: BoardGrid) -> None:
        super().__init__()
        self.grid = grid
        self._title = plain_label("Boards")
        self._title.setFont(font("heading1"))
        self.field = SearchField(
            "Find a board, a note, a person", "Find a board, a note, a person", key="Ctrl K", height=_HEAD
        )
        self.field.setMaximumWidth(_FIELD)
        self._new = WordButton("New board", Sign.PLUS, emphasis=Emphasis.ACCENT, height=_HEAD)
        self._new.clicked.connect(lambda: self.begin_wanted.emit(PATTERNS[0]))
        self._begin = _PatternRow()
        for tile in self._begin.tiles:
            tile.clicked.connect(lambda _=False, tile=tile: self.begin_wanted.emit(tile.pattern))
        self._start_heading, self._heading = plain_label("Start something"), plain_label("Recent")
        for label in (self._start_heading, self._heading):
            label.setFont(sized(15, 600))
        self._order = ToolButton("Order", size=28, label=_LATEST, drops=True)
        self._order.clicked.connect(self._choose_order)
        self._none = plain_label()
        self._none.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._lay_out()

    def show_heading(self, name: str, *, begins: bool, found: int | None) -> None:
        """Show the headings of a page; `found` is the number of results of a search."""
        self._title.setText(name)
        for one in (self._start_heading, self._begin):
            one.setVisible(begins)
        said = {0: "Nothing found", 1: "1 found"}.get(found, f"{found} found") if found is not None else ""
        self._heading.setText(said or ("Recent" if name == "Boards" else name))
        self._order.setVisible(found is None and name != "Recent")
        self._none.setText("No board has these words." if found == 0 else _NOTHING[name])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the sentence for an empty list where the grid would be; read pictures when it is scrolled."""
        if watched is self.grid and event.type() == QEvent.Type.Resize:
            self._none.setVisible(not self.grid.tiles)
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(current_look().plane))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._new.setVisible(self.width() > _FIELD + self._new.width() + 120)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 32, 0, 0)
        column.setSpacing(20)
        head = QHBoxLayout()
        head.setContentsMargins(_SIDE, 0, _SIDE, 0)
        head.setSpacing(16)
        head.addWidget(self._title)
        head.addStretch(1)
        head.addWidget(self.field, 2)
        head.addWidget(self._new)
        column.addLayout(head)
        inside = QWidget()
        inside.setObjectName("boards")
        rest = QVBoxLayout(inside)
        rest.setContentsMargins(_SIDE - RIM, 0, _SIDE - RIM, 24)
        rest.setSpacing(4)
        line = QHBoxLayout()
        line.addWidget(self._heading)
        line.addStretch(1)
        line.addWidget(self._order)
        for label in (self._start_heading, self._heading, self._none):
            label.setContentsMargins(RIM, 0, 0, 0)
        rest.addWidget(self._start_heading)
        rest.addWidget(self._begin)
        rest.addSpacing(10)
        rest.addLayout(line)
        rest.addWidget(self._none)
        rest.addWidget(self.grid)
        rest.addStretch(1)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setStyleSheet(
            "QScrollArea, QScrollArea > QWidget, QWidget#boards"
            " { background: transparent; border: 0; padding: 0; }"
        )
        area.setWidget(inside)
        area.verticalScrollBar().valueChanged.connect(lambda _: self.grid.load_seen())
        column.addWidget(area, 1)
        self.grid.installEventFilter(self)
        self._none.hide()

    def _choose_order(self) -> None:
        menu = round_corners(QMenu(self))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words in (_LATEST, _NAMES):
            entry = menu.addAction(words)
            entry.triggered.connect(lambda _=False, words=words: self._sort(words))
            entry.setCheckable(True)
            entry.setChecked(words == self._order.text())
        menu.popup(self._order.mapToGlobal(self._order.rect().bottomLeft()))

    def _sort(self, words: str) -> None:
        self._order.set_label(words)
        self.sorted_by_name.emit(words == _NAMES)


class _PatternRow(QWidget):
    """The row of patterns: as many as there is room for, at least two."""

    def __init__(self) -> None:
        super().__init__()
        self.tiles = [PatternTile(one, self) for one in PATTERNS]
        for tile in self.tiles:
            tile.moved.connect(lambda columns, _, tile=tile: self._move(tile, columns))
        self.setFixedHeight(HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        seen = max(2, min(len(self.tiles), self.width() // (150 + 2 * RIM)))
        width = self.width() // seen
        for at, tile in enumerate(self.tiles):
            tile.setGeometry(at * width, 0, width, HEIGHT)
            tile.setVisible(at < seen)

    def _move(self, tile: PatternTile, columns: int) -> None:
        at = self.tiles.index(tile) + columns
        if 0 <= at < len(self.tiles) and self.tiles[at].isVisible():
            self.tiles[at].setFocus(Qt.FocusReason.TabFocusReason)
