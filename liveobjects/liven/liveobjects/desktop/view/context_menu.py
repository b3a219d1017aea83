"""What can be done with a thing under the mouse, or on the plane: the actions that keys do, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from liven.liveobjects.desktop.view.keys import KEYS, Key

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas import Canvas

ON_THINGS: tuple[tuple[str, ...], ...] = (
    ("edit_chosen", "by_keys.open", "rename_chosen"),
    ("cut", "copy", "duplicate_chosen", "remove_chosen"),
    ("stack", "group_chosen", "ungroup_chosen", "lock_chosen", "by_keys.connect"),
    ("start_chosen", "aside_chosen"),
)
ON_PLANE: tuple[tuple[str, ...], ...] = (
    ("paste", "choose_all", "look_for"),
    ("zoom_to_fit", "zoom_as_is"),
    ("toggle_map", "toggle_pointers", "toggle_snapping", "toggle_grid"),
)


def menu_of(canvas: Canvas) -> QMenu:
    """The menu for what is chosen; with nothing chosen, for the plane."""
    menu = QMenu(canvas)
    for part in ON_THINGS if canvas.chosen else ON_PLANE:
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
