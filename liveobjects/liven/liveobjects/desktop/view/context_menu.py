"""What can be done with a thing under the mouse, or on the plane: the actions that keys do, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.view.keys import KEYS, Key

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas import Canvas

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


def menu_of(canvas: Canvas) -> QMenu:
    """The menu for what is chosen; with nothing chosen, for the plane."""
    menu = QMenu(canvas)
    on_link = ON_LINKS if canvas.connectors.chosen is not None else ON_PLANE
    for part in ON_THINGS if canvas.chosen else on_link:
        menu.addSeparator()
        for action in part:
            for key in KEYS:
                if key.action == action:
                    _add(menu, canvas, key)
    return menu


def _add(menu: QMenu, canvas: Canvas, key: Key) -> None:
    """An entry that shows its key; the canvas itself listens to that."""
    entry = menu.addAction(f"{key.words}\t{QKeySequence(key.keys[0]).toString()}")
    entry.triggered.connect(lambda _=False: canvas.press(key.action, key.argument))
