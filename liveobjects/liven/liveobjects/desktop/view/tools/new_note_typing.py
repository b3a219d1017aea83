"""A note that one just made is entered as soon as it runs, so that one writes at once.

Until then a moment passes, or more on a machine that has much to do. What is typed meanwhile is meant for the
note: as keys of the desktop, letters would turn the hand on, and Backspace would remove the note.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from liven.liveobjects.view.contract import is_known_empty
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Reference
from liven.runtime.reference.xml import read_object

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

_NOTE: Final = "liven:text"
_MOST: Final = 500
"""So many keys are kept at most; who has typed as many sees that it does not begin."""
_WRITING: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Backspace)
_COMMANDS: Final = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)


class NewNoteTyping:
    """The one of a canvas."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._typed: list[QKeyEvent] = []
        self.key: str | None = None
        """Of the note that shall be entered."""

    def begin(self) -> None:
        """Enters what was just laid down, and is chosen, if it is an empty note."""
        chosen = self._canvas.chosen
        one = self._canvas.state.items.get(next(iter(chosen))) if len(chosen) == 1 else None
        if one is not None and _is_note(one.reference):
            self.key = one.key
            self._canvas.looks_elsewhere()  # it runs, however small it is seen
            self.look_soon()

    def cancel(self) -> bool:
        """The person does something else; false if nothing was to be entered."""
        waited, self.key = self.key is not None, None
        self._typed.clear()
        return waited

    def look_soon(self) -> None:
        """Something looks different. In the next turn: it tells of itself before it is ready altogether."""
        context = self._canvas.model.context
        if self.key is not None and not context.ended:
            context.call_soon(self._look)

    def _look(self) -> None:
        """Enters the note if it is here now."""
        key, canvas = self.key, self._canvas
        if key is None:
            return
        if canvas.chosen != {key} or canvas.editing is not None or canvas.actors.trouble(key):
            self.cancel()
        elif canvas.actors.ask(key, lambda view: not view.is_loading(), False):
            self._enter(key)

    def takes(self, event: QEvent) -> bool:
        """Whether a key is meant for the note."""
        if self.key is None or not isinstance(event, QKeyEvent) or event.modifiers() & _COMMANDS:
            return False
        return event.key() in _WRITING or (event.text().isprintable() and bool(event.text()))

    def keep(self, event: QKeyEvent) -> bool:
        """Keeps such a key until the note is entered."""
        if not self.takes(event):
            return False
        if len(self._typed) < _MOST:
            self._typed.append(event.clone())
        return True

    def _enter(self, key: str) -> None:
        typed, self._typed, self.key = self._typed, [], None
        canvas = self._canvas
        if not canvas.actors.ask(key, is_known_empty, False):
            return  # it has words already, and was not made just now
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
