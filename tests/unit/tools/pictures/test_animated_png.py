"""Animated PNGs: any reader shows the first frame, and each frame is stored as the part that changed."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest
from PySide6.QtGui import QColor, QImage, QPainter


@pytest.fixture
def tool(script: Callable[[str], ModuleType]) -> ModuleType:
    return script("tools/pictures/animated_png.py")


def picture(square_at: int) -> QImage:
    image = QImage(61, 40, QImage.Format.Format_RGB32)
    image.fill(QColor("#fff8d0"))
    painter = QPainter(image)
    painter.fillRect(square_at, 10, 5, 5, QColor("#204060"))
    painter.end()
    return image


def chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at < len(data):
        (size,) = struct.unpack_from(">I", data, at)
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        at += 12 + size


def test_a_reader_without_animation_shows_the_first_frame(tool: ModuleType) -> None:
    data = tool.encode([tool.Frame(picture(0), 100), tool.Frame(picture(30), 200)])
    shown = QImage.fromData(data)
    assert (shown.width(), shown.height()) == (61, 40)
    assert shown.pixelColor(2, 12) == QColor("#204060")
    assert shown.pixelColor(32, 12) == QColor("#fff8d0")


def test_a_later_frame_holds_only_the_rectangle_that_changed(tool: ModuleType) -> None:
    data = tool.encode([tool.Frame(picture(0), 100), tool.Frame(picture(30), 200)])
    _, later = [content for name, content in chunks(data) if name == b"fcTL"]
    _, width, height, x, y, time, _, _, _ = struct.unpack(">IIIIIHHBB", later)
    assert (x, y, width, height, time) == (0, 10, 35, 5, 200)


def test_equal_frames_cost_one_pixel_and_are_numbered_on(tool: ModuleType) -> None:
    data = tool.encode([tool.Frame(picture(0), 100)] * 3)
    controls = [content for name, content in chunks(data) if name in (b"fcTL", b"fdAT")]
    assert [struct.unpack_from(">I", one)[0] for one in controls] == [0, 1, 2, 3, 4]
    assert len(data) < 700
