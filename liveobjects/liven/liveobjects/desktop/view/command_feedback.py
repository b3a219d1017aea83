"""Feedback of keys and menus: a command is carried out, or a message says why it cannot be."""

from __future__ import annotations

from typing import Final, Protocol

from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.state import Desktop
from liven.liveobjects.desktop.view.items.connectors import Connectors
from liven.liveobjects.view.contract import ViewHost

_LEAST: Final = {1: "an item", 2: "at least two items", 3: "at least three items"}
NOTHING_HERE: Final = "This desktop is empty."
ALL_SELECTED: Final = "Everything is selected already."


class FeedbackCanvas(Protocol):
    """The part of the canvas that feedback needs."""

    @property
    def state(self) -> Desktop: ...

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def connectors(self) -> Connectors: ...

    @property
    def host(self) -> ViewHost: ...

    def do(self, command: Command) -> bool: ...


class CommandFeedback:
    """The feedback of one canvas. A mouse gesture that moves nothing is silent; a key that did nothing
    would seem broken."""

    def __init__(self, canvas: FeedbackCanvas) -> None:
        self._canvas = canvas

    def do(self, command: Command, *, least: int = 1, free: bool = False, idle: str = "") -> bool:
        """Carry out a command as one step, or say why it changes nothing.

        The reason is that fewer than `least` items are selected; if it needs unlocked items (`free`), that
        they are locked; otherwise `idle`."""
        if command.changes:
            return self._canvas.do(command)
        why = self.too_few(least) or (free and self._locked(least)) or idle or "there is nothing to change"
        self._canvas.host.show_message(f"{command.name}: {why}.")
        return False

    def has(self, action: str, least: int = 1, most: int | None = None) -> bool:
        """Return True if enough items are selected, and say so otherwise."""
        why = self.too_few(least)
        if not why and most is not None and len(self._canvas.selected) > most:
            why = "select only one item"
        if why:
            self._canvas.host.show_message(f"{action}: {why}.")
        return not why

    def too_few(self, least: int) -> str:
        """Return why the selection is too small; empty if it is large enough."""
        canvas = self._canvas
        if len(canvas.selected) >= least:
            return ""
        if canvas.connectors.selected is not None:
            return "a connector is selected; press F2 to name it or Del to remove it"
        return f"select {_LEAST[least]} first"

    def _locked(self, least: int) -> str:
        """Return why too few selected items are unlocked; empty if there are enough."""
        canvas = self._canvas
        items = [canvas.state.items[key] for key in canvas.selected]
        free = sum(not item.locked for item in items)
        if free >= least:
            return ""
        if free:  # the key locks those first: it unlocks only if all are locked
            return f"all but {free} are locked; press Ctrl+Shift+L twice to unlock the selection"
        subject = "it is" if len(items) == 1 else "all of them are"
        return f"{subject} locked; press Ctrl+Shift+L to unlock the selection"
