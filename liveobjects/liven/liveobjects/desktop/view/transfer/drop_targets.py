"""Things on a desktop that take others in: what is dropped on them, by this desktop's own hand or from
elsewhere, goes into them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QPointF, QRectF, Qt
from PySide6.QtGui import QDropEvent, QPainter, QPalette, QPen
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view.tools.gestures import rect
from liven.liveobjects.desktop.view.transfer.cross_object_undo import Given
from liven.liveobjects.image.view.dropped_pictures import leave, pictures_in, take_copy
from liven.liveobjects.view.contract import DropTarget
from liven.runtime.folder.item_files import MIME

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

_WIDE = 4.0
"""Pixels of the frame around what would take in what is dragged."""


class Receiving:
    """What would take in what hovers over the canvas, and takes it in when it is dropped."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._over: str | None = None
        self._items: Sequence[Item] = ()
        self._data: QMimeData | None = None
        self._ended = False
        canvas.actors.on_received = self._took_in

    def hover(self, data: QMimeData, point: QPointF, without: Collection[str] = ()) -> str | None:
        """This is dragged over a point of the window: the key of what would take it in there."""
        item = self._canvas.thing_at(point, without)
        ask = self._canvas.actors.ask_target
        found = (
            item.key
            if item is not None and ask(item.key, lambda view: view.accepts_drop(data), False)
            else None
        )
        if found != self._over:
            self._over = found
            self._canvas.update()
        return found

    def carry(self, items: Sequence[Item], point: QPointF) -> None:
        """Things of this desktop are dragged over a point of the window."""
        if not items:
            return
        if self._data is None:
            self._items, self._data = items, self._canvas.taking.data_of(list(items))
        self.hover(self._data, point, {item.key for item in items})

    def leave(self) -> None:
        """Nothing is dragged any more."""
        self._items, self._data = (), None
        if self._over is not None:
            self._over = None
            self._canvas.update()

    def put_in(self, *, copy: bool) -> bool:
        """Things of this desktop were let go: puts them into what is under the mouse, and takes them off here
        once they are kept there. False if nothing there takes them in."""
        key, data, items = self._over, self._data, self._items
        self.leave()
        if key is None or data is None or key not in self._canvas.state.items:
            return False
        added = self.put(key, data)
        if added is None or copy:
            return True
        name = self._canvas.actors.title(self._canvas.state.items[key])
        where = f"“{name}”" if name else "it"
        if self._holds(key, data):
            given = Given(frozenset(item.key for item in items), key, added)
            settled = partial(self._settled, given, where, data)
            self._canvas.actors.ask_target(key, lambda view: view.when_settled(settled), None)
        else:
            self._as_well(where)
        return True

    def _settled(self, given: Given, where: str, data: QMimeData) -> None:
        """All agree on what became of it. It went off the desktop sooner once, and was lost where others had
        put something there first. In the next turn: this one is the other object's."""
        context = self._canvas.model.context
        if not context.ended:
            context.call_soon(partial(self._take_off, given, where, data))

    def _take_off(self, given: Given, where: str, data: QMimeData) -> None:
        """What is not held there, it has told of, or is not here to be asked."""
        if self._ended or not self._holds(given.to, data):
            return
        gone = commands.remove(self._canvas.state, given.keys)
        if gone.changes:
            self._canvas.returning.give(given, where, gone.changes)
        if given.keys & self._canvas.state.items.keys():
            self._as_well(where)  # somebody locked it meanwhile

    def _as_well(self, where: str) -> None:
        self._canvas.host.show_message(f"It was put into {where}, and lies here as well.")

    def _holds(self, key: str, data: QMimeData) -> bool:
        return self._canvas.actors.ask_target(key, lambda view: view.holds(data), False)

    def close(self) -> None:
        """Its canvas is shown no longer: what is still to be agreed on stays where it lies."""
        self._ended = True

    def put_wanted(self, key: str, data: QMimeData) -> dict[str, object] | None:
        """The same as by hand: not in place of what somebody else put in meanwhile."""
        wanted = self._canvas.actors.ask_target(key, lambda view: view.accepts_drop(data), False)
        return self.put(key, data) if wanted else None

    def put(self, key: str, data: QMimeData) -> dict[str, object] | None:
        """Puts something into a thing: what it is there, as far as that is known at once; None where it was
        refused."""
        before = self._entries(key)
        if not self._received(key, data):
            return None
        return {name: one for name, one in self._entries(key).items() if before.get(name) != one}

    def drop(self, key: str, data: QMimeData, event: QDropEvent) -> None:
        """Puts into a thing what was dropped on it. The source may be rid of our own things that it keeps."""
        if self._put_from_elsewhere(key, data) is None:
            leave(event)
        elif data.hasFormat(MIME) and self._canvas.actors.ask_target(
            key, lambda view: view.holds(data), False
        ):
            event.acceptProposedAction()
        else:
            take_copy(event)

    def _put_from_elsewhere(self, key: str, data: QMimeData) -> dict[str, object] | None:
        """The same, as a step of this desktop. Pictures are read first: what comes of them is told later."""
        added = self.put(key, data)
        if added or (added is not None and not pictures_in(data)):
            self._took_in(key, added, _called(data))
        return added

    def _took_in(self, key: str, entries: Mapping[str, object], called: str = "something") -> None:
        """A thing keeps what was brought from elsewhere."""
        item = self._canvas.state.items.get(key)
        if item is None or self._ended:
            return
        names = [self._canvas.actors.ask_target(key, _name_of(*one), "") for one in entries.items()]
        what = f"{len(names)} things" if len(names) > 1 else "".join(names) or called
        where = self._canvas.actors.title(item) or "it"
        self._canvas.returning.gave(key, entries, f"Put {what} into {where}", where)

    def fill(self, data: QMimeData) -> bool:
        """Puts what is pasted into the one thing that is chosen, if that is empty and asks for it."""
        if len(self._canvas.chosen) != 1:
            return False
        [key] = self._canvas.chosen
        lacks = self._canvas.actors.ask_target(key, lambda view: view.accepts_paste(data), False)
        return lacks and self._put_from_elsewhere(key, data) is not None

    def paint(self, painter: QPainter) -> None:
        """A frame around what would take in what hovers over it."""
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
        return self._canvas.actors.ask_target(key, lambda view: view.entries(), {})

    def _received(self, key: str, data: QMimeData) -> bool:
        return self._canvas.actors.ask_target(key, lambda view: view.receive(data), False)


def _name_of(key: str, entry: object) -> Callable[[DropTarget], str]:
    return lambda view: view.entry_name(key, entry)


def _called(data: QMimeData) -> str:
    """What is put in, where the thing that has it does not say."""
    names = [url.fileName() for url in data.urls()]
    return f"{len(names)} files" if len(names) > 1 else "".join(names) or "something"
