"""Adding things to the object of a window: the insert popover, and what it puts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QAbstractButton, QWidget
from shiboken6 import isValid

from liven.app.palette.examples import OpenExample
from liven.app.palette.insert_popover import InsertPopover
from liven.app.palette.new_objects import Kind
from liven.app.palette.preview_pane import PictureOf
from liven.app.palette.sections import Offers, is_new
from liven.liveobjects.view.contract import Action, Container
from liven.liveobjects.view.focus import set_initial_focus
from liven.liveobjects.view.window_controls import Floating
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import write

if TYPE_CHECKING:
    from liven.app.window.object_window import ObjectWindow


def _no_picture(_: Object) -> QPixmap | None:
    return None


class Insertion:
    """Adds to the object of one window what the person chooses."""

    def __init__(self, window: ObjectWindow, offers: Offers) -> None:
        self._window = window
        self._offers = offers
        self.load: OpenExample | None = None
        """Loads living examples; without it the popover shows signs."""
        self.picture_of: PictureOf = _no_picture
        self._popover: InsertPopover | None = None

    @property
    def popover(self) -> InsertPopover | None:
        """The popover while it is open."""
        shown = self._popover
        return shown if shown is not None and isValid(shown) and shown.isVisible() else None

    def toggle(self) -> None:
        """Open the popover, or close it if it is open."""
        if self.popover is not None:
            self.popover.close_popover()
        elif isinstance(self._window.view, Container):
            self.open()
        else:
            self._window.show_message("Nothing can be added here. Open a desktop and add it there.")

    def open(self) -> None:
        """Open the popover, or put the caret into its field if it is open."""
        shown, view = self.popover, self._window.view
        if shown is not None:
            shown.field.setFocus()
            shown.field.selectAll()
        elif view is not None:
            below = view.widget()
            shown = InsertPopover(
                below, self._anchor(below), self._offers, self.fits, self.load, self.picture_of
            )
            self._popover = shown
            shown.put.connect(self.put)
            shown.show_beside(shown.field)
            self._mark(shown)

    def close(self) -> None:
        """Close the popover: its window closes, or shows something else."""
        shown, self._popover = self.popover, None
        if shown is not None:
            shown.close_popover(back=False)

    def fits(self, kind: Kind) -> bool:
        """Return True if the object of the window takes one of this kind."""
        if kind.act:
            return self._action(kind) is not None
        view = self._window.view
        return isinstance(view, Container) and view.accepts(write(kind.make(kind.name)).decode())

    def put(self, kind: Kind) -> None:
        """Add one of this kind where the person asked for one, and let them write in it at once."""
        action, view = self._action(kind), self._window.view
        if action is not None:
            action.run()
        elif isinstance(view, Container):
            view.insert(write(kind.make(kind.name)).decode(), kind.name)
            set_initial_focus(view.widget())  # the new item is selected, so keys should go to it
            if is_new(kind):
                view.edit_inserted()
        else:
            self._window.show_message(f"{kind.name} does not fit here. Open a desktop and add it there.")

    def _mark(self, shown: InsertPopover) -> None:
        """Let the button look pressed while the popover is open."""
        button = shown.anchor
        if isinstance(button, QAbstractButton):
            button.setCheckable(True)
            button.setChecked(True)
            shown.closed.connect(lambda: button.setCheckable(False))

    def _anchor(self, below: QWidget) -> QWidget:
        """Return the button of the view that asks for something to add, or else all of it."""
        view = self._window.view
        if isinstance(view, Floating):
            found = view.insert_anchor()
            if found is not None and found.isVisible():
                return found
        return below

    def _action(self, kind: Kind) -> Action | None:
        """Return the action of the view that adds one of this kind instead of a recipe."""
        actions = self._window.menus.actions if kind.act else ()
        return next((one for one in actions if one.words == kind.act), None)
