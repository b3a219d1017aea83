"""The menu that starts, lengthens or ends the timer of a desktop."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QWidget

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.state import Desktop
from liven.liveobjects.look.view.menu_corners import round_corners

MINUTES: Final = (1, 3, 5, 10, 15, 25, 45)
_TOP: Final = 70
"""Pixels from the upper end, where the timer stands, too."""


class TimerCanvas(Protocol):
    """The part of the canvas that the timer needs."""

    @property
    def state(self) -> Desktop: ...

    def do(self, command: Command) -> bool: ...


class TimerMenu:
    """The menu of one canvas."""

    def __init__(self, canvas: TimerCanvas, widget: QWidget, clock: Callable[[], float] = time.time) -> None:
        self._canvas, self._widget = canvas, widget
        self.clock = clock

    def open(self, at: QPoint | None = None) -> QMenu:
        """Open the menu at a point of the screen, or in the upper middle of the canvas."""
        menu = round_corners(QMenu(self._widget))
        menu.setAccessibleName("Timer")
        for minutes in MINUTES:
            words = "1 minute" if minutes == 1 else f"{minutes} minutes"
            menu.addAction(words).triggered.connect(partial(self.start, minutes * 60))
        if self._canvas.state.timer is not None:
            menu.addSeparator()
            menu.addAction("One minute more").triggered.connect(self.lengthen)
            menu.addAction("End the timer").triggered.connect(self.end)
        menu.aboutToHide.connect(menu.deleteLater)
        if at is None:
            middle = QPoint((self._widget.width() - menu.sizeHint().width()) // 2, _TOP)
            at = self._widget.mapToGlobal(middle)
        menu.popup(at)
        menu.setActiveAction(menu.actions()[0])
        return menu

    def start(self, seconds: float, *_: object) -> None:
        """Start a timer for everybody."""
        self._canvas.do(commands.start_timer(self._canvas.state, self.clock(), seconds))

    def lengthen(self, *_: object) -> None:
        """Give everybody one minute more."""
        self._canvas.do(commands.lengthen_timer(self._canvas.state, self.clock(), 60))

    def end(self, *_: object) -> None:
        """End the timer for everybody."""
        self._canvas.do(commands.end_timer(self._canvas.state))
