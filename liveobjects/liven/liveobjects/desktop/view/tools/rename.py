"""Asking for another name: of the one thing that is chosen, or of the connector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QInputDialog

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Item, Link

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas


GONE = "Rename: somebody has removed it meanwhile."


def rename(canvas: Canvas) -> None:
    """Asks, and does it as one step if the person says a name and it is still there."""
    link = canvas.connectors.chosen
    if link is not None:
        _rename_link(canvas, link)
    elif canvas.asked.has("Rename", most=1):
        _rename_item(canvas, canvas.state.items[next(iter(canvas.chosen))])


def _rename_item(canvas: Canvas, item: Item) -> None:
    name = _ask(canvas, item.label or canvas.actors.title(item))
    if name is None:
        return
    if item.key in canvas.state.items:
        canvas.do(commands.rename(canvas.state, item.key, name))
    else:
        canvas.host.show_message(GONE)


def _rename_link(canvas: Canvas, link: Link) -> None:
    name = _ask(canvas, link.label)
    if name is None:
        return
    if link.key in canvas.state.links:
        canvas.do(commands.rename_link(canvas.state, link.key, name))
    else:
        canvas.host.show_message(GONE)


def _ask(canvas: Canvas, old: str) -> str | None:
    name, good = QInputDialog.getText(canvas, "Rename", "Name:", text=old)
    return name if good else None
