"""The context menu of items, connectors and the plane. It offers the same actions as the shortcuts."""

from __future__ import annotations

from typing import Final, Protocol, TypeAlias

from PySide6.QtCore import QPointF, QSizeF, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Desktop, Item
from liven.liveobjects.desktop.view.actions import shortcuts
from liven.liveobjects.desktop.view.actions.choice_menu import ChoiceCanvas, add_choices
from liven.liveobjects.desktop.view.actions.shortcut import Shortcut, ShortcutCanvas
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.editing.new_note_typing import NewNoteTyping
from liven.liveobjects.desktop.view.items.connectors import Connectors
from liven.liveobjects.desktop.view.tools.frame_tool import frame_at
from liven.liveobjects.desktop.view.transfer.drop_and_paste import DropAndPaste
from liven.liveobjects.desktop.view.transfer.drop_contents import NewItem
from liven.liveobjects.desktop.view.transfer.insertion_point import InsertionPoint
from liven.liveobjects.look.view.menu_corners import round_corners
from liven.liveobjects.text.recipe import note, plain_text
from liven.runtime.reference.xml import write

TEXT_SIZE: Final = QSizeF(240, 32)
"""The size of a new text without paper; it grows with its lines."""
Sections: TypeAlias = tuple[tuple[Shortcut, ...], ...]
ON_ITEMS: Final[Sections] = (
    (shortcuts.EDIT, shortcuts.OPEN, shortcuts.RENAME),
    (shortcuts.CUT, shortcuts.COPY, shortcuts.DUPLICATE, shortcuts.PLACE_AGAIN, shortcuts.REMOVE),
    (
        shortcuts.CONNECT,
        shortcuts.FORWARD,
        shortcuts.BACKWARD,
        shortcuts.TO_FRONT,
        shortcuts.TO_BACK,
        shortcuts.GROUP,
        shortcuts.UNGROUP,
        shortcuts.FRAME,
        shortcuts.LOCK,
    ),
    (shortcuts.RESTART, shortcuts.PAUSE),
)
ON_CONNECTORS: Final[Sections] = ((shortcuts.RENAME, shortcuts.REMOVE),)
ON_PLANE: Final[Sections] = (
    (shortcuts.PASTE, shortcuts.PASTE_AGAIN, shortcuts.SELECT_ALL, shortcuts.FIND),
    (shortcuts.ZOOM_TO_FIT, shortcuts.ZOOM_TO_100),
    (shortcuts.MINIMAP, shortcuts.POINTERS, shortcuts.SNAPPING, shortcuts.GRID),
)


class MenuCanvas(ShortcutCanvas, ChoiceCanvas, Protocol):
    """The part of the canvas that context menus need."""

    @property
    def state(self) -> Desktop: ...

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def camera(self) -> Camera: ...

    @property
    def connectors(self) -> Connectors: ...

    @property
    def drop_and_paste(self) -> DropAndPaste: ...

    @property
    def insertion_point(self) -> InsertionPoint: ...

    @property
    def new_note_typing(self) -> NewNoteTyping: ...

    def item_at(self, point: QPointF) -> Item | None: ...


def select_under(canvas: MenuCanvas, point: QPointF) -> None:
    """Select what a menu at a point of the window is for."""
    item = canvas.item_at(point)
    if item is None:
        canvas.select(())
        canvas.connectors.select(canvas.connectors.at(point))
    elif item.key not in canvas.selected:
        canvas.select(commands.with_groups(canvas.state, {item.key}))


def show_menu(canvas: MenuCanvas, point: QPointF, parent: QWidget) -> None:
    """Show the menu at a point of the window."""
    menu = menu_of(canvas, point, parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(parent.mapToGlobal(point.toPoint()))


def menu_of(canvas: MenuCanvas, point: QPointF, parent: QWidget) -> QMenu:
    """Return the menu for the selection; without one, for the plane at a point of the window."""
    menu = round_corners(QMenu(parent))
    if not canvas.selected and canvas.connectors.selected is None:
        at = canvas.camera.to_plane(point)
        menu.addAction("New note here").triggered.connect(lambda _=False: add_note(canvas, at))
        menu.addAction("New text here").triggered.connect(lambda _=False: add_text(canvas, at))
        menu.addAction("New frame here").triggered.connect(lambda _=False: frame_at(canvas, at))
    without_items = ON_CONNECTORS if canvas.connectors.selected is not None else ON_PLANE
    add_choices(menu, canvas)
    for section in ON_ITEMS if canvas.selected else without_items:
        menu.addSeparator()
        for shortcut in section:
            _add_entry(menu, canvas, shortcut)
    return menu


def add_note(canvas: MenuCanvas, at: QPointF, paper: str = "") -> None:
    """Add an empty note with its own channel around a point of the plane, and write in it."""
    _add(canvas, at, NewItem(write(note("Note", paper=paper)).decode(), "Note"))


def add_text(canvas: MenuCanvas, at: QPointF) -> None:
    """Add an empty text without paper around a point of the plane, and write in it."""
    _add(canvas, at, NewItem(write(plain_text("Text")).decode(), "Text", TEXT_SIZE))


def _add(canvas: MenuCanvas, at: QPointF, new: NewItem) -> None:
    canvas.insertion_point.set(at)
    if canvas.drop_and_paste.add_at_insertion_point(new):
        canvas.new_note_typing.begin()


def _add_entry(menu: QMenu, canvas: MenuCanvas, shortcut: Shortcut) -> None:
    """Add an entry that shows its shortcut; the canvas itself listens for the key."""
    entry = menu.addAction(f"{shortcut.words}\t{QKeySequence(shortcut.keys[0]).toString()}")
    entry.setEnabled(shortcut.can(canvas))
    if shortcut.ticked is not None:
        entry.setCheckable(True)
        entry.setChecked(shortcut.is_ticked(canvas))
    entry.triggered.connect(lambda _=False: shortcut.run(canvas))
