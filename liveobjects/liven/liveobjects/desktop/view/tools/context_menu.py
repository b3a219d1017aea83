"""What can be done with a thing under the mouse, or on the plane: the actions that keys do, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from liven.liveobjects.channel.api.recipes import channel, shared
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.view.tools.shortcuts import KEYS, Key
from liven.liveobjects.desktop.view.transfer.drop_and_paste import Offer
from liven.runtime.reference.xml import write

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

_TEXT = "982130E40A294E3CAD5441841E87941E"
"""What a note's channel carries, by its id in files since the original."""
ON_THINGS: tuple[tuple[str, ...], ...] = (
    ("edit_chosen", "open_chosen", "rename_chosen"),
    ("cut", "copy", "duplicate_chosen", "remove_chosen"),
    ("arranging.connect", "arranging.stack", "arranging.group", "arranging.ungroup", "arranging.lock"),
    ("start_chosen", "aside_chosen"),
)
ON_LINKS: tuple[tuple[str, ...], ...] = (("rename_chosen", "remove_chosen"),)
ON_PLANE: tuple[tuple[str, ...], ...] = (
    ("paste", "choose_all", "look_for"),
    ("looking.zoom_to_fit", "looking.zoom_as_is"),
    ("looking.toggle_map", "looking.toggle_pointers", "looking.toggle_snapping", "looking.toggle_grid"),
)


def choose_under(canvas: Canvas, point: QPointF) -> None:
    """What a menu at a point of the window is about."""
    item = canvas.thing_at(point)
    if item is None:
        canvas.choose(())
        canvas.connectors.choose(canvas.connectors.at(point))
    elif item.key not in canvas.chosen:
        canvas.choose(commands.with_groups(canvas.state, {item.key}))


def menu_of(canvas: Canvas, point: QPointF) -> QMenu:
    """The menu for what is chosen; with nothing chosen, for the plane, at a point of the window."""
    menu = QMenu(canvas)
    if not canvas.chosen and canvas.connectors.chosen is None:
        at = canvas.camera.to_plane(point)
        menu.addAction("New note here").triggered.connect(lambda _=False: _new_note(canvas, at))
    on_link = ON_LINKS if canvas.connectors.chosen is not None else ON_PLANE
    for part in ON_THINGS if canvas.chosen else on_link:
        menu.addSeparator()
        for action in part:
            for key in KEYS:
                if key.action == action:
                    _add(menu, canvas, key)
    return menu


def _new_note(canvas: Canvas, at: QPointF) -> None:
    """An empty one, around a place of the plane, with a channel of its own."""
    recipe = write(shared("liven:text", "Note", channel(_TEXT, _TEXT))).decode()
    canvas.steady.want(at)
    if canvas.taking.lay_down_wanted(Offer(recipe, "Note")):
        canvas.beginning.begin()


def _add(menu: QMenu, canvas: Canvas, key: Key) -> None:
    """An entry that shows its key; the canvas itself listens to that."""
    entry = menu.addAction(f"{key.words}\t{QKeySequence(key.keys[0]).toString()}")
    entry.triggered.connect(lambda _=False: canvas.press(key.action, key.argument))
