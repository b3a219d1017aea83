"""A dropped PDF file says which of its pages is being read. Real workers read it: those of other tests run in
the thread of the objects, where a fault between threads cannot be seen."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QPainter, QPdfWriter
from tests.gui.objects.conftest import Room

from liven.liveobjects.desktop.view.transfer import foreign_reading
from liven.liveobjects.desktop.view.transfer.foreign_pictures import page_picture

PAGES = 3


def pdf(folder: Any) -> Any:
    path = folder / "plan.pdf"
    writer = QPdfWriter(str(path))
    painter = QPainter(writer)
    for number in range(PAGES):
        if number:
            writer.newPage()
        painter.drawText(100, 100, f"page {number}")
    painter.end()
    return path


@pytest.mark.slow
def test_the_page_that_is_read_is_named_meanwhile(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Semaphore(0)

    def picture_later(pixels: bytes, wide: int, high: int) -> bytes:
        assert go_on.acquire(timeout=60)
        return page_picture(pixels, wide, high)

    monkeypatch.setattr(foreign_reading, "page_picture", picture_later)
    canvas = desk.open(local_recipe("liven:desktop", "Table")).centralWidget()
    desk.wait(lambda: canvas.model.ready)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(pdf(desk.folder)))])
    assert Room.drop(desk, canvas, data)
    painted: list[str] = []
    foreign = canvas.drop_and_paste._foreign
    foreign._reading._changed = lambda: painted.extend(one.name for one in foreign.unread)
    for number in range(1, PAGES + 1):
        desk.wait(lambda wanted=number: f"plan.pdf (page {wanted} of {PAGES})" in painted)
        go_on.release()
    desk.wait(lambda: len(canvas.state.items) == PAGES)
    assert not foreign.unread
