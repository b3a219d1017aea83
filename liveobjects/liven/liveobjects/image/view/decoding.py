"""Decoding and encoding of pictures, for workers: nothing here touches a window."""

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
"""Pixels of the longer side in the smallest decoding; larger ones double this."""
MANY_PIXELS: Final = 4_000_000
"""A picture of more than that is packed in a hurry: a fifth larger, in an eighth of the time."""
_HURRY, _THOROUGH, _FINE = 89, -1, 95
SUFFIXES: Final = (".png", ".jpg", ".jpeg", ".jfif", ".gif", ".webp", ".bmp")


def step_for(pixels: float) -> int:
    """How fine a picture is decoded when its longer side is seen with so many pixels."""
    step = COARSEST
    while step < pixels:
        step *= 2
    return step


def decode(data: bytes, step: int) -> QImage:
    """The picture, its longer side at most `step`; NoPictureError when it is broken, or not what it says."""
    return _read(data, measure(data), step)


def unpacked(data: bytes) -> QImage:
    """All pixels of a picture, however large its file is."""
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
        raise NoPictureError("it says two things of how large it is")
    if max(size.width(), size.height()) > step:
        reader.setScaledSize(
            size.scaled(step, step, Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1))
        )
    image = reader.read()
    if image.isNull():
        raise NoPictureError(f"it is broken: {reader.errorString().lower()}")
    return image


def check_whole(data: bytes) -> None:
    """NoPictureError for a picture of which a part lacks, or which is damaged: nobody could see it. Of a JPEG
    and of a GIF, what is there can be seen."""
    try:
        decode(data, COARSEST)
    except NoPictureError as why:
        raise NoPictureError(
            f"not all of it is there, or it is damaged ({why}). Get it anew from where it came from, and take"
            " that; here nothing has changed"
        ) from None


def load(path: Path) -> bytes:
    """The bytes of a picture's file; NoPictureError for what is not taken in, before all of it is read where
    its head says so."""
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
    """A picture from the clipboard as a file: as PNG; a photograph whose PNG would be too large, as JPEG."""
    if image.isNull():
        raise NoPictureError("the clipboard holds a picture that cannot be read")
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
    """Whether a file begins as a picture does, or is called as one. What is no file is not opened: a pipe
    would wait for who writes into it."""
    try:
        return looks_like_picture(read_start(path, 16)) or path.suffix.lower() in SUFFIXES
    except OSError:
        return False
