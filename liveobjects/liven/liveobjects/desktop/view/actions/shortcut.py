"""One action of a desktop with its keys, and the part of the canvas that actions need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from liven.liveobjects.desktop.view.actions.arrangement import Arrangement
from liven.liveobjects.desktop.view.actions.clipboard_commands import ClipboardCommands
from liven.liveobjects.desktop.view.actions.keyboard_navigation import KeyboardNavigation
from liven.liveobjects.desktop.view.items.connectors import Connectors
from liven.liveobjects.desktop.view.tools.frame_tool import FrameCanvas
from liven.liveobjects.desktop.view.viewport.zoom_and_view import ZoomAndView
from liven.liveobjects.view.contract import ViewHost


class _HeldTool(Protocol):
    def take(self, name: str) -> None: ...

    def take_by_key(self, key: str) -> None: ...

    def choose_pictures(self) -> None: ...

    def add_something(self) -> None: ...


class _Minimap(Protocol):
    def isVisible(self) -> bool: ...


class _Collaborators(Protocol):
    @property
    def pointers(self) -> bool: ...

    @property
    def laser(self) -> bool: ...

    def say_something(self) -> None: ...

    def toggle_laser(self) -> bool: ...

    def react(self, name: str) -> None: ...


class _TimerMenu(Protocol):
    def open(self) -> object: ...


class ShortcutCanvas(FrameCanvas, Protocol):
    """The part of the canvas that shortcuts act on."""

    snapping: bool
    grid: bool

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def connectors(self) -> Connectors: ...

    @property
    def minimap(self) -> _Minimap: ...

    @property
    def collaborators(self) -> _Collaborators: ...

    @property
    def arrangement(self) -> Arrangement: ...

    @property
    def clipboard(self) -> ClipboardCommands: ...

    @property
    def keyboard_navigation(self) -> KeyboardNavigation: ...

    @property
    def zoom_and_view(self) -> ZoomAndView: ...

    @property
    def held_tool(self) -> _HeldTool: ...

    @property
    def timer_menu(self) -> _TimerMenu: ...

    @property
    def host(self) -> ViewHost: ...

    def undo(self) -> None: ...

    def redo(self) -> None: ...

    def remove_selected(self) -> None: ...

    def remove_through(self) -> None: ...

    def edit_selected(self) -> None: ...

    def open_selected(self) -> None: ...

    def rename_selected(self) -> None: ...

    def restart_selected(self) -> None: ...

    def pause_selected(self) -> None: ...

    def select_all(self) -> None: ...

    def escape(self) -> None: ...

    def open_find_bar(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Shortcut:
    """One action of a desktop."""

    run: Callable[[ShortcutCanvas], object]
    keys: tuple[str, ...]
    """Key sequences in Qt's notation."""
    words: str
    group: str = "Edit"
    """The menu that contains it."""
    part: str = ""
    """The section of the menu; actions of one section stay together."""
    needs: int = 0
    """The least number of selected items."""
    takes_connector: bool = False
    """True if a selected connector will do instead."""
    ticked: Callable[[ShortcutCanvas], bool] | None = None
    """Returns true while what the action switches is on."""

    def can(self, canvas: ShortcutCanvas) -> bool:
        """Return True if enough is selected."""
        on_connector = self.takes_connector and canvas.connectors.selected is not None
        return on_connector or len(canvas.selected) >= self.needs

    def is_ticked(self, canvas: ShortcutCanvas) -> bool:
        """Return True if the action switches something that is on."""
        return self.ticked is not None and self.ticked(canvas)
