"""The pages of a PDF file as a board of pictures."""

from __future__ import annotations

import math
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import IO, Final

from liven.liveobjects.desktop.foreign.board import Board, ForeignError, Picture
from liven.liveobjects.desktop.foreign.pdf.page_format import (
    ENCRYPTED,
    HEAD,
    LARGEST,
    MISSING,
    MOST_PAGES,
    PAGE,
    SIDE,
)
from liven.liveobjects.desktop.state import Place

PATIENCE: Final = 60.0
"""Seconds that one page may take."""
_SHOWN: Final = 480.0
"""The longer side of a page on the desktop."""
_APART: Final = 24.0
_MOST_COLUMNS: Final = 8
_REASONS: Final = {
    ENCRYPTED: "it is protected by a password; save it without one",
    MISSING: "the library pypdfium2 is missing; install it, or export the pages as pictures",
}
_DAMAGED: Final = "it is damaged, or no PDF file"

Encode = Callable[[bytes, int, int], bytes]
"""Returns the bytes of a picture file for pixels of this width and height."""


class PdfPages:
    """The drawing of one file. `stop` ends it from another thread."""

    def __init__(self, name: str, encode: Encode, told: Callable[[int, int], object]) -> None:
        """Call `told` with the number of pages that are drawn and their total."""
        self._name = name
        self._encode = encode
        self._told = told
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def stop(self) -> None:
        """End the drawing."""
        self._stopped = True
        if self._process is not None:
            self._process.kill()

    def board(self, data: bytes) -> Board:
        """Return the pages as pictures, row by row. Raise ForeignError if there are none."""
        if len(data) > LARGEST:
            raise ForeignError(f"it has {len(data) / 1e6:.1f} MB; the limit is {LARGEST / 1e6:.0f} MB")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "liven.liveobjects.desktop.foreign.pdf.page_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        with self._process as process:
            assert process.stdin is not None
            assert process.stdout is not None
            writer = threading.Thread(target=_write, args=(process.stdin, data), daemon=True)
            writer.start()
            try:
                count, pages = self._read(process, process.stdout)
            finally:
                process.kill()
                writer.join()
        board = Board(list(_placed(pages, PurePath(self._name).stem)))
        if count > len(pages):
            board.left_out[f"pages beyond the first {len(pages)}"] = count - len(pages)
        return board

    def _read(
        self, process: subprocess.Popen[bytes], output: IO[bytes]
    ) -> tuple[int, list[tuple[int, int, bytes]]]:
        pages: list[tuple[int, int, bytes]] = []
        if self._stopped:
            raise ForeignError("it was stopped")
        with _Watch(process):
            head = output.read(HEAD.size)
        if len(head) < HEAD.size:
            raise ForeignError(self._why(process))
        (count,) = HEAD.unpack(head)
        wanted = min(count, MOST_PAGES)
        for number in range(wanted):
            self._told(number, wanted)
            with _Watch(process):
                page = _page(output)
            if page is None:
                raise ForeignError(f"page {number + 1} cannot be drawn, or takes over {PATIENCE:.0f} seconds")
            wide, high, pixels = page
            pages.append((wide, high, self._encode(pixels, wide, high)))
        if not pages:
            raise ForeignError("it has no pages")
        return count, pages

    def _why(self, process: subprocess.Popen[bytes]) -> str:
        return "it was stopped" if self._stopped else _REASONS.get(process.wait(), _DAMAGED)


class _Watch:
    """Kills a process that takes too long."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._timer = threading.Timer(PATIENCE, process.kill)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()


def _write(target: IO[bytes], data: bytes) -> None:
    try:
        target.write(data)
        target.close()
    except OSError:
        pass  # the process has ended, and says why


def _page(output: IO[bytes]) -> tuple[int, int, bytes] | None:
    """Return the next page; None if it is not complete or larger than agreed."""
    head = output.read(PAGE.size)
    if len(head) < PAGE.size:
        return None
    wide, high = PAGE.unpack(head)
    if not (0 < wide <= SIDE + 1 and 0 < high <= SIDE + 1):
        return None
    pixels = output.read(4 * wide * high)
    return (wide, high, pixels) if len(pixels) == 4 * wide * high else None


def _placed(pages: list[tuple[int, int, bytes]], name: str) -> Iterator[Picture]:
    """Yield pages as pictures in rows, in reading order."""
    columns = min(_MOST_COLUMNS, math.ceil(math.sqrt(len(pages))))
    top = 0.0
    for first in range(0, len(pages), columns):
        left = tallest = 0.0
        for number, (wide, high, data) in enumerate(pages[first : first + columns], first + 1):
            scale = _SHOWN / max(wide, high)
            place = Place(left, top, max(wide * scale, 1.0), max(high * scale, 1.0))
            title = name if len(pages) == 1 else f"{name}, page {number}"
            yield Picture(f"page {number}", place, title, data)
            left += place.width + _APART
            tallest = max(tallest, place.height)
        top += tallest + _APART
