"""Boards, drawings and tables of other programs that come to a desktop: each is added as one step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from PySide6.QtCore import QMimeData, QPointF, QRectF

from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.foreign.board import Board, sentence_of
from liven.liveobjects.desktop.foreign.items import Upload, added
from liven.liveobjects.desktop.free_space import find_free_space
from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.state import Desktop
from liven.liveobjects.desktop.view.geometry import edges
from liven.liveobjects.desktop.view.transfer.foreign_reading import ForeignReading, ReadingBoard, area_of
from liven.liveobjects.image.view.uploads import DroppedPicture, UploadQueue
from liven.liveobjects.view.contract import ViewHost
from liven.liveobjects.view.messages import FailureMessages


class ForeignCanvas(Protocol):
    """The part of the canvas that boards of other programs need."""

    @property
    def model(self) -> DesktopObject: ...

    @property
    def state(self) -> Desktop: ...

    @property
    def visible_area(self) -> QRectF: ...

    @property
    def failures(self) -> FailureMessages: ...

    @property
    def host(self) -> ViewHost: ...

    def do(self, command: Command) -> bool: ...

    def select(self, keys: Iterable[str]) -> None: ...


class ForeignDrops:
    """The boards of other programs that come to one canvas."""

    def __init__(
        self,
        canvas: ForeignCanvas,
        uploads: UploadQueue,
        changed: Callable[[], object],
        fit: Callable[[], object],
    ) -> None:
        """Call `changed` when other boards are being read, and `fit` to show what is selected."""
        self._canvas = canvas
        self._uploads = uploads
        self._fit = fit
        self._reading = ForeignReading(canvas.model.context, canvas.failures, changed)

    @property
    def unread(self) -> Sequence[ReadingBoard]:
        """The boards that are being read."""
        return self._reading.unread

    def stop(self) -> bool:
        """Stop reading. Return False if nothing is being read."""
        stopped = self._reading.stop()
        if stopped:
            self._canvas.host.show_message("Stopped: nothing was taken over.")
        return stopped

    def take(self, data: QMimeData, at: QPointF | None) -> bool:
        """Begin to read what other programs put into a drop or on the clipboard; return False if there is
        nothing of that. It is added around a point, or else near the centre of the view."""
        return self._reading.take(data, self._add, at)

    def _add(self, board: Board, one: ReadingBoard) -> None:
        canvas = self._canvas
        dx, dy = self._shift(board, one.spot)
        name = one.source.name
        made = added(canvas.state, board, name, dx, dy)
        left_out = sentence_of(made.left_out)
        if not made.keys or not canvas.do(made.command):
            if not made.keys:
                self._reading.refuse(name, left_out)
            return
        canvas.select(made.keys)
        if one.spot is None and not canvas.visible_area.contains(area_of(board).translated(dx, dy)):
            self._fit()
        send_pictures(self._uploads, made.uploads, lambda item: item in self._canvas.state.items)
        if left_out:
            canvas.host.show_message(f"{name}: {left_out}")

    def _shift(self, board: Board, spot: QPointF | None) -> tuple[float, float]:
        """Return how far a board is moved: its centre to a point, or all of it to free space in view."""
        area = area_of(board)
        if spot is not None:
            by = spot - area.center()
            return by.x(), by.y()
        seen = self._canvas.visible_area
        wanted = seen.center() - QPointF(area.width() / 2, area.height() / 2)
        items = self._canvas.state.items.values()
        corner = find_free_space(items, area.width(), area.height(), wanted.x(), wanted.y(), edges(seen))
        return corner[0] - area.left(), corner[1] - area.top()


def send_pictures(uploads: UploadQueue, pictures: Iterable[Upload], is_there: Callable[[str], bool]) -> None:
    """Send pictures into their images, except those whose items are gone by then."""
    for one in pictures:
        picture = DroppedPicture(one.data, one.name, one.recipe)
        uploads.take([picture], lambda *_, item=one.item: is_there(item))
