"""What keys and menus ask for: it is done, or it is said why nothing can be done with what is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from liven.liveobjects.desktop.commands import Command

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

_MANY: Final = {1: "something", 2: "two things or more", 3: "three things or more"}
NOTHING_HERE: Final = "Nothing lies here yet."
ALL_CHOSEN: Final = "All is selected already."


class Asked:
    """One canvas's. A mouse that moves nothing is silent; a key that does nothing is taken for broken."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas

    def do(self, command: Command, *, least: int = 1, free: bool = False, idle: str = "") -> bool:
        """Does a command as one step. Where it changes nothing, says why: fewer than `least` are chosen, or,
        if it is for what is `free`, not locked; else the reason is `idle`."""
        if command.changes:
            return self._canvas.do(command)
        why = self.lacks(least) or (free and self._locked(least)) or idle or "there is nothing to change"
        self._canvas.host.show_message(f"{command.name}: {why}.")
        return False

    def has(self, what: str, least: int = 1, most: int | None = None) -> bool:
        """Whether so many things are chosen; says so if not."""
        why = self.lacks(least)
        if not why and most is not None and len(self._canvas.chosen) > most:
            why = "select one thing alone"
        if why:
            self._canvas.host.show_message(f"{what}: {why}.")
        return not why

    def lacks(self, least: int) -> str:
        """Why what is chosen is too little; empty if it is enough."""
        canvas = self._canvas
        if len(canvas.chosen) >= least:
            return ""
        if canvas.connectors.chosen is not None:
            return "a connector is selected, which F2 names and Del removes; this is for things"
        return f"select {_MANY[least]} first"

    def _locked(self, least: int) -> str:
        """Why what is chosen and not locked is too little; empty if it is enough."""
        canvas = self._canvas
        items = [canvas.state.items[key] for key in canvas.chosen]
        free = sum(not item.locked for item in items)
        if free >= least:
            return ""
        if free:  # the key locks those first: it unlocks only what is locked altogether
            return f"all but {free} are locked; Ctrl+Shift+L, pressed twice, unlocks what is selected"
        whom = "it is" if len(items) == 1 else "all of them are"
        return f"{whom} locked; Ctrl+Shift+L unlocks what is selected"
