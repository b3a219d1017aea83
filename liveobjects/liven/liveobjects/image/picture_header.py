"""The header of a picture: its format and size, from the first bytes of its file.

Sender and receiver check the header before they decode anything, so that a small file that expands to an
enormous picture is refused."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

LARGEST: Final = 24 * 1024 * 1024
"""The most bytes of a picture file."""
MOST_PIXELS: Final = 50_000_000
WIDEST: Final = 30_000
"""The most pixels of one side."""
HEAD: Final = 1024 * 1024
"""The bytes of a file that surely contain its size: only colour profiles and a preview come before it."""
MOST_SCANS: Final = 200
"""The most scans of a progressive JPEG. Programs write about ten; each takes as long as the whole picture to
decode, and thousands fit into a small file."""
_JPEG_SIZES: Final = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_JPEG_MARKER: Final = re.compile(rb"\xff[^\x00\x01\xd0-\xd8\xff]")
"""A marker between segments; pixel data cannot contain it."""
_JPEG_SCAN, _JPEG_END = 0xDA, 0xD9
_MOST_MARKERS: Final = 10_000
_JPEG_BARE: Final = frozenset({0x01, *range(0xD0, 0xD9)})


class NoPictureError(ValueError):
    """The bytes are not an accepted picture; the text says why."""


@dataclass(frozen=True, slots=True)
class Header:
    """The format and size that a picture declares."""

    kind: str
    width: int
    height: int


def looks_like_picture(data: bytes) -> bool:
    """Return true if bytes begin like a picture of a known format."""
    return _kind(data) is not None


def measure(data: bytes, size: int | None = None) -> Header:
    """Return the header of a picture from the first bytes of its file of `size` bytes. Raise NoPictureError
    if it is not an accepted picture."""
    size = len(data) if size is None else size
    kind = _kind(data)
    if kind is None:
        raise NoPictureError("it is not a picture in PNG, JPEG, GIF, WebP or BMP format")
    if size > LARGEST:
        raise NoPictureError(f"{size / 1e6:.1f} MB; the limit is {LARGEST // 10**6} MB")
    try:
        width, height = _SIZES[kind](data)
    except (struct.error, IndexError):
        raise NoPictureError(f"its file ends before the size of the picture ({kind})") from None
    check_size(width, height)
    if kind == "jpeg":
        _check_scans(data)
    return Header(kind, width, height)


def check_size(width: int, height: int) -> None:
    """Raise NoPictureError if a picture would take too much memory when shown."""
    if width < 1 or height < 1:
        raise NoPictureError(f"its size is {width} by {height} pixels")
    if max(width, height) > WIDEST or width * height > MOST_PIXELS:
        raise NoPictureError(
            f"{width:,} by {height:,} pixels; the limit is {MOST_PIXELS // 1_000_000} million pixels, and"
            f" {WIDEST:,} on one side"
        )


def _check_scans(data: bytes) -> None:
    """Raise NoPictureError for a JPEG that would keep a worker busy for minutes."""
    at, scans, markers = 2, 0, 0
    while scans <= MOST_SCANS and markers <= _MOST_MARKERS and (found := _JPEG_MARKER.search(data, at)):
        markers += 1
        marker, at = data[found.start() + 1], found.end()
        if marker == _JPEG_END or at + 2 > len(data):
            return
        scans += marker == _JPEG_SCAN
        at += max(2, struct.unpack_from(">H", data, at)[0])
    if scans > MOST_SCANS or markers > _MOST_MARKERS:
        raise NoPictureError(
            f"it has more than {MOST_SCANS} progressive scans, which take minutes to show; save it again"
        )


def check_png(data: bytes) -> None:
    """Raise NoPictureError for a truncated or damaged PNG: its decoder would only write a warning to the
    terminal."""
    at, kind = 8, b""
    while kind != b"IEND":
        if at + 12 > len(data):
            raise NoPictureError("it is broken: its file is cut off")
        length = struct.unpack_from(">I", data, at)[0]
        kind, end = data[at + 4 : at + 8], at + 8 + length
        if end + 4 > len(data):
            raise NoPictureError("it is broken: its file is cut off")
        needed = kind[:1].isupper()  # the picture is visible without the other chunks
        if needed and struct.unpack_from(">I", data, end)[0] != zlib.crc32(memoryview(data)[at + 4 : end]):
            raise NoPictureError("it is broken: its checksum is wrong")
        at = end + 4


def _kind(data: bytes) -> str | None:
    if data[:4] == b"RIFF":
        return "webp" if data[8:12] == b"WEBP" else None
    return next((kind for start, kind in _STARTS.items() if data.startswith(start)), None)


def _png(data: bytes) -> tuple[int, int]:
    return _pair(">II", data, 16)


def _gif(data: bytes) -> tuple[int, int]:
    return _pair("<HH", data, 6)


def _bmp(data: bytes) -> tuple[int, int]:
    if struct.unpack_from("<I", data, 14)[0] == 12:  # the oldest variant
        return _pair("<HH", data, 18)
    width, height = _pair("<ii", data, 18)
    return width, abs(height)  # negative for rows from top to bottom


def _webp(data: bytes) -> tuple[int, int]:
    form = data[12:16]
    if form == b"VP8X":
        if len(data) < 30:
            raise IndexError
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if form == b"VP8L":
        bits = struct.unpack_from("<I", data, 21)[0]
        return (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1
    width, height = _pair("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF


def _jpeg(data: bytes) -> tuple[int, int]:
    """Return the size of a JPEG, from the first marker that contains it."""
    at = 2
    while True:
        if data[at] != 0xFF:
            raise IndexError
        marker = data[at + 1]
        if marker in _JPEG_SIZES:
            height, width = _pair(">HH", data, at + 5)
            return width, height
        at += 1 if marker == 0xFF else 2  # fill bytes may precede a marker
        if marker != 0xFF and marker not in _JPEG_BARE:
            at += max(2, struct.unpack_from(">H", data, at)[0])


def _pair(form: str, data: bytes, at: int) -> tuple[int, int]:
    one, other = struct.unpack_from(form, data, at)
    return int(one), int(other)


_STARTS: Final = {
    b"\x89PNG\r\n\x1a\n": "png",
    b"\xff\xd8\xff": "jpeg",
    b"GIF87a": "gif",
    b"GIF89a": "gif",
    b"BM": "bmp",
}
_SIZES: Final[dict[str, Callable[[bytes], tuple[int, int]]]] = {
    "png": _png,
    "jpeg": _jpeg,
    "gif": _gif,
    "bmp": _bmp,
    "webp": _webp,
}
