"""All islands of one canvas, where they stand, and when they change."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QRect, QTimer
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.view.islands.board_island import BoardIsland
from liven.liveobjects.desktop.view.islands.canvas_protocol import IslandCanvas
from liven.liveobjects.desktop.view.islands.empty_board import EmptyBoard
from liven.liveobjects.desktop.view.islands.people_island import PeopleIsland
from liven.liveobjects.desktop.view.islands.selection_bar import SelectionBar
from liven.liveobjects.desktop.view.islands.timer_island import TimerIsland
from liven.liveobjects.desktop.view.islands.toolbar import Toolbar
from liven.liveobjects.desktop.view.islands.zoom_bar import ZoomBar, help_island
from liven.liveobjects.look.view.island import Island
from liven.liveobjects.view.window_controls import WindowControls

RIM: Final = 16
"""Pixels between an island and the edge of the window."""
_GAP: Final = 8


class Islands(QObject):
    """The islands of one canvas, which is also their parent."""

    def __init__(self, canvas: IslandCanvas, below: QWidget, controls: WindowControls) -> None:
        super().__init__(below)
        self._canvas, self._below = canvas, below
        self.board = BoardIsland(canvas, below, controls)
        self.people = PeopleIsland(canvas.avatars, below, controls)
        self.toolbar = Toolbar(canvas.held_tool, below)
        self.zoom = ZoomBar(canvas, below)
        self.help = help_island(below, controls.show_keys)
        self.selection = SelectionBar(canvas, below)
        self.empty = EmptyBoard(canvas, below)
        self.timer = TimerIsland(canvas, canvas.timer_menu, below)
        self.people.resized.connect(self.place)
        canvas.held_tool.changed.connect(self.refresh_selection)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.board.refresh)
        canvas.minimap.stand_at_foot()
        for one in self._standing:
            one.show()
            one.raise_()
        self.place()

    @property
    def _standing(self) -> tuple[Island, ...]:
        return (self.board, self.people, self.toolbar, self.zoom, self.help)

    def place(self) -> None:
        """Place all islands anew: the window has another size, or one of them has."""
        width, height = self._below.width(), self._below.height()
        self.board.refresh()
        self.board.move(RIM, RIM)
        self.people.adjustSize()
        self.people.move(width - RIM - self.people.width(), RIM)
        self.toolbar.fit(width - 2 * RIM)
        bar_top = height - RIM - self.toolbar.height()
        self.toolbar.move((width - self.toolbar.width()) // 2, bar_top)
        self.zoom.refresh()
        beside = RIM + self.zoom.width() + _GAP
        is_beside = self.toolbar.x() >= beside
        zoom_foot = height - RIM if is_beside else bar_top - _GAP
        self.zoom.move(RIM, zoom_foot - self.zoom.height())
        self.help.move(beside, zoom_foot - self.help.height())
        self.help.setVisible(not is_beside or self.toolbar.x() >= beside + self.help.width() + _GAP)
        free = width - RIM - self._canvas.minimap.width() >= self.toolbar.geometry().right() + _GAP
        self._canvas.minimap.keep_from_foot(RIM if free else height - bar_top + _GAP)
        self._canvas.find_bar.keep_from_top(self.people.geometry().bottom() + _GAP)
        self._place_timer()
        self.refresh_selection()
        self.empty.refresh()

    def _place_timer(self) -> None:
        self.timer.refresh()
        board, people = self.board.geometry(), self.people.geometry()
        foot = max(board.bottom(), people.bottom()) + _GAP
        self.timer.place(board.right() + _GAP, people.left() - _GAP, RIM, foot)

    def refresh(self) -> None:
        """Show what has changed on the desktop. The list of undo changes only after the state."""
        self._soon.start()
        self._place_timer()
        self.refresh_selection()
        self.empty.refresh()

    def refresh_view(self) -> None:
        """Show another part of the plane."""
        self.zoom.refresh()
        self.refresh_selection()

    def refresh_selection(self) -> None:
        """Show the bar of the selection, or hide it."""
        self.selection.refresh([one.geometry() for one in self._standing if one.isVisible()])

    @property
    def foot(self) -> int:
        """The pixels at the lower end that the toolbar takes."""
        return self._below.height() - self.toolbar.y()

    @property
    def clear(self) -> QRect:
        """The area between the islands at the head and those at the foot."""
        top = max(self.board.geometry().bottom(), self.people.geometry().bottom()) + 1
        foot = min(self.toolbar.y(), self.zoom.y())
        return QRect(0, top, self._below.width(), max(foot - top, 1))

    @property
    def covered(self) -> tuple[QRect, ...]:
        """The areas that islands cover."""
        return tuple(one.geometry() for one in self._standing if one.isVisible())
