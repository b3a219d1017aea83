"""Write frames as one animated PNG. Each frame after the first stores only the rectangle that changed."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray
from PySide6.QtGui import QImage

SIGNATURE = b"\x89PNG\r\n\x1a\n"
TRUE_COLOUR, BITS = 2, 8
STEP = 8
"""Colours nearer than this are stored as one, as in the still pictures."""

Pixels = NDArray[numpy.uint8]


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture, and how long it is shown."""

    image: QImage
    milliseconds: int


def encode(frames: Sequence[Frame]) -> bytes:
    """Return the frames as a PNG that plays them for ever; programs that cannot play show the first."""
    pictures = [_pixels(frame.image) for frame in frames]
    height, width, _ = pictures[0].shape
    header = struct.pack(">IIBBBBB", width, height, BITS, TRUE_COLOUR, 0, 0, 0)
    chunks = [_chunk(b"IHDR", header), _chunk(b"acTL", struct.pack(">II", len(frames), 0))]
    chunks += _frames(pictures, [frame.milliseconds for frame in frames])
    return SIGNATURE + b"".join([*chunks, _chunk(b"IEND", b"")])


def _frames(pictures: Sequence[Pixels], times: Sequence[int]) -> Iterator[bytes]:
    number = 0
    for place, (picture, time) in enumerate(zip(pictures, times, strict=True)):
        x, y, part = _changed(pictures[place - 1], picture) if place else (0, 0, picture)
        height, width, _ = part.shape
        control = struct.pack(">IIIIIHHBB", number, width, height, x, y, time, 1000, 0, 0)
        yield _chunk(b"fcTL", control)
        number += 1
        packed = _packed(part)
        if place == 0:
            yield _chunk(b"IDAT", packed)
        else:
            yield _chunk(b"fdAT", struct.pack(">I", number) + packed)
            number += 1


def _changed(before: Pixels, after: Pixels) -> tuple[int, int, Pixels]:
    """Return where the pictures differ, and that part of the later one; one pixel if they are equal."""
    differs = (before != after).any(axis=2)
    rows, columns = numpy.flatnonzero(differs.any(axis=1)), numpy.flatnonzero(differs.any(axis=0))
    if not len(rows):
        return 0, 0, after[:1, :1]
    top, left = int(rows[0]), int(columns[0])
    return left, top, after[top : int(rows[-1]) + 1, left : int(columns[-1]) + 1]


def _pixels(image: QImage) -> Pixels:
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    flat = numpy.frombuffer(bytes(plain.constBits()), dtype=numpy.uint8)
    rows = flat.reshape(plain.height(), plain.bytesPerLine())[:, : 3 * plain.width()]
    near = (rows.astype(numpy.int32) + STEP // 2) // STEP * STEP
    made: Pixels = numpy.minimum(near, 255).astype(numpy.uint8)
    return made.reshape(plain.height(), plain.width(), 3)


def _packed(part: Pixels) -> bytes:
    """Pack rows, each as its difference from the row above (PNG filter 2), which suits windows."""
    rows = part.reshape(part.shape[0], -1)
    above = numpy.vstack([numpy.zeros((1, rows.shape[1]), dtype=numpy.uint8), rows[:-1]])
    filters = numpy.full((rows.shape[0], 1), 2, dtype=numpy.uint8)
    return zlib.compress(numpy.hstack([filters, rows - above]).tobytes(), 9)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
