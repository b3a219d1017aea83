"""Drops on a desktop that lies on another one and is not entered: items go to free space near its centre."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import QMimeData, QPointF, QSizeF

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.foreign.board import Board, sentence_of
from liven.liveobjects.desktop.foreign.items import added
from liven.liveobjects.desktop.free_space import find_free_space
from liven.liveobjects.desktop.object import DesktopObject, Showable
from liven.liveobjects.desktop.state import Add, Change, Desktop, Item, Place, Remove
from liven.liveobjects.desktop.view.transfer.drop_contents import (
    SEVERAL,
    NewItem,
    RefusedDropError,
    items_in,
    whole_area,
)
from liven.liveobjects.desktop.view.transfer.foreign_drops import send_pictures
from liven.liveobjects.desktop.view.transfer.foreign_reading import (
    ForeignReading,
    ReadingBoard,
    area_of,
    rest_of,
)
from liven.liveobjects.desktop.view.transfer.refusal_text import refusal
from liven.liveobjects.image.view.uploads import UploadQueue, pictures_in
from liven.liveobjects.view.contract import ViewHost
from liven.liveobjects.view.messages import FailureMessages
from liven.runtime.fold import RefusedError
from liven.runtime.folder.item_files import MIME

_PROBLEM: Final = "take"
_HELD: Final = 32
"""New images that are held open at most: nobody else runs them before the desktop is entered."""


class ClosedDesktopDrop:
    """The drops of one closed desktop."""

    def __init__(
        self, model: DesktopObject, host: ViewHost, added: Callable[[dict[str, Item]], object]
    ) -> None:
        """`added` is called with items that are added only after a picture was read."""
        self._model = model
        self._on_added = added
        self._failures = FailureMessages(host)
        self._uploads = UploadQueue(model.context, host, keep=_HELD)
        self._host = host
        self._reading = ForeignReading(model.context, self._failures)

    def close(self) -> None:
        """Stop reading, and release images held open here."""
        self._reading.stop()
        self._uploads.close()

    def accepts_drop(self, data: QMimeData) -> bool:
        """Accept anything that can be on a desktop; it is examined when dropped."""
        return _is_ours(data) or data.hasUrls() or data.hasText() or data.hasImage()

    def receive(self, data: QMimeData) -> bool:
        """Add everything in the data; say why some is left out."""
        self._failures.withdraw(_PROBLEM)
        if not self._model.ready:
            return self._refuse("it is still loading; its channel is not connected")
        if not _is_ours(data) and self._reading.take(data, self._add_board):
            rest = rest_of(data)
            if rest is None:
                return True
            data = rest
        pictures = [] if _is_ours(data) else pictures_in(data)
        if pictures:
            self._uploads.take(pictures, self._add_image)
        if pictures and len(pictures) >= len(data.urls()):
            return True
        try:
            items = items_in(data, partial(self._failures.show, _PROBLEM))
        except RefusedDropError as why:
            return self._refuse(str(why))
        return self._add(items)

    def holds(self, data: QMimeData) -> bool:
        """True if all our own items in the data are here."""
        if not _is_ours(data):
            return False
        here = {item.reference for item in self._state.items.values()}
        return all(item.reference in here for item in items_in(data))

    def entries(self) -> dict[str, Item]:
        """Return all items by key."""
        return dict(self._state.items.items())

    def remove_entries(self, entries: Mapping[str, object]) -> bool:
        """Remove these items if all of them are here unchanged."""
        if any(self._state.items.get(key) != item for key, item in entries.items()):
            return False
        try:
            self._model.editor.edit("Remove again", *(Remove(key) for key in sorted(entries)))
        except RefusedError:
            return False
        return True

    def restore_entries(self, entries: Mapping[str, object]) -> bool:
        """Add these items again at their old places."""
        items = [item for item in entries.values() if isinstance(item, Item)]
        if not self._model.ready or any(item.key in self._state.items for item in items):
            return False
        try:
            self._model.editor.edit("Add again", *map(Add, items))
        except RefusedError:
            return False
        return all(item.key in self._state.items for item in items)

    @property
    def _state(self) -> Desktop:
        state: Desktop = self._model.editor.state
        return state

    def _add_image(self, recipe: str, name: str, size: QSizeF, by: QPointF) -> bool:
        del by  # each goes to free space
        before = self.entries()
        if not self._add([NewItem(recipe, name, size, kind="a picture")]):
            return False
        self._on_added({key: item for key, item in self.entries().items() if key not in before})
        return True

    def _add_board(self, board: Board, one: ReadingBoard) -> None:
        """Add a board of another program in free space."""
        area, there, before = area_of(board), self._state.items.values(), self.entries()
        x, y = self._free_corner(there, area.width(), area.height())
        made = added(self._state, board, one.source.name, x - area.left(), y - area.top())
        left_out = sentence_of(made.left_out)
        if not made.keys:
            self._reading.refuse(one.source.name, left_out)
            return
        try:
            self._model.editor.edit(made.command.name, *made.command.changes)
        except RefusedError as why:
            self._refuse(str(why), one.source.name)
            return
        self._on_added({key: item for key, item in self.entries().items() if key not in before})
        send_pictures(self._uploads, made.uploads, lambda item: item in self._state.items)
        if left_out:
            self._host.show_message(f"{one.source.name}: {left_out}")

    def _add(self, items: list[NewItem]) -> bool:
        """Add objects as one step."""
        good = [item for item in items if self._fits(item)]
        if not good:
            return False
        name = (good[0].label or good[0].kind) if len(good) == 1 else f"{len(good)} items"
        try:
            self._model.editor.edit(f"Add {name}", *self._changes(good))
        except RefusedError as why:
            return self._refuse(str(why))
        return True

    def _changes(self, items: list[NewItem]) -> list[Change]:
        """Return the changes that add objects in their arrangement, where they cover nothing."""
        whole, there = whole_area(items), self._state.items.values()
        x, y = self._free_corner(there, whole.width(), whole.height())
        changes: list[Change] = []
        for item in items:
            at = QPointF(x, y) + item.at - whole.topLeft()
            place = Place(at.x(), at.y(), item.size.width(), item.size.height())
            _, command = commands.add(self._state, item.reference, item.label, place, above=len(changes))
            changes += command.changes
        return changes

    def _free_corner(self, there: Collection[Item], width: float, height: float) -> tuple[float, float]:
        """Return a corner near the centre of the items where something of this size covers nothing."""
        left, top, right, bottom = commands.bounds(there)
        wanted = (left + right - width) / 2, (top + bottom - height) / 2
        return find_free_space(there, width, height, *wanted)

    def _fits(self, item: NewItem) -> bool:
        found = self._model.context.may_fit(item.reference, Showable)
        if not found:
            self._refuse(refusal(found, item.reference, "a desktop"), item.label)
        return bool(found)

    def _refuse(self, why: str, what: str = "") -> bool:
        self._failures.show(_PROBLEM, f"{what or 'This'} cannot be put on a desktop: {why}")
        return False


def _is_ours(data: QMimeData) -> bool:
    return data.hasFormat(SEVERAL) or data.hasFormat(MIME)
