"""The view of a folder, on a desktop or in a window."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QMimeData, QRectF, QSizeF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.search.picture_store import picture_store
from liven.liveobjects.desktop.view.items.thumbnail_cache import thumbnails
from liven.liveobjects.folder.browsable import BrowsableFolder
from liven.liveobjects.folder.state import Content
from liven.liveobjects.folder.view.folder_face import FolderFace, Thing
from liven.liveobjects.folder.view.panel import FolderPanel, may_take
from liven.liveobjects.view.contract import (
    Action,
    Container,
    DropTarget,
    Searchable,
    View,
    ViewHost,
    ViewState,
)
from liven.liveobjects.view.messages import FailureMessages
from liven.liveobjects.view.state_listener import StateListener
from liven.runtime.foreign_text import shown_line

_SIZE = QSizeF(280, 230)


class FolderView(View, Container, DropTarget, Searchable):
    """The view of a folder: it paints tiles with names; its widget is the panel."""

    def __init__(self, shelf: BrowsableFolder, host: ViewHost) -> None:
        super().__init__()
        self.shelf = shelf
        self.host = host
        self.failures = FailureMessages(host)
        self.as_list = False
        """True if the widget shows a list instead of icons."""
        self._panel: FolderPanel | None = None
        self._watcher = StateListener(self.show_change, host.show_message)
        shelf.watch(self._watcher)
        thumbnails().store = picture_store(shelf.context)
        thumbnails().differ.connect(self._thing_changed)

    def _thing_changed(self, recipe: str) -> None:
        """Repaint if a thing in this folder has a new picture."""
        if recipe in self.shelf.content.items.values():
            self.changed.emit()

    def paint(self, painter: QPainter, area: QRectF) -> None:
        items = self.shelf.content.items
        things = tuple(Thing(name, items[name]) for name in sorted(items, key=str.casefold))
        thumbnails().fetch(thing.recipe for thing in things)
        name = shown_line(self.shown_name) or "Folder"
        FolderFace(name, things, self.shelf.state_in_words, self.shelf.read_only).paint(painter, area)

    def make_widget(self) -> QWidget:
        self._panel = FolderPanel(self)
        return self._panel

    def release_widget(self, widget: QWidget) -> None:
        assert isinstance(widget, FolderPanel)
        widget.done()
        self._panel = None

    def actions(self) -> tuple[Action, ...]:
        panel = self.widget()
        assert isinstance(panel, FolderPanel)
        return self.keys(panel)

    def keys(self, panel: FolderPanel) -> tuple[Action, ...]:
        """Return the commands of a panel with their keys."""
        return (
            Action("Undo", ("Ctrl+Z",), panel.undo, "Edit"),
            Action("Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), panel.redo, "Edit"),
            Action("Select all", ("Ctrl+A",), panel.selectAll, "Edit"),
            Action("Copy", ("Ctrl+C",), panel.copy, "Edit"),
            Action("Cut", ("Ctrl+X",), panel.cut, "Edit"),
            Action("Paste", ("Ctrl+V",), panel.paste, "Edit"),
            Action("Rename", ("F2",), panel.rename_selected, "Edit"),
            Action("Remove from the folder", ("Del", "Backspace"), panel.remove_selected, "Edit"),
            Action("Open the selected items", ("Ctrl+Return",), panel.open_selected, "Edit"),
            Action("Show icons", ("Ctrl+1",), panel.show_icons, "View"),
            Action("Show a list", ("Ctrl+2",), panel.show_list, "View"),
        )

    def view_state(self) -> ViewState:
        return {"list": self.as_list}

    def restore_view_state(self, outlook: ViewState) -> None:
        panel = self.widget()
        assert isinstance(panel, FolderPanel)
        panel.show_list() if outlook.get("list") else panel.show_icons()

    def insert(self, recipe: str, name: str) -> None:
        """Add the object to the folder."""
        panel = self.widget()
        assert isinstance(panel, FolderPanel)
        panel.put(((name, recipe),))

    def accepts(self, recipe: str) -> bool:
        """Accept everything unless the folder is read-only."""
        del recipe
        return not self.shelf.read_only

    def accepts_drop(self, data: QMimeData) -> bool:
        """Accept everything that a folder can hold. A read-only folder explains its refusal after the
        drop."""
        return may_take(data)

    def receive(self, data: QMimeData) -> bool:
        panel = self.widget()
        assert isinstance(panel, FolderPanel)
        with panel.step_of_another():
            return panel.take(data, self.on_received)

    def holds(self, data: QMimeData) -> bool:
        panel = self.widget()
        assert isinstance(panel, FolderPanel)
        return panel.has_all(data)

    def when_settled(self, call: Callable[[], object]) -> None:
        self.shelf.when_settled(call)

    def entries(self) -> Mapping[str, object]:
        return dict(self.shelf.content.items.items())

    def remove_entries(self, entries: Mapping[str, object]) -> bool:
        panel = self.widget()
        assert isinstance(panel, FolderPanel)
        with panel.step_of_another():
            return panel.take_out(entries)

    def restore_entries(self, entries: Mapping[str, object]) -> bool:
        """Put entries back under their old names. If one of these is taken by now, nothing is put back."""
        panel = self.widget()
        assert isinstance(panel, FolderPanel)
        if self.shelf.content.items.keys() & entries.keys():
            return False
        with panel.step_of_another():
            return panel.put(tuple((name, str(entries[name])) for name in sorted(entries)))

    def summary(self) -> str:
        """Return the names of the items."""
        return "\n".join(sorted(self.shelf.content.items, key=str.casefold))

    def is_empty(self) -> bool:
        return not self.shelf.state_in_words and not self.shelf.content.items

    def size_hint(self) -> QSizeF:
        return QSizeF(_SIZE)

    def close(self) -> None:
        thumbnails().differ.disconnect(self._thing_changed)
        self.shelf.unwatch(self._watcher)
        super().close()

    def show_change(self, before: Content, after: Content) -> None:
        """Update the widget and repaint."""
        if self._panel is not None:
            self._panel.show_change(before, after)
        self.changed.emit()


def make(model: BrowsableFolder, host: ViewHost) -> FolderView:
    """Make the view of a folder."""
    return FolderView(model, host)
