"""Boards, drawings and tables of other programs that are being read in workers.

A worker must not tell the canvas how far it is, because Qt belongs to one thread. It writes words into its
source, and they are looked at here a few times a second."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QMimeData, QPointF, QRectF

from liven.liveobjects.desktop.foreign.board import LARGEST_FILE, Board, ForeignError
from liven.liveobjects.desktop.foreign.drawn import with_thin_strokes
from liven.liveobjects.desktop.foreign.files import Source, board_in, html_source, text_source
from liven.liveobjects.desktop.foreign.items import extent_of
from liven.liveobjects.desktop.foreign.pdf.pages import PdfPages
from liven.liveobjects.desktop.foreign.suffixes import is_foreign
from liven.liveobjects.desktop.view.transfer.foreign_pictures import page_picture, with_ready_pictures
from liven.liveobjects.view.messages import FailureMessages
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.files import read_regular
from liven.runtime.objects.context import Context
from liven.runtime.objects.reply import Reply

MOST_AT_ONCE: Final = 20
"""Files of other programs in one drop."""
LOOK_EVERY: Final = 0.2
"""Seconds between two looks at the progress."""
_PROBLEM: Final = "foreign"
_BESIDE: Final = 80.0
"""Room between the boards of several files."""


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


Had = Callable[[Board, ReadingBoard], object]
"""Takes a board that was read."""


class ForeignReading:
    """The boards on their way to one object."""

    def __init__(
        self,
        context: Context,
        failures: FailureMessages,
        changed: Callable[[], object] = lambda: None,
    ) -> None:
        """Call `changed` when another set of boards is being read, or when one of them has come further."""
        self._context = context
        self._failures = failures
        self._changed = changed
        self._reading: list[ReadingBoard] = []
        self._names: list[str] = []
        self._look_next: Entry | None = None

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
        return bool(reading)

    def take(self, data: QMimeData, had: Had, at: QPointF | None = None) -> bool:
        """Begin to read what other programs put into a drop or on the clipboard, for a point of the object,
        and pass each board on to `had`; return False if there is nothing of that."""
        sources = foreign_sources(data)
        if not sources:
            return False
        self._failures.withdraw(_PROBLEM)
        if len(sources) > MOST_AT_ONCE:
            words = f"{len(sources)} files at once are too many; the limit is {MOST_AT_ONCE}."
            self._failures.show(_PROBLEM, words)
            return True
        for number, source in enumerate(sources):
            spot = None if at is None else at + QPointF(_BESIDE, _BESIDE) * number
            one = ReadingBoard(source, spot)
            self._reading.append(one)
            one.asked = self._context.work(_read, source)
            one.asked.then(partial(self._was_read, one, had))
        self._changed()
        self._look_later()
        return True

    def refuse(self, name: str, why: str) -> None:
        """Say why a board was not taken over."""
        self._failures.show(_PROBLEM, f"{name} was not taken over. {why}".rstrip())

    def _look_later(self) -> None:
        if self._reading and self._look_next is None and not self._context.ended:
            self._look_next = self._context.call_later(LOOK_EVERY, self._look)

    def _look(self) -> None:
        self._look_next = None
        names = [one.name for one in self._reading]
        if names != self._names:
            self._names = names
            self._changed()
        self._look_later()

    def _was_read(self, one: ReadingBoard, had: Had, done: Reply[Board]) -> None:
        if one not in self._reading:
            return  # it was stopped
        self._reading.remove(one)
        self._changed()
        if done.error is not None:
            self._failures.show(_PROBLEM, f"{one.source.name} cannot be taken over: {done.error}.")
        else:
            had(done.value(), one)


def foreign_sources(data: QMimeData) -> list[Source]:
    """Return what other programs put into a drop or on the clipboard and can be read here."""
    paths = foreign_files(data)
    if paths or data.hasUrls():
        return [_file_source(path) for path in paths]
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


def area_of(board: Board) -> QRectF:
    """Return the area that a board covers."""
    left, top, right, bottom = extent_of(board)
    return QRectF(left, top, right - left, bottom - top)


def _read(source: Source) -> Board:
    return with_ready_pictures(with_thin_strokes(source.read()))


def _file_source(path: Path) -> Source:
    if path.suffix.lower() != ".pdf":
        return Source(path.name, lambda: board_in(_bytes(path), path.name))

    def progress(done: int, total: int) -> None:
        source.progress = f"page {done + 1} of {total}"

    pages = PdfPages(path.name, page_picture, progress)
    source = Source(path.name, lambda: pages.board(_bytes(path)), pages.stop)
    return source


def _bytes(path: Path) -> bytes:
    try:
        return read_regular(path, LARGEST_FILE)
    except OSError as error:
        raise ForeignError(str(error.strerror or error)) from None
