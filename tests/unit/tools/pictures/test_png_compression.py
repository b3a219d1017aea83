"""Pictures of windows become small, and still look the same."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy
import pytest
from PySide6.QtGui import QColor, QImage, QLinearGradient, QPainter

_TOOL = Path(__file__).parents[4] / "tools" / "pictures" / "png_compression.py"
_SPEC = importlib.util.spec_from_file_location("png_compression", _TOOL)
assert _SPEC is not None
assert _SPEC.loader is not None
_SMALL = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(_SMALL)


def make_small(path: Path) -> int:
    size: int = _SMALL.make_small(path)
    return size


def drawn(path: Path, gradient: bool) -> QImage:
    image = QImage(301, 200, QImage.Format.Format_RGB32)  # a width that no line of bytes ends with
    image.fill(QColor("#fff7d1"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.drawEllipse(20, 20, 200, 150)
    if gradient:
        shades = QLinearGradient(0, 0, 300, 200)
        for at, colour in ((0.0, "red"), (0.3, "lime"), (0.6, "blue"), (1.0, "yellow")):
            shades.setColorAt(at, QColor(colour))
        painter.fillRect(0, 0, 301, 200, shades)
    painter.end()
    assert image.save(str(path))
    return image


@pytest.mark.parametrize("gradient", [False, True])
def test_every_point_keeps_its_colour_but_for_a_step(tmp_path: Path, gradient: bool) -> None:
    path = tmp_path / "a.png"
    before = drawn(path, gradient)
    size = make_small(path)
    assert size == path.stat().st_size
    after = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    assert after.size() == before.size()
    sides = [
        numpy.frombuffer(bytes(one.constBits()), dtype=numpy.uint8).astype(int) for one in (before, after)
    ]
    assert abs(sides[0] - sides[1]).max() <= _SMALL.STEP // 2


def test_a_window_takes_fewer_bytes_and_as_many_each_time(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    drawn(path, gradient=False)
    before = path.stat().st_size
    first = make_small(path)
    assert first < before
    assert QImage(str(path)).format() == QImage.Format.Format_Indexed8
    assert make_small(path) == first
