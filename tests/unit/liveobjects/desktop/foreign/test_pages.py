"""Pages of PDF files: drawn in another process, in reading order, within bounds."""

from __future__ import annotations

import subprocess
import sys
import zlib
from typing import Any

import pytest

from liven.liveobjects.desktop.foreign.board import Board, ForeignError, Picture
from liven.liveobjects.desktop.foreign.pdf import pages
from liven.liveobjects.desktop.foreign.pdf.page_format import MOST_PAGES, SIDE
from liven.liveobjects.desktop.foreign.pdf.pages import PdfPages


def pdf(*sizes: tuple[int, int]) -> bytes:
    """Return a PDF file whose pages have a red box at the upper left."""
    objects = ["<</Type/Catalog/Pages 2 0 R>>", ""]
    kids = []
    for wide, high in sizes:
        content = f"1 0 0 rg 0 {high - 10} 10 10 re f"
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {wide} {high}]/Contents {len(objects) + 2} 0 R>>"
        )
        objects.append(f"<</Length {len(content)}>>stream\n{content}\nendstream")
    objects[1] = f"<</Type/Pages/Count {len(sizes)}/Kids[{' '.join(kids)}]>>"
    data = b"%PDF-1.4\n"
    starts = []
    for number, one in enumerate(objects, 1):
        starts.append(len(data))
        data += f"{number} 0 obj\n{one}\nendobj\n".encode()
    table = "".join(f"{start:010} 00000 n \n" for start in starts)
    end = len(data)
    data += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
    return data + f"trailer<</Root 1 0 R/Size {len(objects) + 1}>>\nstartxref\n{end}\n%%EOF".encode()


def read(data: bytes, told: list[tuple[int, int]] | None = None) -> Board:
    seen = [] if told is None else told
    drawing = PdfPages(
        "plan.pdf",
        lambda pixels, wide, high: b"%d %d %b" % (wide, high, pixels[:4]),
        lambda done, total: seen.append((done, total)),
    )
    return drawing.board(data)


@pytest.mark.slow
def test_pages_become_pictures_in_rows() -> None:
    told: list[tuple[int, int]] = []
    board = read(pdf((100, 50), (50, 100), (100, 50)), told)
    pictures = [part for part in board.parts if isinstance(part, Picture)]
    assert [one.name for one in pictures] == ["plan, page 1", "plan, page 2", "plan, page 3"]
    assert told == [(0, 3), (1, 3), (2, 3)]
    wide, high, pixel = pictures[0].data.split(b" ", 2)
    assert (int(wide), int(high)) == (SIDE, SIDE // 2)
    assert pixel[:3] == b"\x00\x00\xff", "blue, green, red"
    places = [one.place for one in pictures]
    assert (places[0].width, places[0].height) == (480, 240)
    assert places[1].x > places[0].x + 480
    assert places[2].y > places[1].y + places[1].height


@pytest.mark.slow
def test_pages_beyond_the_limit_are_counted() -> None:
    board = read(pdf(*[(10, 10)] * (MOST_PAGES + 2)))
    assert len(board.parts) == MOST_PAGES
    assert board.left_out == {f"pages beyond the first {MOST_PAGES}": 2}


@pytest.mark.slow
@pytest.mark.parametrize("data", [b"", b"%PDF-1.4\nnothing", zlib.compress(pdf((1, 1)))])
def test_files_that_are_none_are_refused(data: bytes) -> None:
    with pytest.raises(ForeignError, match="damaged"):
        read(data)


def test_a_file_that_is_too_large_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "LARGEST", 10)
    with pytest.raises(ForeignError, match="limit"):
        read(b"x" * 11)


def test_a_process_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    real = subprocess.Popen

    def hanging(command: list[str], **more: Any) -> object:
        return real([sys.executable, "-S", "-c", "import time; time.sleep(1000)"], **more)

    monkeypatch.setattr(subprocess, "Popen", hanging)
    monkeypatch.setattr(pages, "PATIENCE", 0.2)
    with pytest.raises(ForeignError, match="damaged"):
        read(b"x" * 1_000_000)
