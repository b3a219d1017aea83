"""Make the picture of a window small: the fewest colours that look the same, packed well."""

from __future__ import annotations

from pathlib import Path

import numpy
from PySide6.QtGui import QImage

STEP = 8
"""Colours closer than that are made one; screens show no difference on text and lines."""
MOST = 256
_HARD = 0
"""Qt packs as well as it can."""


def make_small(path: Path) -> int:
    """Rewrite the file and return its new size in bytes."""
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    rounded = _rounded(image)
    colours = numpy.unique(_words(rounded))
    made = _indexed(rounded, colours) if len(colours) <= MOST else image
    if not made.save(str(path), "PNG", _HARD):  # type: ignore[call-overload]  # its stub wants bytes
        raise OSError(f"{path} cannot be written")
    return path.stat().st_size


def _words(image: QImage) -> numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.uint32]]:
    flat = numpy.frombuffer(bytes(image.constBits()), dtype=numpy.uint32)
    return flat.reshape(image.height(), image.bytesPerLine() // 4)[:, : image.width()]


def _rounded(image: QImage) -> QImage:
    """Return each colour at the nearest multiple of the step; black and white stay."""
    parts = numpy.frombuffer(bytes(image.constBits()), dtype=numpy.uint8).astype(numpy.int32)
    near = numpy.minimum((parts + STEP // 2) // STEP * STEP, 255).astype(numpy.uint8)
    size, line = image.size(), image.bytesPerLine()
    made = QImage(near.tobytes(), size.width(), size.height(), line, QImage.Format.Format_RGB32)
    return made.copy()  # the bytes are not kept by the image


def _indexed(image: QImage, colours: numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.uint32]]) -> QImage:
    made = QImage(image.size(), QImage.Format.Format_Indexed8)
    made.setColorTable([int(one) | 0xFF000000 for one in colours])
    numbers = numpy.searchsorted(colours, _words(image)).astype(numpy.uint8)
    rows = numpy.zeros((made.height(), made.bytesPerLine()), dtype=numpy.uint8)
    rows[:, : made.width()] = numbers
    whole = QImage(rows.tobytes(), made.width(), made.height(), made.bytesPerLine(), made.format())
    whole.setColorTable(made.colorTable())
    return whole.copy()
