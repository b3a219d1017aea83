"""What the mouse does by dragging, done by keys: sizes, turns, connectors; and going along with somebody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.snapping import GRID
from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view.walking import walk

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas import Canvas

HAND = Qt.CursorShape.OpenHandCursor


class ByKeys:
    """One canvas's."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._newest = ""
        """What was chosen last by `choose_next_too`."""
        self.hand = False
        """Whether dragging moves the plane wherever it begins."""

    def choose_next(self, step: int) -> None:
        """Goes through things and connectors from left to right and down."""
        walk(self._canvas, step)

    def choose_next_too(self, step: int) -> None:
        """Goes to the next thing that is not chosen, and chooses it with what is."""
        canvas = self._canvas
        order = commands.in_reading_order(canvas.state.items.values())
        places = {item.key: at for at, item in enumerate(order)}
        here = places.get(self._newest if self._newest in canvas.chosen else "", -1)
        if here < 0:
            here = max((places[key] for key in canvas.chosen), default=-1 if step > 0 else len(order))
        ring = [order[(here + step * far) % len(order)] for far in range(1, len(order) + 1)]
        item = next((one for one in ring if one.key not in canvas.chosen), None)
        if item is not None:
            self._newest = item.key
            canvas.choose(canvas.chosen | commands.with_groups(canvas.state, {item.key}))
            canvas.bring_into_view(item)

    def size(self, by: tuple[int, int]) -> None:
        """Makes what is chosen wider or taller by so many steps of the grid, or less."""
        self._canvas.do(commands.grow(self._canvas.state, self._canvas.chosen, GRID * by[0], GRID * by[1]))

    def turn(self, degrees: float) -> None:
        self._canvas.do(commands.turn(self._canvas.state, self._canvas.chosen, degrees))

    def connect(self) -> None:
        """Draws connectors through what is chosen, as one reads; where they all are, takes them away."""
        canvas = self._canvas
        if len(canvas.chosen) < 2:
            canvas.frame.tell("Select two things or more, which shall be connected.")
            return
        canvas.do(commands.connect_all(canvas.state, canvas.chosen))

    def remove_through(self) -> None:
        """Removes what is chosen, and connects what was connected through it."""
        self._canvas.do(commands.remove_through(self._canvas.state, self._canvas.chosen))

    def open(self) -> None:
        """Opens what is chosen, each thing in a window of its own."""
        for item in commands.in_reading_order(self._chosen()):
            self._canvas.frame.open_object(item.reference, item.label or self._canvas.actors.title(item))

    def follow_next(self) -> None:
        """Sees what the next of the others sees; after the last of them, goes one's own way."""
        gazes = self._canvas.gazes
        others = gazes.others
        if not others:
            self._canvas.frame.tell("Nobody else is here.")
            return
        windows = [one.window for one in others]
        at = windows.index(gazes.followed) + 1 if gazes.followed in windows else 0
        gazes.follow(windows[at] if at < len(windows) else None)
        said = f"You see what {others[at].name} sees." if at < len(windows) else "You go your own way."
        self._canvas.frame.tell(said)

    def toggle_hand(self) -> None:
        """Takes the hand, by which dragging moves the plane, or puts it away."""
        self.hand = not self.hand
        self._canvas.setCursor(HAND if self.hand else Qt.CursorShape.ArrowCursor)
        self._canvas.frame.tell(
            "Dragging moves the plane; H or Esc ends that." if self.hand else "The hand is away."
        )

    def _chosen(self) -> list[Item]:
        items = self._canvas.state.items
        return [items[key] for key in sorted(self._canvas.chosen)]
