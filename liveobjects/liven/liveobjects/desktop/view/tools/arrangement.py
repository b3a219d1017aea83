"""How what is chosen lies: where, how large, how turned, over what, with what; each deed is one step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.snap import GRID

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

_PAN = 8
"""So many pixels the plane moves, where a thing would move by one."""


class Arrangement:
    """One canvas's."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas

    def connect(self) -> None:
        """Draws connectors through what is chosen, as one reads; where they all are, takes them away."""
        canvas = self._canvas
        if canvas.asked.has("Connect", least=2):
            canvas.do(commands.connect_all(canvas.state, canvas.chosen))

    def group(self) -> None:
        canvas = self._canvas
        canvas.asked.do(commands.group(canvas.state, canvas.chosen), least=2)

    def ungroup(self) -> None:
        canvas = self._canvas
        canvas.asked.do(commands.ungroup(canvas.state, canvas.chosen), idle="no group is selected")

    def lock(self) -> None:
        canvas = self._canvas
        canvas.asked.do(commands.lock(canvas.state, canvas.chosen))

    def stack(self, where: str) -> None:
        canvas = self._canvas
        command = getattr(commands, where)(canvas.state, canvas.chosen)
        canvas.asked.do(command, idle="nothing lies there that could be passed")

    def nudge(self, step: tuple[int, int]) -> None:
        """Moves what is chosen a little; with nothing chosen, the plane."""
        canvas = self._canvas
        if canvas.chosen:
            canvas.asked.do(commands.move(canvas.state, canvas.chosen, *step), free=True)
        else:
            canvas.camera.pan(QPointF(-_PAN * step[0], -_PAN * step[1]))
            canvas.looks_elsewhere()

    def size(self, by: tuple[int, int]) -> None:
        """Makes what is chosen wider or taller by so many steps of the grid, or less."""
        canvas = self._canvas
        command = commands.grow(canvas.state, canvas.chosen, GRID * by[0], GRID * by[1])
        canvas.asked.do(command, free=True, idle="it is as small as things are made")

    def turn(self, degrees: float) -> None:
        canvas = self._canvas
        canvas.asked.do(commands.turn(canvas.state, canvas.chosen, degrees), free=True)

    def align(self, side: str) -> None:
        canvas = self._canvas
        command = commands.align(canvas.state, canvas.chosen, side)
        canvas.asked.do(command, least=2, free=True, idle="they are in line")

    def distribute(self, across: bool) -> None:
        canvas = self._canvas
        command = commands.distribute(canvas.state, canvas.chosen, across=across)
        canvas.asked.do(command, least=3, free=True, idle="the gaps are equal")
