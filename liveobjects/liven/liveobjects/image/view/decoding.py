"""Decoding and encoding of pictures in workers. Nothing here touches a widget."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from liven.liveobjects.image.picture_header import (
    HEAD,
    LARGEST,
    WIDEST,
    Header,
    NoPictureError,
    check_png,
    check_size,
    looks_like_picture,
    measure,
)
from liven.runtime.files import read_start

COARSEST: Final = 512
"""The longer side of the coarsest decoding, in pixels; finer ones double it."""
MANY_PIXELS: Final = 4_000_000
"""Above this many pixels, a picture is encoded fast: a fifth larger, in an eighth of the time."""
_HURRY, _THOROUGH, _FINE = 89, -1, 95
SUFFIXES: Final = (".png", ".jpg", ".jpeg", ".jfif", ".gif", ".webp", ".bmp")


def step_for(pixels: float) -> int:
    """Return the resolution to decode for a longer side of this many pixels on screen."""
    step = COARSEST
    while step < pixels:
        step *= 2
    return step


def decode(data: bytes, step: int) -> QImage:
    """Decode a picture so that its longer side is at most `step`. Raise NoPictureError if it is broken or
    differs from its header."""
    return _read(data, measure(data), step)


def unpacked(data: bytes) -> QImage:
    """Decode all pixels of a picture, however large its file is."""
    return _read(data, measure(data, 0), WIDEST)


def _read(data: bytes, header: Header, step: int) -> QImage:
    if header.kind == "png":
        check_png(data)
    stored = QByteArray(data)
    buffer = QBuffer(stored)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(header.kind.encode()))
    reader.setAutoTransform(True)
    size = reader.size()
    if not size.isValid():
        raise NoPictureError(f"it is broken: {reader.errorString().lower()}")
    if size != QSize(header.width, header.height):
        raise NoPictureError("its header has the wrong size")
    if max(size.width(), size.height()) > step:
        reader.setScaledSize(
            size.scaled(step, step, Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1))
        )
    image = reader.read()
    if image.isNull():
        raise NoPictureError(f"it is broken: {reader.errorString().lower()}")
    return image


def check_whole(data: bytes) -> None:
    """Raise NoPictureError for a truncated or damaged picture that cannot be shown. Truncated JPEG and GIF
    files are accepted: their first part can be shown."""
    try:
        decode(data, COARSEST)
    except NoPictureError as why:
        raise NoPictureError(
            f"it is cut off or damaged ({why}). Get it from its source again; nothing has changed here"
        ) from None


def load(path: Path) -> bytes:
    """Return the bytes of a picture file. Raise NoPictureError if it is not accepted; a bad header is
    enough, and the rest is not read then."""
    try:
        head = read_start(path, HEAD)
        measure(head, path.stat().st_size)
        data = read_start(path, LARGEST + 1)
        measure(data)
        check_whole(data)
    except OSError as error:
        raise NoPictureError(f"{path.name}: {error.strerror or error}") from None
    except NoPictureError as why:
        raise NoPictureError(f"{path.name}: {why}") from None
    return data


def encode(image: QImage) -> bytes:
    """Encode a picture from the clipboard as PNG, or as JPEG if the PNG of a photograph would be too
    large."""
    if image.isNull():
        raise NoPictureError("the picture on the clipboard cannot be read")
    check_size(image.width(), image.height())
    many = image.width() * image.height() > MANY_PIXELS
    data = _saved(image, "PNG", _HURRY if many else _THOROUGH)
    if len(data) > LARGEST and not image.hasAlphaChannel():
        data = _saved(image, "JPEG", _FINE)
    measure(data)
    return data


def _saved(image: QImage, kind: str, quality: int) -> bytes:
    stored = QByteArray()
    buffer = QBuffer(stored)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, kind, quality):  # type: ignore[call-overload]  # its stub wants bytes
        raise NoPictureError(f"it cannot be written as {kind}")
    return bytes(stored.data())


def is_picture(path: Path) -> bool:
    """Return true if a regular file begins like a picture or has the suffix of one. Nothing else is
    opened: a pipe would block."""
    try:
        return looks_like_picture(read_start(path, 16)) or path.suffix.lower() in SUFFIXES
    except OSError:
        return False
