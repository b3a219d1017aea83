"""Commands that stop and restart the selected items."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import SignalInstance

from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.desktop.view.tools.command_feedback import CommandFeedback, FeedbackCanvas


class RunningCanvas(FeedbackCanvas, Protocol):
    """The part of the canvas that these commands need."""

    @property
    def feedback(self) -> CommandFeedback: ...

    @property
    def item_views(self) -> ItemViews: ...

    @property
    def part_restarted(self) -> SignalInstance: ...

    def leave_editing(self) -> None: ...


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
