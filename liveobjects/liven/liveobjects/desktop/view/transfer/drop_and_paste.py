"""Dropping, pasting and copying on a desktop: objects, files, pictures and text."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final, Protocol

from PySide6.QtCore import QMimeData, QPointF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QPainter,
)
from PySide6.QtWidgets import QWidget

from liven.liveobjects.channel.api.encryption import is_unencrypted
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.free_space import EVERYWHERE, find_free_space
from liven.liveobjects.desktop.object import DesktopObject, Showable
from liven.liveobjects.desktop.snap import GRID
from liven.liveobjects.desktop.state import Change, Desktop, Item, Place
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.geometry import edges
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.desktop.view.transfer.copied_items import CopiedItems
from liven.liveobjects.desktop.view.transfer.drag_out_files import as_files
from liven.liveobjects.desktop.view.transfer.drop_contents import (
    SEVERAL,
    TITLES,
    NewItem,
    RefusedDropError,
    how_many,
    items_in,
    whole_area,
)
from liven.liveobjects.desktop.view.transfer.drop_targets import DropTargets
from liven.liveobjects.desktop.view.transfer.foreign_drops import ForeignDrops
from liven.liveobjects.desktop.view.transfer.foreign_reading import rest_of
from liven.liveobjects.desktop.view.transfer.insertion_point import InsertionPoint
from liven.liveobjects.desktop.view.transfer.placeholders import PendingPicture, paint_placeholders
from liven.liveobjects.desktop.view.transfer.refusal_text import refusal
from liven.liveobjects.desktop.view.transfer.separate_copies import Original, SeparateCopies
from liven.liveobjects.desktop.view.viewport.zoom_and_view import ZoomAndView
from liven.liveobjects.image.view.uploads import UploadQueue, pictures_in
from liven.liveobjects.view.contract import ViewHost
from liven.liveobjects.view.drop_replies import refuse, take_copy
from liven.liveobjects.view.messages import FailureMessages
from liven.runtime.folder.item_files import MIME

CLIPBOARD: Final = "the clipboard"
_PROBLEM: Final = "drop"
"""The kind of message that a later drop without problems withdraws."""
_MARGIN: Final = 8.0
"""Pixels around items that are added in view."""


class DropCanvas(Protocol):
    """The part of the canvas that dropping and pasting need."""

    @property
    def model(self) -> DesktopObject: ...

    @property
    def state(self) -> Desktop: ...

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def camera(self) -> Camera: ...

    @property
    def visible_area(self) -> QRectF: ...

    @property
    def covered(self) -> tuple[Place, ...]: ...

    @property
    def snapping(self) -> bool: ...

    @property
    def item_views(self) -> ItemViews: ...

    @property
    def drop_targets(self) -> DropTargets: ...

    @property
    def copies(self) -> SeparateCopies: ...

    @property
    def insertion_point(self) -> InsertionPoint: ...

    @property
    def zoom_and_view(self) -> ZoomAndView: ...

    @property
    def failures(self) -> FailureMessages: ...

    @property
    def host(self) -> ViewHost: ...

    def do(self, command: Command) -> bool: ...

    def select(self, keys: Iterable[str]) -> None: ...


class DropAndPaste:
    """Everything that comes onto one canvas by drop, paste and palette, and leaves it by copy and drag."""

    def __init__(self, canvas: DropCanvas, parent: QWidget) -> None:
        self._canvas = canvas
        self._parent = parent
        self._copied = canvas.model.context.shared(CopiedItems)
        self._uploads = UploadQueue(canvas.model.context, canvas.host, changed=parent.update)
        self._foreign = ForeignDrops(
            canvas, self._uploads, parent.update, lambda: canvas.zoom_and_view.zoom_to_selection()
        )

    def paint(self, painter: QPainter) -> None:
        """Paint placeholders for what is still being read."""
        area = self._parent.rect().toRectF()
        unread: list[PendingPicture] = [*self._uploads.unread, *self._foreign.unread]
        paint_placeholders(painter, self._canvas.camera, area, unread)

    @property
    def is_reading(self) -> bool:
        """True while something is being read that is not on the desktop yet."""
        return bool(self._uploads.unread or self._foreign.unread)

    def stop(self) -> bool:
        """Stop what is being read or sent. Return False if there is nothing."""
        return self._foreign.stop() or self._uploads.stop()

    def copy(self, *, cut: bool = False) -> bool:
        """Copy the selection to the clipboard. Return False if it is empty."""
        state = self._canvas.state
        items = [item for item in state.stacked() if item.key in self._canvas.selected]
        if not items:
            return False
        data = self.data_of(items)
        self._copied.mark(data, self._canvas.copies.known_states(items), cut=cut)
        QGuiApplication.clipboard().setMimeData(data)
        return True

    def drag_out(self) -> None:
        """Start dragging the selection to another desktop, or to another program, where it becomes files."""
        items = [item for item in self._canvas.state.stacked() if item.key in self._canvas.selected]
        if not items:
            return  # somebody has removed them
        data = self.data_of(items)
        try:
            data.setUrls([QUrl.fromLocalFile(str(path)) for path in as_files(items)])
        except OSError as error:
            self._canvas.host.show_message(f"Other programs cannot get files: {error.strerror or error}")
        drag = QDrag(self._parent)
        drag.setMimeData(data)
        drag.exec(Qt.DropAction.CopyAction)

    def data_of(self, items: list[Item]) -> QMimeData:
        """Return items as clipboard data, for another desktop or an item on this one."""
        left, top, _, _ = commands.bounds(items)
        several = [
            [
                item.reference,
                item.label,
                item.place.x - left,
                item.place.y - top,
                item.place.width,
                item.place.height,
            ]
            for item in items
        ]
        data = QMimeData()
        data.setData(SEVERAL, json.dumps(several).encode())
        data.setData(TITLES, json.dumps([self._title(item) for item in items]).encode())
        data.setData(MIME, items[0].reference.encode())
        data.setText("\n".join(item.reference for item in items))
        return data

    def _title(self, item: Item) -> str:
        """Return the title of an item; empty for an encrypted one, because others could read it."""
        title = self._canvas.item_views.ask(item.key, lambda view: view.title(), "")
        return title if title and is_unencrypted(item.reference) else ""

    def paste(self) -> None:
        """Paste the clipboard into free space near the centre of the view."""
        data: QMimeData | None = QGuiApplication.clipboard().mimeData()  # None despite its type stub
        if data is None or not data.formats():
            self._canvas.failures.show(_PROBLEM, "The clipboard is empty.")
        else:
            self._canvas.failures.withdraw(_PROBLEM)
            if self._canvas.drop_targets.paste_into_selected(data):
                pass
            elif self._copied.may_place(data):
                self._place(data)
            else:
                self._paste_copies(data)

    def paste_again(self) -> None:
        """Place the objects on the clipboard themselves, not copies of them."""
        data: QMimeData | None = QGuiApplication.clipboard().mimeData()
        if data is None or not data.hasFormat(MIME):
            self._canvas.failures.show(_PROBLEM, "There is no object on the clipboard.")
        else:
            self._canvas.failures.withdraw(_PROBLEM)
            self._place(data)

    def _place(self, data: QMimeData) -> None:
        if self._take(data, None, CLIPBOARD):
            self._copied.placed(data)

    def _paste_copies(self, data: QMimeData) -> None:
        """Paste separate copies of the items on the clipboard."""
        try:
            items = items_in(data)
        except RefusedDropError as why:
            self._canvas.failures.show(_PROBLEM, f"Nothing in {CLIPBOARD} can be put on a desktop: {why}")
            return
        originals = [Original(item.reference, item.title or item.label or "An item") for item in items]
        known = self._copied.states(data)
        self._canvas.copies.make(originals, known, partial(self._add_copies, items))

    def _add_copies(self, items: list[NewItem], recipes: Sequence[str | None]) -> None:
        made: list[NewItem] = []
        for item, recipe in zip(items, recipes, strict=True):
            if recipe is not None:
                item.reference = recipe
                made.append(item)
        if made:
            self.add_in_view(made)

    def drag_enter(self, event: QDragEnterEvent) -> None:
        """Accept a drag that looks like a recipe, file, text or picture. It is read only when dropped."""
        data = event.mimeData()
        ours = data.hasFormat(SEVERAL) or data.hasFormat(MIME)
        if ours or data.hasUrls() or data.hasText() or data.hasImage():
            self._canvas.drop_targets.hover(data, event.position())
            accept_drop(event)

    def drag_move(self, event: QDragMoveEvent) -> None:
        self._canvas.drop_targets.hover(event.mimeData(), event.position())
        accept_drop(event)

    def drag_leave(self, event: QDragLeaveEvent) -> None:
        del event
        self._canvas.drop_targets.end_drag()

    def drop(self, event: QDropEvent) -> None:
        """Add what was dropped at the drop position, or put it into the item there.

        Our own items are moved only if all of them arrived; of anything else, the source keeps its own."""
        before = len(self._canvas.state.items)
        data = event.mimeData()
        self._canvas.failures.withdraw(_PROBLEM)
        key = self._canvas.drop_targets.hover(data, event.position())
        self._canvas.drop_targets.end_drag()
        if key is not None:
            self._canvas.drop_targets.drop(key, data, event)
        elif not self._take(data, self._canvas.camera.to_plane(event.position()), "what was dropped"):
            refuse(event)
        elif len(self._canvas.state.items) - before < how_many(data):
            take_copy(event)
        else:
            accept_drop(event)

    def add_at_insertion_point(self, item: NewItem) -> bool:
        """Add an object at the insertion point, or else near the centre of the view."""
        canvas = self._canvas
        canvas.failures.withdraw(_PROBLEM)
        at = canvas.insertion_point.pop()
        if at is None:
            return self.add_in_view([item])
        wanted = self._snapped(item.size, at)
        free = self._free_corner(item.size, wanted)
        place = free if QRectF(free, item.size).contains(at) else wanted  # the user pointed exactly there
        done = self.add([item], QRectF(place, item.size).center())
        for key in canvas.selected if done else ():
            canvas.insertion_point.bring_into_view(canvas.state.items[key])
        return done

    def add_files(self, data: QMimeData) -> None:
        """Add files that the user chose, near the centre of the view."""
        self._canvas.failures.withdraw(_PROBLEM)
        self._take(data, None, "what you chose")

    def add_in_view(self, items: list[NewItem]) -> bool:
        """Add objects together in free space near the centre of the view."""
        canvas, whole = self._canvas, whole_area(items).size()
        seen = canvas.visible_area
        corner = self._free_corner(
            whole, self._snapped(whole, seen.center()), edges(_without_margin(seen, canvas.camera.zoom))
        )
        return self.add(items, QRectF(corner, whole).center())

    def _snapped(self, size: QSizeF, at: QPointF) -> QPointF:
        """Return the corner of an item around a point, snapped to the grid. Sizes from others may not be
        finite; the model refuses those."""
        corner = at - QPointF(size.width() / 2, size.height() / 2)
        if self._canvas.snapping and math.isfinite(corner.x()) and math.isfinite(corner.y()):
            corner = QPointF(round(corner.x() / GRID) * GRID, round(corner.y() / GRID) * GRID)
        return corner

    def _free_corner(
        self, size: QSizeF, corner: QPointF, within: tuple[float, float, float, float] = EVERYWHERE
    ) -> QPointF:
        """Return the nearest corner where an item covers nothing."""
        canvas = self._canvas
        found = find_free_space(
            canvas.state.items.values(),
            size.width(),
            size.height(),
            corner.x(),
            corner.y(),
            within,
            canvas.covered,
        )
        return QPointF(*found)

    def add(self, items: list[NewItem], at: QPointF) -> bool:
        """Add objects around a point as one step and select them. Say why others are left out."""
        canvas = self._canvas
        corner = at - whole_area(items).center()
        keys: list[str] = []
        names: list[str] = []
        changes: list[Change] = []
        for item in items:
            why = self._refusal(item)
            if why:
                canvas.failures.show(_PROBLEM, f"{item.label or 'This'} cannot be put on a desktop: {why}")
                continue
            spot = corner + item.at
            place = Place(spot.x(), spot.y(), item.size.width(), item.size.height())
            key, command = commands.add(canvas.state, item.reference, item.label, place, above=len(keys))
            keys.append(key)
            names.append(item.label or item.kind)
            changes += command.changes
        name = f"Add {names[0]}" if len(keys) == 1 else f"Add {len(keys)} items"
        if not keys or not canvas.do(commands.Command(name, tuple(changes))):
            return False
        canvas.select(keys)
        return True

    def _refusal(self, item: NewItem) -> str:
        found = self._canvas.model.context.may_fit(item.reference, Showable)
        return "" if found else refusal(found, item.reference, "a desktop")

    def _take(self, data: QMimeData, at: QPointF | None, source: str) -> bool:
        """Add everything at a point; without one, in free space."""
        is_ours = data.hasFormat(SEVERAL) or data.hasFormat(MIME)
        if not is_ours and self._foreign.take(data, at):
            rest = rest_of(data)
            if rest is None:
                return True
            data = rest
        pictures = [] if is_ours else pictures_in(data)
        if pictures:
            self._uploads.take(pictures, partial(self._add_image, at), at)
        if pictures and len(pictures) >= len(data.urls()):
            return True
        try:
            items = items_in(data, partial(self._canvas.failures.show, _PROBLEM))
        except RefusedDropError as why:
            self._canvas.failures.show(_PROBLEM, f"Nothing in {source} can be put on a desktop: {why}")
            return False
        return self.add_in_view(items) if at is None else self.add(items, at)

    def _add_image(self, at: QPointF | None, recipe: str, name: str, size: QSizeF, by: QPointF) -> bool:
        item = NewItem(recipe, name, size, kind="a picture")
        return self.add_in_view([item]) if at is None else self.add([item], at + by)


def accept_drop(event: QDropEvent) -> None:
    """Accept a drag or drop. Our own items may be moved; files and data of other programs are copied."""
    data = event.mimeData()
    if data.hasFormat(SEVERAL) or data.hasFormat(MIME):
        event.acceptProposedAction()
    else:
        take_copy(event)


def _without_margin(seen: QRectF, zoom: float) -> QRectF:
    """Return the visible area without a margin."""
    margin = _MARGIN / zoom
    return seen.adjusted(margin, margin, -margin, -margin)
