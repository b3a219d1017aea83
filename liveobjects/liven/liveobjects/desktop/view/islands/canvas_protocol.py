"""The part of the canvas that islands need."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QRectF

from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.spatial_index import reach
from liven.liveobjects.desktop.state import Change, Desktop, Item, Place
from liven.liveobjects.desktop.view.actions.choice_menu import ChoiceCanvas
from liven.liveobjects.desktop.view.actions.context_menu import MenuCanvas
from liven.liveobjects.desktop.view.actions.timer_menu import TimerMenu
from liven.liveobjects.desktop.view.gestures.gesture import Gesture
from liven.liveobjects.desktop.view.people.avatars import Avatars
from liven.liveobjects.desktop.view.tools.held_tool import HeldTool
from liven.liveobjects.desktop.view.transfer.drop_and_paste import DropAndPaste
from liven.liveobjects.desktop.view.viewport.find_bar import DesktopFindBar
from liven.liveobjects.desktop.view.viewport.minimap import Minimap
from liven.runtime.fold import Editor


class IslandCanvas(MenuCanvas, ChoiceCanvas, Protocol):
    """The part of the canvas that islands need."""

    gesture: Gesture | None

    @property
    def editor(self) -> Editor[Desktop, Change]: ...

    @property
    def editing(self) -> str | None: ...

    @property
    def model(self) -> DesktopObject: ...

    @property
    def drop_and_paste(self) -> DropAndPaste: ...

    @property
    def held_tool(self) -> HeldTool: ...

    @property
    def timer_menu(self) -> TimerMenu: ...

    @property
    def avatars(self) -> Avatars: ...

    @property
    def minimap(self) -> Minimap: ...

    @property
    def find_bar(self) -> DesktopFindBar: ...

    def place_of(self, item: Item) -> Place: ...

    def refresh_selection(self) -> None: ...

    def do(self, command: Command) -> bool: ...


def selection_area(canvas: IslandCanvas) -> QRectF:
    """Return the area of the selected items in the window; empty if none is selected."""
    whole = QRectF()
    for key in canvas.selected:
        item = canvas.state.items.get(key)
        if item is not None:
            whole |= canvas.camera.area(reach(canvas.place_of(item)))
    return whole
