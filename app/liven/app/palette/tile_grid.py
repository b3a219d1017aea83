"""The grid of the insert popover: sections of tiles, four in a row, of which one is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QWidget

from liven.app.palette.new_objects import Kind
from liven.app.palette.sections import Section
from liven.app.palette.tile_button import TILE_HEIGHT, TileButton
from liven.liveobjects.look.view.labels import plain_label
from liven.liveobjects.look.view.letters import font

COLUMNS: Final = 4
_TITLE: Final = 22
_UNDER_TITLE: Final = 4
_GAP: Final = 8
_PAD: Final = 12


class _Group:
    """A section with its heading and tiles."""

    def __init__(self, section: Section, below: QWidget) -> None:
        self.section = section
        self.heading: QLabel = plain_label(section.title)
        self.heading.setParent(below)
        self.heading.setFont(font("label"))
        self.heading.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.tiles = [TileButton(kind) for kind in section.kinds]
        for tile in self.tiles:
            tile.setParent(below)


class TileGrid(QScrollArea):
    """The grid. It never has the focus: the field above it moves the choice."""

    chosen = Signal(object)
    """Emitted with the `Kind` that is chosen now, or None."""
    picked = Signal(object)
    """Emitted with the `Kind` of a tile that is to be put."""
    taken = Signal()
    """Emitted when something is dragged out."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("What can be added")
        self._below = QWidget()
        self._below.setObjectName("tiles")
        self.setWidget(self._below)
        self.setStyleSheet(
            "QScrollArea, QScrollArea > QWidget, QWidget#tiles"
            " { background: transparent; border: 0; padding: 0; }"
        )
        self._groups: list[_Group] = []
        self._order: list[TileButton] = []
        """The tiles that are seen, in the order of reading."""
        self._places: dict[TileButton, tuple[int, int]] = {}
        """Row and column of each tile that is seen."""
        self._current: TileButton | None = None
        self._words = ""
        self._fits: Callable[[Kind], bool] = lambda _: True

    @property
    def current(self) -> Kind | None:
        """The kind that is chosen."""
        return None if self._current is None else self._current.kind

    @property
    def fits(self) -> bool:
        """True if the shown object takes what is chosen."""
        return self._current is not None and self._current.fits

    @property
    def tiles(self) -> Sequence[TileButton]:
        """The tiles that are seen."""
        return tuple(self._order)

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings that are seen."""
        return tuple(one.section.title for one in self._groups if not one.heading.isHidden())

    def rank(self, fits: Callable[[Kind], bool]) -> None:
        """Put sections of which something fits first, and paint what does not fit in grey."""
        self._fits = fits
        self.show_sections([one.section for one in self._groups])

    def show_sections(self, sections: Sequence[Section]) -> None:
        """Show these sections, and keep what is chosen if it is still there."""
        kept = self.current
        for one in self._groups:
            for widget in (one.heading, *one.tiles):
                widget.hide()
                widget.deleteLater()
        self._current = None
        groups = [_Group(one, self._below) for one in sections if one.kinds]
        for group in groups:
            for tile in group.tiles:
                tile.set_fits(fits=self._fits(tile.kind))
                tile.clicked.connect(lambda _=False, tile=tile: self._choose(tile))
                tile.picked.connect(lambda tile=tile: self.picked.emit(tile.kind))
                tile.taken.connect(self.taken)
        self._groups = sorted(groups, key=lambda one: not any(tile.fits for tile in one.tiles))
        self._arrange()
        again = next((tile for tile in self._order if tile.kind == kept), None)
        self._choose(again or self._first())

    def search(self, words: str) -> None:
        """Show only the tiles that match, and choose the first of them."""
        self._words = words
        self._arrange()
        if words.strip() or self._current not in self._order:
            self._choose(self._first())
        self.verticalScrollBar().setValue(0)

    def move_choice(self, columns: int, rows: int) -> None:
        """Choose the next tile in a direction. At an edge the choice stays."""
        if self._current is None or self._current not in self._order:
            self._choose(self._first())
            return
        if columns:
            at = self._order.index(self._current) + columns
            if 0 <= at < len(self._order):
                self._choose(self._order[at])
            return
        row, column = self._places[self._current]
        there = [tile for tile in self._order if self._places[tile][0] == row + rows]
        if there:
            self._choose(min(there, key=lambda tile: abs(self._places[tile][1] - column)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _first(self) -> TileButton | None:
        return next((tile for tile in self._order if tile.fits), next(iter(self._order), None))

    def _choose(self, tile: TileButton | None) -> None:
        if self._current is not None:
            self._current.setChecked(False)
        self._current = tile
        if tile is not None:
            tile.setChecked(True)
            self.ensureWidgetVisible(tile, 0, _TITLE + _UNDER_TITLE)
        self.chosen.emit(None if tile is None else tile.kind)

    def _arrange(self) -> None:
        """Place headings and tiles; hide those that do not match."""
        wide = self.viewport().width()
        column_width = (wide - 2 * _PAD) // COLUMNS
        self._order, self._places = [], {}
        y = row = 0
        for group in self._groups:
            seen = [tile for tile in group.tiles if tile.matches(self._words)]
            group.heading.setVisible(bool(seen))
            for tile in group.tiles:
                tile.setVisible(tile in seen)
            if not seen:
                continue
            group.heading.setGeometry(_PAD + _GAP, y, wide - 2 * _PAD, _TITLE)
            y += _TITLE + _UNDER_TITLE
            for at, tile in enumerate(seen):
                down, across = divmod(at, COLUMNS)
                tile.setGeometry(
                    _PAD + across * column_width, y + down * TILE_HEIGHT, column_width, TILE_HEIGHT
                )
                self._order.append(tile)
                self._places[tile] = row + down, across
            rows = -(-len(seen) // COLUMNS)
            row += rows
            y += rows * TILE_HEIGHT + _GAP
        self._below.resize(wide, max(y, 1))
