"""The grid of boards. Pictures are read for the tiles that are seen, a few at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Final

from PySide6.QtCore import QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from liven.app.start.board_search import Found
from liven.app.start.board_tile import HEIGHT, BoardTile
from liven.app.start.dates import day_of
from liven.app.start.gallery import Board
from liven.app.start.last_looks import LastLooks
from liven.app.start.tile import RIM
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.view.avatars import Face
from liven.runtime.files import read_regular

NARROWEST: Final = 236
GAP: Final = 4
"""Pixels between tiles, which have a rim of their own."""
_BUDGET: Final = 0.05
"""Seconds for pictures in the first turn, and in each further one."""
_LARGEST: Final = 4 * 1024 * 1024


class BoardGrid(QWidget):
    """The grid. Its height follows its width; a scroll area shows a part of it."""

    opened = Signal(object)
    """Emitted with the `Board` that is to be opened."""
    star_wanted = Signal(object, bool)
    removal_wanted = Signal(object)
    menu_wanted = Signal(object, QPoint)

    def __init__(self, looks: LastLooks) -> None:
        super().__init__()
        self._looks = looks
        self._tiles: list[BoardTile] = []
        self._people: Mapping[Path, tuple[tuple[str, Face], ...]] = {}
        self._without: list[BoardTile] = []
        """The tiles whose pictures were not read yet."""
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.load_seen)

    @property
    def tiles(self) -> Sequence[BoardTile]:
        """All tiles, in the order of reading."""
        return tuple(self._tiles)

    def show_boards(self, found: Sequence[Found], now: float) -> None:
        """Show these boards. Tiles of boards that stay keep their pictures."""
        before = {one.board.path: one for one in self._tiles}
        self._tiles = []
        for one in found:
            tile = before.pop(one.board.path, None)
            if tile is None or tile.board != one.board:
                picture = None if tile is None else tile.picture
                if tile is not None:
                    self._drop(tile)
                tile = self._made(one.board, day_of(one.board.used, now))
                tile.show_picture(picture)
            tile.note = one.snippet
            tile.update()
            self._tiles.append(tile)
        for tile in before.values():
            self._drop(tile)
        self._without = list(self._tiles)
        self.show_people(self._people)
        self.arrange()

    def show_people(self, people: Mapping[Path, tuple[tuple[str, Face], ...]]) -> None:
        """Show who is in which board."""
        self._people = people
        for tile in self._tiles:
            tile.show_people(people.get(tile.board.path, ()))

    def open_first(self) -> None:
        """Open the first board of what was found."""
        if self._tiles:
            self.opened.emit(self._tiles[0].board)

    def focus_first(self) -> None:
        """Give the focus to the first board."""
        if self._tiles:
            self._tiles[0].setFocus(Qt.FocusReason.TabFocusReason)

    def focus(self, path: Path) -> None:
        """Give the focus to the tile of a file."""
        found = next((one for one in self._tiles if one.board.path == path), None)
        if found is not None:
            found.setFocus(Qt.FocusReason.OtherFocusReason)

    def arrange(self) -> None:
        """Place the tiles in as many columns as there is room for."""
        columns, width = self._columns()
        for at, tile in enumerate(self._tiles):
            row, column = divmod(at, columns)
            tile.setGeometry(column * (width + GAP), row * (HEIGHT + GAP), width, HEIGHT)
            tile.show()
        rows = -(-len(self._tiles) // columns)
        self.setFixedHeight(max(1, rows * (HEIGHT + GAP)))
        self._soon.start()

    def reload(self, path: Path) -> None:
        """Read the picture of a board again."""
        found = next((one for one in self._tiles if one.board.path == path), None)
        if found is not None:
            self._load(found, current_look().name)

    def load_seen(self) -> None:
        """Read the pictures of the tiles that are seen, as long as the time for a turn lasts."""
        seen, until = self._seen(), perf_counter() + _BUDGET
        light = current_look().name
        for tile in tuple(self._without):
            if tile.geometry().intersects(seen):
                if perf_counter() > until:
                    self._soon.start()
                    return
                self._without.remove(tile)
                self._load(tile, light)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.arrange()

    def _load(self, tile: BoardTile, light: str) -> None:
        try:
            recipe = read_regular(tile.board.path, _LARGEST)
        except OSError:
            return
        tile.show_picture(self._looks.picture(recipe, light) or tile.picture)

    def _seen(self) -> QRect:
        """Return the part of the grid that is seen, and a row more."""
        area = self.parent()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parent()
        if area is None:
            return self.rect()
        port = area.viewport()
        top = port.mapTo(self.window(), QPoint(0, 0)) - self.mapTo(self.window(), QPoint(0, 0))
        return QRect(top, port.size()).adjusted(0, 0, 0, HEIGHT // 2)

    def _columns(self) -> tuple[int, int]:
        """Return the number of columns and their width."""
        columns = max(1, (self.width() + GAP) // (NARROWEST + 2 * RIM + GAP))
        return columns, (self.width() - (columns - 1) * GAP) // columns

    def _made(self, board: Board, day: str) -> BoardTile:
        tile = BoardTile(board, day, self)
        tile.clicked.connect(lambda: self.opened.emit(tile.board))
        tile.star_wanted.connect(lambda starred: self.star_wanted.emit(tile.board, starred))
        tile.removal_wanted.connect(lambda: self.removal_wanted.emit(tile.board))
        tile.menu_wanted.connect(lambda at: self.menu_wanted.emit(tile.board, at))
        tile.moved.connect(lambda columns, rows: self._move(tile, columns, rows))
        return tile

    def _move(self, tile: BoardTile, columns: int, rows: int) -> None:
        at = self._tiles.index(tile) + columns + rows * self._columns()[0]
        if 0 <= at < len(self._tiles):
            self._tiles[at].setFocus(Qt.FocusReason.TabFocusReason)

    def _drop(self, tile: BoardTile) -> None:
        tile.hide()
        tile.deleteLater()
