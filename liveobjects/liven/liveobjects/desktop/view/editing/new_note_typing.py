"""Typing into a new note: it is entered as soon as it runs, and keys pressed before that are kept for it.

Loading takes a moment, or longer on a busy machine. Keys typed meanwhile are meant for the note: as shortcuts
of the desktop, letters would turn on the hand tool and Backspace would remove the note."""

from __future__ import annotations

from typing import Final, Protocol

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.state import Desktop, Item
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.view.contract import is_known_empty
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Reference
from liven.runtime.reference.xml import read_object

_NOTE: Final = "liven:text"
_MOST: Final = 500
"""Keys kept at most. Someone who has typed this many has noticed that the note does not open."""
_WRITING: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Backspace)
_COMMANDS: Final = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)


class NewNoteCanvas(Protocol):
    """The part of the canvas that entering a new note needs."""

    @property
    def model(self) -> DesktopObject: ...

    @property
    def state(self) -> Desktop: ...

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def editing(self) -> str | None: ...

    @property
    def item_views(self) -> ItemViews: ...

    def edit(self, item: Item) -> None: ...

    def viewport_changed(self) -> None: ...

    def window(self) -> QWidget: ...


class NewNoteTyping:
    """The new note of one canvas that is about to be entered."""

    def __init__(self, canvas: NewNoteCanvas) -> None:
        self._canvas = canvas
        self._typed: list[QKeyEvent] = []
        self.key: str | None = None
        """The key of the item that is about to be entered."""

    def begin(self) -> None:
        """Enter the item that was just added and is selected, if it is an empty note."""
        selected = self._canvas.selected
        one = self._canvas.state.items.get(next(iter(selected))) if len(selected) == 1 else None
        if one is not None and _is_note(one.reference):
            self.key = one.key
            self._canvas.viewport_changed()  # so that it runs, even if it is too small to see
            self.check_soon()

    def cancel(self) -> bool:
        """Give up, because the user does something else. Return False if there was nothing to give up."""
        waited, self.key = self.key is not None, None
        self._typed.clear()
        return waited

    def check_soon(self) -> None:
        """Check in the next turn whether the note is ready: its view announces changes before they are
        complete."""
        context = self._canvas.model.context
        if self.key is not None and not context.ended:
            context.call_soon(self._check)

    def _check(self) -> None:
        """Enter the note if it is ready."""
        key, canvas = self.key, self._canvas
        if key is None:
            return
        if canvas.selected != {key} or canvas.editing is not None or canvas.item_views.why_not_shown(key):
            self.cancel()
        elif canvas.item_views.ask(key, lambda view: not view.is_loading(), False):
            self._enter(key)

    def accepts_key(self, event: QEvent) -> bool:
        """True if a key is meant for the note."""
        if self.key is None or not isinstance(event, QKeyEvent) or event.modifiers() & _COMMANDS:
            return False
        return event.key() in _WRITING or (event.text().isprintable() and bool(event.text()))

    def keep_key(self, event: QKeyEvent) -> bool:
        """Keep a key that is meant for the note until it is entered; return True if it was."""
        if not self.accepts_key(event):
            return False
        if len(self._typed) < _MOST:
            self._typed.append(event.clone())
        return True

    def _enter(self, key: str) -> None:
        typed, self._typed, self.key = self._typed, [], None
        canvas = self._canvas
        if not canvas.item_views.ask(key, is_known_empty, False):
            return  # it has text, so it is not new
        canvas.edit(canvas.state.items[key])
        page: QWidget | None = canvas.window().focusWidget() if canvas.editing == key else None
        if page is not None:
            for event in typed:
                QApplication.sendEvent(page, event)


def _is_note(recipe: str) -> bool:
    try:
        thing = read_object(recipe)
    except ReadError:
        return False
    return isinstance(thing, Reference) and thing.id == _NOTE and thing.source is None
