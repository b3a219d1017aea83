"""Editing an item: its widget lies on the canvas, where the item lies, until it is left."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.state import Desktop, Item
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.desktop.view.viewport.zoom_and_view import ZoomAndView
from liven.liveobjects.view.contract import ViewHost
from liven.liveobjects.view.focus import set_initial_focus


class EditingCanvas(Protocol):
    """The part of the canvas that editing needs."""

    editing: str | None

    @property
    def state(self) -> Desktop: ...

    @property
    def camera(self) -> Camera: ...

    @property
    def item_views(self) -> ItemViews: ...

    @property
    def zoom_and_view(self) -> ZoomAndView: ...

    @property
    def host(self) -> ViewHost: ...

    def restart(self, item: Item) -> None: ...

    def editing_changed(self) -> None: ...


class Surface(QWidget):
    """A desktop as the desktop around it sees it."""

    def leave_innermost(self) -> bool:
        """Leave the innermost thing that is open in it. Return False if there is none."""
        raise NotImplementedError


class ItemEditing(QObject):
    """The item of one canvas that is edited. `canvas.editing` has its key."""

    def __init__(self, canvas: EditingCanvas, below: QWidget) -> None:
        super().__init__(below)
        self._canvas, self._below = canvas, below

    def edit(self, item: Item) -> None:
        """Put the widget of an item where the item lies, at its size."""
        canvas = self._canvas
        self.leave()
        widget = canvas.item_views.widget(item.key)
        if widget is None and canvas.item_views.is_declined(item.key):
            canvas.restart(item)  # the user wants it after all: ask for permission again
            return
        if widget is None:
            why = canvas.item_views.why_not_shown(item.key)
            canvas.host.show_message(why or "It is still loading.")
            return
        canvas.zoom_and_view.show_for_editing(item)
        canvas.editing = item.key
        widget.setParent(self._below)
        self.place_widget()
        widget.show()
        widget.lower()  # below the islands
        set_initial_focus(widget)
        widget.installEventFilter(self)
        canvas.editing_changed()

    def leave(self, *, back: bool = False) -> None:
        """Remove the widget of the edited item. Its model has the typed text already. With `back`,
        return to the viewport from before editing."""
        canvas = self._canvas
        key, canvas.editing = canvas.editing, None
        if key is None:
            return
        canvas.zoom_and_view.return_from_editing(back=back)
        widget = canvas.item_views.widget(key)
        if widget is not None:
            widget.removeEventFilter(self)
            canvas.item_views.close_widget(key)
        self._below.setFocus()
        canvas.editing_changed()

    def leave_inner(self) -> bool:
        """Let a desktop inside the edited item leave its innermost state. Return False if there is none."""
        widget = self._canvas.item_views.widget(self._canvas.editing or "")
        inner = widget if widget is None or isinstance(widget, Surface) else widget.findChild(Surface)
        return isinstance(inner, Surface) and inner.leave_innermost()

    def place_widget(self) -> None:
        """Put the widget where its item lies now."""
        item = self._canvas.state.items.get(self._canvas.editing or "")
        widget = self._canvas.item_views.widget(item.key) if item is not None else None
        if item is not None and widget is not None:
            widget.setGeometry(self._canvas.camera.transform().mapRect(rect(item.place)).toRect())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the edited item on Esc, whatever its widget does with other keys. A nested desktop first
        leaves what it has open itself."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if event.key() != Qt.Key.Key_Escape:
            return False
        if not (isinstance(watched, Surface) and watched.leave_innermost()):
            self.leave(back=True)
        return True
