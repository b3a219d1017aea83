"""The start window: the gallery, patterns to begin with, search, and who is where."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QMenu, QWidget

from liven.app.start.board_grid import BoardGrid
from liven.app.start.board_search import BoardSearch, Found
from liven.app.start.gallery import Board, Gallery
from liven.app.start.last_looks import LastLooks
from liven.app.start.main_page import MainPage
from liven.app.start.patterns import Pattern
from liven.app.start.rail import PersonRow, Rail
from liven.app.window.floating.toast import Toast
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.menu_corners import round_corners
from liven.liveobjects.look.view.signs import Sign
from liven.liveobjects.view.avatars import Face, initials, tone_of
from liven.runtime.foreign_text import shown_line

BOARDS, RECENT, STARRED, SAMPLES, DELETED = "Boards", "Recent", "Starred", "Samples", "Deleted"
_RECENT_MOST: Final = 12
_FOLLOW_MS: Final = 2000
"""Milliseconds between two looks at who is where, while the window is seen."""


@dataclass(frozen=True, slots=True)
class Here:
    """Somebody in an open board."""

    name: str
    colour: str


class StartWindow(QMainWindow):
    """The window. It opens nothing itself: it emits what the person wants."""

    open_wanted = Signal(object)
    """Emitted with the path of a file to open."""
    begin_wanted = Signal(object)
    """Emitted with the `Pattern` of a new desktop."""
    rename_wanted = Signal()
    settings_wanted = Signal()
    quit_wanted = Signal()
    closed = Signal()
    activated = Signal()
    """Emitted when the person comes back to the window."""

    def __init__(
        self,
        gallery: Gallery,
        looks: LastLooks,
        samples: Sequence[Board],
        who: Callable[[], dict[Path, tuple[Here, ...]]],
        me: Callable[[], Here],
    ) -> None:
        """Make it for a gallery. `who` returns the people in the boards that are open here, by file, and
        `me` the person who uses the program."""
        super().__init__()
        self.setWindowTitle("Boards — Liven")
        self._gallery, self._looks, self._samples = gallery, looks, tuple(samples)
        self._who, self._me = who, me
        self._page = BOARDS
        self._boards: tuple[Board, ...] = ()
        self._search = BoardSearch(looks)
        self._by_name = False
        self._message = Toast(self)
        self.grid = BoardGrid(looks)
        self.page = MainPage(self.grid)
        self._myself = PersonRow("", "this machine", Face("", ""), here=False)
        self.rail = Rail(
            (
                (BOARDS, Sign.BOARD, lambda: len(self._boards)),
                (RECENT, Sign.CLOCK, None),
                (STARRED, Sign.STAR, lambda: sum(one.starred for one in self._boards)),
                (SAMPLES, Sign.LIBRARY, lambda: len(self._samples)),
                (DELETED, Sign.REMOVE, None),
            ),
            self._myself,
        )
        self._lay_out()
        self._connect()
        self._follow = QTimer(self, interval=_FOLLOW_MS)
        self._follow.timeout.connect(self._show_people)
        self.resize(1280, 820)
        self.refresh()

    def refresh(self) -> None:
        """Read the list again, and show it."""
        self._boards = self._gallery.boards()
        self._search.forget()
        me = self._me()
        self._myself.rename(me.name, _face(me))
        self._show_list()

    def search(self) -> None:
        """Put the caret into the search field."""
        self.page.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.page.field.selectAll()

    def show_message(self, words: str) -> None:
        """Show a message."""
        self._message.say(words)

    def show_page(self, name: str) -> None:
        """Show one of the pages of the rail."""
        self._page = name
        self.rail.buttons[name].setChecked(True)
        self.page.field.clear()
        self._show_list()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow.start()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Hide: the window is shown again with what it showed."""
        super().closeEvent(event)
        self._follow.stop()
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clear the search on Esc, then leave it."""
        if event.key() == Qt.Key.Key_Escape:
            self._escape()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Look for titles that have changed when the person comes back."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.activated.emit()

    def _lay_out(self) -> None:
        below = QWidget()
        row = QHBoxLayout(below)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        row.addWidget(self.page, 1)
        self.setCentralWidget(below)

    def _connect(self) -> None:
        self.rail.chosen.connect(self.show_page)
        self.rail.rename_wanted.connect(self.rename_wanted)
        self.rail.settings_wanted.connect(self.settings_wanted)
        self.page.begin_wanted.connect(self.begin_wanted)
        self.page.sorted_by_name.connect(self._sort)
        self.page.field.textChanged.connect(lambda _: self._show_list())
        self.page.field.returnPressed.connect(self.grid.open_first)
        self.page.field.moved.connect(lambda _, rows: self.grid.focus_first() if rows > 0 else None)
        self.grid.opened.connect(self._open)
        self.grid.star_wanted.connect(self._star)
        self.grid.removal_wanted.connect(self._remove)
        self.grid.menu_wanted.connect(self._show_menu)
        for keys, do in (
            ("Ctrl+K", self.search),
            ("Ctrl+F", self.search),
            ("Ctrl+N", lambda: self.begin_wanted.emit(Pattern("Empty", ""))),
            ("Ctrl+W", self.close),
            ("Ctrl+Q", self.quit_wanted.emit),
            ("Ctrl+Z", self._undo_last),
        ):
            QShortcut(QKeySequence(keys), self, do)

    def _escape(self) -> None:
        if self.page.field.text():
            self.page.field.clear()
        else:
            self.grid.focus_first()

    def _sort(self, by_name: bool) -> None:
        self._by_name = by_name
        self._show_list()

    def _listed(self) -> tuple[Board, ...]:
        if self._page == DELETED:
            return self._gallery.deleted()
        if self._page == SAMPLES:
            return self._samples
        if self._page == STARRED:
            return tuple(one for one in self._boards if one.starred)
        return self._boards[:_RECENT_MOST] if self._page == RECENT else self._boards

    def _show_list(self) -> None:
        """Show the boards of the page that match what is searched."""
        words = self.page.field.text().strip()
        people = self._who()
        if words:
            names = {path: " ".join(one.name for one in here) for path, here in people.items()}
            there = self._listed() if self._page in (DELETED, SAMPLES) else (*self._boards, *self._samples)
            found = self._search.find(there, words, names)
        else:
            found = [Found(one) for one in self._listed()]
            if self._by_name and self._page != RECENT:
                found.sort(key=lambda one: one.board.title.casefold())
        begins = self._page == BOARDS and not words
        self.page.show_heading(self._page, begins=begins, found=len(found) if words else None)
        self.grid.show_boards(found, time.time())
        self._show_people()
        for button in self.rail.buttons.values():
            button.update()

    def _show_people(self) -> None:
        people = self._who()
        titles = {one.path: one.title for one in self._boards}
        self.grid.show_people(
            {path: tuple((one.name, _face(one)) for one in here) for path, here in people.items()}
        )
        self.rail.show_people(
            tuple(
                (one.name, shown_line(titles.get(path, path.stem)), _face(one))
                for path, here in people.items()
                for one in here
            )
        )

    def _open(self, board: Board) -> None:
        if self._page == DELETED:
            self._restore(board)
        else:
            self.open_wanted.emit(board.path)

    def _star(self, board: Board, starred: bool) -> None:
        try:
            self._gallery.set_star(board.path, starred=starred)
        except OSError as error:
            self.show_message(f"“{board.title}” keeps what it had: {error.strerror or error}.")
            return
        self.refresh()
        self.grid.focus(board.path)

    _undo: Callable[[], Path] | None = None

    def _remove(self, board: Board) -> None:
        if self._page in (DELETED, SAMPLES):
            return
        try:
            self._undo = self._gallery.remove(board)
        except OSError as error:
            self.show_message(f"“{board.title}” stays where it is: {error.strerror or error}.")
            return
        self.refresh()
        said = "deleted. Others who have it open keep it." if board.begun else "off the list. Its file stays."
        self._message.say(f"“{shown_line(board.title)}” is {said}", act=("Undo", self._undo_last))

    def _undo_last(self) -> None:
        undo, self._undo = self._undo, None
        if undo is None:
            self.show_message("There is nothing to undo.")
            return
        try:
            path = undo()
        except OSError as error:
            self._undo = undo
            self.show_message(f"It cannot be restored: {error.strerror or error}.")
            return
        self.refresh()
        self.grid.focus(path)
        self.show_message(f"“{path.stem}” is back.")

    def _restore(self, board: Board) -> None:
        try:
            path = self._gallery.begun.restore(board.path)
        except OSError as error:
            self.show_message(f"“{board.title}” cannot be restored: {error.strerror or error}.")
            return
        self.refresh()
        self.show_message(f"“{path.stem}” is restored.")

    def _show_menu(self, board: Board, at: QPoint) -> None:
        menu = round_corners(QMenu(self))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self._page == DELETED:
            menu.addAction("Restore", lambda: self._restore(board))
        else:
            menu.addAction("Open", lambda: self._open(board))
        if self._page not in (DELETED, SAMPLES):
            star = "Take the star away" if board.starred else "Star"
            menu.addAction(star, lambda: self._star(board, not board.starred))
            menu.addSeparator()
            menu.addAction("Delete" if board.begun else "Take off the list", lambda: self._remove(board))
        menu.popup(at)


def _face(one: Here) -> Face:
    return Face(initials(one.name), tone_of(current_look(), one.colour))


__all__ = ["Here", "StartWindow"]
