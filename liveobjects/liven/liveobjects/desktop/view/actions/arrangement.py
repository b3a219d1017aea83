"""Arranging the selection: nudge, size, rotate, stack, align, distribute, group, lock and connect. Each
is one undo step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeAlias

from PySide6.QtCore import QPointF

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.frames import with_contents
from liven.liveobjects.desktop.snap import GRID
from liven.liveobjects.desktop.state import Desktop
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.command_feedback import CommandFeedback

_PAN = 8
"""Pixels that the plane moves where an item would move by one."""
Stacking: TypeAlias = Callable[[Desktop, Iterable[str]], Command]
"""A command of the module `commands` that changes how far up items lie."""


class ArrangementCanvas(Protocol):
    """The part of the canvas that arranging needs."""

    @property
    def state(self) -> Desktop: ...

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def camera(self) -> Camera: ...

    @property
    def feedback(self) -> CommandFeedback: ...

    def do(self, command: Command) -> bool: ...

    def viewport_changed(self) -> None: ...


class Arrangement:
    """The arranging actions of one canvas."""

    def __init__(self, canvas: ArrangementCanvas) -> None:
        self._canvas = canvas

    def connect(self) -> None:
        """Connect the selected items in reading order; if they all are connected, remove the connectors."""
        canvas = self._canvas
        if canvas.feedback.has("Connect", least=2):
            canvas.do(commands.connect_all(canvas.state, canvas.selected))

    def group(self) -> None:
        canvas = self._canvas
        canvas.feedback.do(commands.group(canvas.state, canvas.selected), least=2)

    def ungroup(self) -> None:
        canvas = self._canvas
        canvas.feedback.do(commands.ungroup(canvas.state, canvas.selected), idle="no group is selected")

    def lock(self) -> None:
        canvas = self._canvas
        canvas.feedback.do(commands.lock(canvas.state, canvas.selected))

    def stack(self, stacking: Stacking) -> None:
        """Raise or lower the selection by a command such as `commands.to_front`."""
        canvas = self._canvas
        canvas.feedback.do(stacking(canvas.state, canvas.selected), idle="there is no item to pass")

    def nudge(self, step: tuple[int, int]) -> None:
        """Move the selection a little; without a selection, pan."""
        canvas = self._canvas
        if canvas.selected:
            carried = with_contents(canvas.state, canvas.selected)
            canvas.feedback.do(commands.move(canvas.state, carried, *step), free=True)
        else:
            canvas.camera.pan(QPointF(-_PAN * step[0], -_PAN * step[1]))
            canvas.viewport_changed()

    def size(self, by: tuple[int, int]) -> None:
        """Make the selection wider or higher by steps of the grid, or smaller."""
        canvas = self._canvas
        command = commands.grow(canvas.state, canvas.selected, GRID * by[0], GRID * by[1])
        canvas.feedback.do(command, free=True, idle="it cannot be smaller")

    def turn(self, degrees: float) -> None:
        canvas = self._canvas
        canvas.feedback.do(commands.turn(canvas.state, canvas.selected, degrees), free=True)

    def align(self, side: str) -> None:
        canvas = self._canvas
        command = commands.align(canvas.state, canvas.selected, side)
        canvas.feedback.do(command, least=2, free=True, idle="they are already aligned")

    def distribute(self, *, across: bool) -> None:
        canvas = self._canvas
        command = commands.distribute(canvas.state, canvas.selected, across=across)
        canvas.feedback.do(command, least=3, free=True, idle="the gaps are already equal")
