"""Renaming the selected item or connector in a dialog."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtWidgets import QInputDialog, QWidget

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.state import Desktop, Item, Link
from liven.liveobjects.desktop.view.command_feedback import CommandFeedback
from liven.liveobjects.desktop.view.items.connectors import Connectors
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.view.contract import ViewHost

GONE = "Rename: somebody has removed it."


class RenameCanvas(Protocol):
    """The part of the canvas that renaming needs."""

    @property
    def state(self) -> Desktop: ...

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def connectors(self) -> Connectors: ...

    @property
    def item_views(self) -> ItemViews: ...

    @property
    def feedback(self) -> CommandFeedback: ...

    @property
    def host(self) -> ViewHost: ...

    def do(self, command: Command) -> bool: ...


def rename(canvas: RenameCanvas, parent: QWidget) -> None:
    """Ask for a new name and set it as one step, if the item still exists."""
    link = canvas.connectors.selected
    if link is not None:
        _rename_link(canvas, link, parent)
    elif canvas.feedback.has("Rename", most=1):
        _rename_item(canvas, canvas.state.items[next(iter(canvas.selected))], parent)


def _rename_item(canvas: RenameCanvas, item: Item, parent: QWidget) -> None:
    name = _ask(parent, item.label or canvas.item_views.title(item))
    if name is None:
        return
    if item.key in canvas.state.items:
        canvas.do(commands.rename(canvas.state, item.key, name))
    else:
        canvas.host.show_message(GONE)


def _rename_link(canvas: RenameCanvas, link: Link, parent: QWidget) -> None:
    name = _ask(parent, link.label)
    if name is None:
        return
    if link.key in canvas.state.links:
        canvas.do(commands.rename_link(canvas.state, link.key, name))
    else:
        canvas.host.show_message(GONE)


def _ask(parent: QWidget, old: str) -> str | None:
    name, good = QInputDialog.getText(parent, "Rename", "Name:", text=old)
    return name if good else None
