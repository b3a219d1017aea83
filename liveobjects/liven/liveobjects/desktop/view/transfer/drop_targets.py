"""Items that accept drops, such as folders, images and nested desktops: what you drop on them goes into
them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from PySide6.QtCore import QMimeData, QPointF, QRectF, Qt
from PySide6.QtGui import QDropEvent, QPainter, QPalette, QPen
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.state import Desktop, Item, Place
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.desktop.view.transfer.cross_object_undo import CrossObjectUndo, MovedInto
from liven.liveobjects.desktop.view.transfer.foreign_reading import foreign_sources
from liven.liveobjects.desktop.view.transfer.separate_copies import SeparateCopies
from liven.liveobjects.image.view.uploads import pictures_in
from liven.liveobjects.view.contract import DropTarget, ViewHost
from liven.liveobjects.view.drop_replies import refuse, take_copy
from liven.runtime.folder.item_files import MIME

_WIDE = 4.0
"""Pixels of the frame around an item that accepts what you drag over it."""


class _DropAndPaste(Protocol):
    def data_of(self, items: list[Item]) -> QMimeData: ...


class TargetCanvas(Protocol):
    """The part of the canvas that drop targets need."""

    @property
    def model(self) -> DesktopObject: ...

    @property
    def state(self) -> Desktop: ...

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def camera(self) -> Camera: ...

    @property
    def item_views(self) -> ItemViews: ...

    @property
    def host(self) -> ViewHost: ...

    @property
    def drop_and_paste(self) -> _DropAndPaste: ...

    @property
    def copies(self) -> SeparateCopies: ...

    @property
    def cross_object_undo(self) -> CrossObjectUndo: ...

    def item_at(self, point: QPointF, without: Collection[str] = ()) -> Item | None: ...

    def place_of(self, item: Item) -> Place: ...

    def update(self) -> None: ...


class DropTargets:
    """The item under a drag, and putting things into it."""

    def __init__(self, canvas: TargetCanvas) -> None:
        self._canvas = canvas
        self._over: str | None = None
        self._items: Sequence[Item] = ()
        self._data: QMimeData | None = None
        self._ended = False
        canvas.item_views.on_received = self._on_received

    def hover(self, data: QMimeData, point: QPointF, without: Collection[str] = ()) -> str | None:
        """Follow a drag over the window; return the key of the item that would accept it."""
        item = self._canvas.item_at(point, without)
        ask = self._canvas.item_views.ask_target
        accepts = item is not None and ask(item.key, lambda view: view.accepts_drop(data), False)
        found = item.key if item is not None and accepts else None
        if found != self._over:
            self._over = found
            self._canvas.update()
        return found

    def drag_items(self, items: Sequence[Item], point: QPointF) -> None:
        """Follow a drag of this desktop's own items."""
        if not items:
            return
        if self._data is None:
            self._items, self._data = items, self._canvas.drop_and_paste.data_of(list(items))
        self.hover(self._data, point, {item.key for item in items})

    def end_drag(self) -> None:
        """End a drag."""
        self._items, self._data = (), None
        if self._over is not None:
            self._over = None
            self._canvas.update()

    def drop_items(self, *, copy: bool) -> bool:
        """Put the dragged items into the item under the mouse, and remove them here once they are stored
        there. Return False if nothing there accepts them."""
        key, data, items = self._over, self._data, self._items
        self.end_drag()
        if key is None or data is None or key not in self._canvas.state.items:
            return False
        if copy:
            self._put_copies(key, items)
            return True
        added = self.put(key, data)
        if added is None:
            return True
        name = self._canvas.item_views.title(self._canvas.state.items[key])
        where = f"“{name}”" if name else "it"
        if self._holds(key, data):
            given = MovedInto(frozenset(item.key for item in items), key, added)
            settled = partial(self._settled, given, where, data)
            self._canvas.item_views.ask_target(key, lambda view: view.when_settled(settled), None)
        else:
            self._as_well(where)
        return True

    def _put_copies(self, key: str, items: Sequence[Item]) -> None:
        """Put separate copies of items into an item."""

        def made(recipes: Sequence[str | None]) -> None:
            pairs = zip(items, recipes, strict=True)
            copied = [replace(item, reference=recipe) for item, recipe in pairs if recipe is not None]
            if copied and not self._ended:
                self._put_from_elsewhere(key, self._canvas.drop_and_paste.data_of(copied))

        copies = self._canvas.copies
        copies.make([copies.original(item) for item in items], copies.known_states(items), made)

    def _settled(self, given: MovedInto, where: str, data: QMimeData) -> None:
        """Remove the items here once everybody agrees that they are in the other object.

        They used to be removed sooner, and were lost when others had put something there first. In the next
        turn, because this one belongs to the other object."""
        context = self._canvas.model.context
        if not context.ended:
            context.call_soon(partial(self._take_off, given, where, data))

    def _take_off(self, given: MovedInto, where: str, data: QMimeData) -> None:
        """Remove items that the target holds. If it does not, it has said so, or cannot be asked."""
        if self._ended or not self._holds(given.to, data):
            return
        gone = commands.remove(self._canvas.state, given.keys)
        if gone.changes:
            self._canvas.cross_object_undo.record_move(given, where, gone.changes)
        if given.keys & self._canvas.state.items.keys():
            self._as_well(where)  # somebody has locked it

    def _as_well(self, where: str) -> None:
        self._canvas.host.show_message(f"It was put into {where}, and is still here as well.")

    def _holds(self, key: str, data: QMimeData) -> bool:
        return self._canvas.item_views.ask_target(key, lambda view: view.holds(data), False)

    def close(self) -> None:
        """Stop: what has not been agreed on stays on this desktop."""
        self._ended = True

    def put_wanted(self, key: str, data: QMimeData) -> dict[str, object] | None:
        """Put data into an item as by hand: not in place of what somebody else has put there meanwhile."""
        wanted = self._canvas.item_views.ask_target(key, lambda view: view.accepts_drop(data), False)
        return self.put(key, data) if wanted else None

    def put(self, key: str, data: QMimeData) -> dict[str, object] | None:
        """Put data into an item. Return its new entries, as far as they are known at once; None if it was
        refused."""
        before = self._entries(key)
        if not self._received(key, data):
            return None
        return {name: one for name, one in self._entries(key).items() if before.get(name) != one}

    def drop(self, key: str, data: QMimeData, event: QDropEvent) -> None:
        """Put dropped data into an item. The source may delete our own items if the item stores them."""
        if self._put_from_elsewhere(key, data) is None:
            refuse(event)
        elif data.hasFormat(MIME) and self._canvas.item_views.ask_target(
            key, lambda view: view.holds(data), False
        ):
            event.acceptProposedAction()
        else:
            take_copy(event)

    def _put_from_elsewhere(self, key: str, data: QMimeData) -> dict[str, object] | None:
        """Put data from outside into an item, as a step of this desktop. Entries for pictures and boards come
        later, once they are read."""
        added = self.put(key, data)
        read_first = pictures_in(data) or foreign_sources(data)
        if added or (added is not None and not read_first):
            self._on_received(key, added, _data_name(data))
        return added

    def _on_received(self, key: str, entries: Mapping[str, object], name: str = "something") -> None:
        """Record an undo step for data from outside that an item has stored."""
        item = self._canvas.state.items.get(key)
        if item is None or self._ended:
            return
        names = [self._canvas.item_views.ask_target(key, _name_of(*one), "") for one in entries.items()]
        what = f"{len(names)} items" if len(names) > 1 else "".join(names) or name
        where = self._canvas.item_views.title(item) or "it"
        self._canvas.cross_object_undo.record_drop(key, entries, f"Put {what} into {where}", where)

    def paste_into_selected(self, data: QMimeData) -> bool:
        """Paste into the selected item if it is the only one, empty and made for such data."""
        if len(self._canvas.selected) != 1:
            return False
        [key] = self._canvas.selected
        accepts = self._canvas.item_views.ask_target(key, lambda view: view.accepts_paste(data), False)
        return accepts and self._put_from_elsewhere(key, data) is not None

    def paint(self, painter: QPainter) -> None:
        """Paint a frame around the item that would accept the drag."""
        item = self._canvas.state.items.get(self._over or "")
        if item is None:
            return
        place, zoom = self._canvas.place_of(item), self._canvas.camera.zoom
        colour = QApplication.palette().color(QPalette.ColorRole.Highlight)
        size = rect(place).size() * zoom
        painter.save()
        painter.translate(self._canvas.camera.to_window(rect(place).center()))
        painter.rotate(place.degrees)
        painter.setPen(QPen(colour, _WIDE, Qt.PenStyle.SolidLine))
        colour.setAlpha(40)
        painter.setBrush(colour)
        painter.drawRect(QRectF(QPointF(-size.width() / 2, -size.height() / 2), size))
        painter.restore()

    def _entries(self, key: str) -> Mapping[str, object]:
        return self._canvas.item_views.ask_target(key, lambda view: view.entries(), {})

    def _received(self, key: str, data: QMimeData) -> bool:
        return self._canvas.item_views.ask_target(key, lambda view: view.receive(data), False)


def _name_of(key: str, entry: object) -> Callable[[DropTarget], str]:
    return lambda view: view.entry_name(key, entry)


def _data_name(data: QMimeData) -> str:
    """Return a name for dropped data if the target does not give one."""
    names = [url.fileName() for url in data.urls()]
    return f"{len(names)} files" if len(names) > 1 else "".join(names) or "something"
