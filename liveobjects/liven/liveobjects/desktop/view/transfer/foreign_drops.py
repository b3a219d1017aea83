"""Boards, drawings and tables of other programs on their way to a desktop: read in a worker, added as one
step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from PySide6.QtCore import QMimeData, QPointF, QRectF

from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.foreign.board import LARGEST_FILE, Board, ForeignError, sentence_of
from liven.liveobjects.desktop.foreign.drawn import with_thin_strokes
from liven.liveobjects.desktop.foreign.files import Source, board_in, html_source, text_source
from liven.liveobjects.desktop.foreign.items import Upload, added, extent_of
from liven.liveobjects.desktop.foreign.pdf.pages import PdfPages
from liven.liveobjects.desktop.foreign.suffixes import is_foreign
from liven.liveobjects.desktop.free_space import find_free_space
from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.state import Desktop
from liven.liveobjects.desktop.view.geometry import edges
from liven.liveobjects.desktop.view.transfer.foreign_pictures import page_picture, with_ready_pictures
from liven.liveobjects.image.view.uploads import DroppedPicture, UploadQueue
from liven.liveobjects.view.contract import ViewHost
from liven.liveobjects.view.messages import FailureMessages
from liven.runtime.files import read_regular
from liven.runtime.objects.reply import Reply

MOST_AT_ONCE: Final = 20
"""Files of other programs in one drop."""
_PROBLEM: Final = "foreign"
_BESIDE: Final = 80.0
"""Room between the boards of several files."""


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


class ReadingBoard:
    """A board that is being read."""

    def __init__(self, source: Source, spot: QPointF | None) -> None:
        self.source = source
        self.spot = spot
        self.asked: Reply[Board] | None = None

    @property
    def name(self) -> str:
        """The name for people, with the progress where there is one."""
        progress = self.source.progress
        return f"{self.source.name} ({progress})" if progress else self.source.name

    def stop(self) -> None:
        """Stop reading."""
        self.source.stop()
        if self.asked is not None:
            self.asked.cancel()


class ForeignDrops:
    """The boards of other programs that come to one canvas."""

    def __init__(
        self,
        canvas: ForeignCanvas,
        uploads: UploadQueue,
        changed: Callable[[], object],
        fit: Callable[[], object],
    ) -> None:
        """Call `changed` when another set of boards is being read, and `fit` to show what is selected."""
        self._canvas = canvas
        self._uploads = uploads
        self._changed = changed
        self._fit = fit
        self._reading: list[ReadingBoard] = []

    @property
    def unread(self) -> Sequence[ReadingBoard]:
        """The boards that are being read."""
        return self._reading

    def stop(self) -> bool:
        """Stop reading. Return False if nothing is being read."""
        reading, self._reading = self._reading, []
        for one in reading:
            one.stop()
        if reading:
            self._changed()
            self._canvas.host.show_message("Stopped: nothing was taken over.")
        return bool(reading)

    def take(self, data: QMimeData, at: QPointF | None) -> bool:
        """Begin to read what other programs put into a drop or on the clipboard; return False if there is
        nothing of that. It is added around a point, or else near the centre of the view."""
        sources = foreign_sources(data)  # a worker may not tell the canvas how far it is
        if not sources:
            return False
        self._canvas.failures.withdraw(_PROBLEM)
        if len(sources) > MOST_AT_ONCE:
            words = f"{len(sources)} files at once are too many; the limit is {MOST_AT_ONCE}."
            self._canvas.failures.show(_PROBLEM, words)
            return True
        for number, source in enumerate(sources):
            spot = None if at is None else at + QPointF(_BESIDE, _BESIDE) * number
            one = ReadingBoard(source, spot)
            self._reading.append(one)
            one.asked = self._canvas.model.context.work(_read, source)
            one.asked.then(partial(self._was_read, one))
        self._changed()
        return True

    def _was_read(self, one: ReadingBoard, done: Reply[Board]) -> None:
        if one not in self._reading:
            return  # it was stopped
        self._reading.remove(one)
        self._changed()
        if done.error is not None:
            words = f"{one.source.name} cannot be taken over: {done.error}."
            self._canvas.failures.show(_PROBLEM, words)
            return
        self._add(done.value(), one)

    def _add(self, board: Board, one: ReadingBoard) -> None:
        canvas = self._canvas
        dx, dy = self._shift(board, one.spot)
        name = one.source.name
        made = added(canvas.state, board, name, dx, dy)
        left_out = sentence_of(made.left_out)
        if not made.keys or not canvas.do(made.command):
            if not made.keys:
                canvas.failures.show(_PROBLEM, f"{name} was not taken over. {left_out}".rstrip())
            return
        canvas.select(made.keys)
        if one.spot is None and not canvas.visible_area.contains(_area(board).translated(dx, dy)):
            self._fit()
        for upload in made.uploads:
            self._upload(upload)
        if left_out:
            canvas.host.show_message(f"{name}: {left_out}")

    def _upload(self, upload: Upload) -> None:
        """Send a picture into its image, unless its item is gone by then."""
        picture = DroppedPicture(upload.data, upload.name, upload.recipe)
        self._uploads.take([picture], lambda *_: upload.item in self._canvas.state.items)

    def _shift(self, board: Board, spot: QPointF | None) -> tuple[float, float]:
        """Return how far a board is moved: its centre to a point, or all of it to free space in view."""
        area = _area(board)
        if spot is not None:
            by = spot - area.center()
            return by.x(), by.y()
        seen = self._canvas.visible_area
        wanted = seen.center() - QPointF(area.width() / 2, area.height() / 2)
        items = self._canvas.state.items.values()
        corner = find_free_space(items, area.width(), area.height(), wanted.x(), wanted.y(), edges(seen))
        return corner[0] - area.left(), corner[1] - area.top()


def foreign_sources(data: QMimeData, told: Callable[[], object] = lambda: None) -> list[Source]:
    """Return what other programs put into a drop or on the clipboard and can be read here. Call `told`, in a
    worker, when reading has come further."""
    paths = foreign_files(data)
    if paths or data.hasUrls():
        return [_file_source(path, told) for path in paths]
    found = html_source(data.html()) if data.hasHtml() else None
    found = found or (text_source(data.text()) if data.hasText() else None)
    return [found] if found is not None else []


def rest_of(data: QMimeData) -> QMimeData | None:
    """Return a drop without the files of other programs; None if nothing else is in it."""
    paths = set(foreign_files(data))
    urls = [url for url in data.urls() if Path(url.toLocalFile()) not in paths]
    if not urls:
        return None
    rest = QMimeData()
    rest.setUrls(urls)
    return rest


def foreign_files(data: QMimeData) -> list[Path]:
    """Return the files of other programs in a drop."""
    paths = (Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile())
    return [path for path in paths if is_foreign(path.name)]


def _read(source: Source) -> Board:
    return with_ready_pictures(with_thin_strokes(source.read()))


def _file_source(path: Path, told: Callable[[], object]) -> Source:
    if path.suffix.lower() != ".pdf":
        return Source(path.name, lambda: board_in(_bytes(path), path.name))

    def progress(done: int, total: int) -> None:
        source.progress = f"page {done + 1} of {total}"
        told()

    pages = PdfPages(path.name, page_picture, progress)
    source = Source(path.name, lambda: pages.board(_bytes(path)), pages.stop)
    return source


def _bytes(path: Path) -> bytes:
    try:
        return read_regular(path, LARGEST_FILE)
    except OSError as error:
        raise ForeignError(str(error.strerror or error)) from None


def _area(board: Board) -> QRectF:
    left, top, right, bottom = extent_of(board)
    return QRectF(left, top, right - left, bottom - top)
