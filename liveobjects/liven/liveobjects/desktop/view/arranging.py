"""How what is chosen lies: where, how large, how turned, over what, with what; each deed is one step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.snapping import GRID

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas import Canvas

_PAN = 8
"""So many pixels the plane moves, where a thing would move by one."""


class Arranging:
    """One canvas's."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas

    def connect(self) -> None:
        """Draws connectors through what is chosen, as one reads; where they all are, takes them away."""
        canvas = self._canvas
        if len(canvas.chosen) < 2:
            canvas.frame.tell("Select two things or more, which shall be connected.")
            return
        canvas.do(commands.connect_all(canvas.state, canvas.chosen))

    def group(self) -> None:
        self._canvas.do(commands.group(self._canvas.state, self._canvas.chosen))

    def ungroup(self) -> None:
        self._canvas.do(commands.ungroup(self._canvas.state, self._canvas.chosen))

    def lock(self) -> None:
        self._canvas.do(commands.lock(self._canvas.state, self._canvas.chosen))

    def stack(self, where: str) -> None:
        self._canvas.do(getattr(commands, where)(self._canvas.state, self._canvas.chosen))

    def nudge(self, step: tuple[int, int]) -> None:
        """Moves what is chosen a little; with nothing chosen, the plane."""
        canvas = self._canvas
        if canvas.chosen:
            canvas.do(commands.move(canvas.state, canvas.chosen, *step))
        else:
            canvas.camera.pan(QPointF(-_PAN * step[0], -_PAN * step[1]))
            canvas.looks_elsewhere()

    def size(self, by: tuple[int, int]) -> None:
        """Makes what is chosen wider or taller by so many steps of the grid, or less."""
        self._canvas.do(commands.grow(self._canvas.state, self._canvas.chosen, GRID * by[0], GRID * by[1]))

    def turn(self, degrees: float) -> None:
        self._canvas.do(commands.turn(self._canvas.state, self._canvas.chosen, degrees))

    def align(self, side: str) -> None:
        self._canvas.do(commands.align(self._canvas.state, self._canvas.chosen, side))

    def distribute(self, across: bool) -> None:
        self._canvas.do(commands.distribute(self._canvas.state, self._canvas.chosen, across=across))
