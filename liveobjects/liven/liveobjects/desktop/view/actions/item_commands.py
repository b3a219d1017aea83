"""Commands on the selected items: remove, open, pause and restart."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import SignalInstance

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view.command_feedback import CommandFeedback, FeedbackCanvas
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.view.messages import offer_undo


class RunningCanvas(FeedbackCanvas, Protocol):
    """The part of the canvas that these commands need."""

    @property
    def feedback(self) -> CommandFeedback: ...

    @property
    def item_views(self) -> ItemViews: ...

    @property
    def part_restarted(self) -> SignalInstance: ...

    def leave_editing(self) -> None: ...

    def undo(self) -> None: ...


def remove_selected(canvas: RunningCanvas) -> None:
    """Remove the selected items or the selected connector, and offer to undo that."""
    on_link = canvas.connectors.selected is not None
    command: Command = (
        canvas.connectors.removal() if on_link else commands.remove(canvas.state, canvas.selected)
    )
    before = len(canvas.state.items)
    if canvas.feedback.do(command, free=True):
        gone = before - len(canvas.state.items)
        words = "Connector" if on_link else f"{gone} item{'' if gone == 1 else 's'}"
        offer_undo(canvas.host, f"{words} removed", canvas.undo)


def open_selected(canvas: RunningCanvas) -> None:
    """Open each selected item in its own window."""
    canvas.feedback.has("Open")
    for item in commands.in_reading_order(canvas.state.items[key] for key in canvas.selected):
        canvas.host.open_object(item.reference, item.label or canvas.item_views.title(item))


def restart_selected(canvas: RunningCanvas) -> None:
    """Restart the selected items."""
    canvas.feedback.has("Restart")
    for key in sorted(canvas.selected):
        restart(canvas, canvas.state.items[key])


def restart(canvas: RunningCanvas, item: Item) -> None:
    """Restart an item; its listed problems are obsolete."""
    canvas.part_restarted.emit(canvas.item_views.running_items.path_step(item.key) or item.key)
    canvas.item_views.restart(item)


def pause_selected(canvas: RunningCanvas) -> None:
    """Stop the selected items until they are restarted."""
    canvas.leave_editing()
    if canvas.feedback.has("Pause") and canvas.selected <= canvas.item_views.paused:
        canvas.host.show_message("Pause: it is paused already; press F5 to restart it.")
    for key in sorted(canvas.selected):
        canvas.item_views.pause(key)
