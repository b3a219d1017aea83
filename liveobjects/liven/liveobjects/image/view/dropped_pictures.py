"""The pictures in a drop or on the clipboard: files and raw pictures."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QImage

from liven.liveobjects.image.picture_header import LARGEST, looks_like_picture, measure
from liven.liveobjects.image.view.decoding import SUFFIXES, check_whole, encode, is_picture, load, unpacked

_FILES = ("image/png", "image/jpeg", "image/webp", "image/gif", "image/bmp")
"""Formats that other programs provide as encoded files, which rarely need encoding again."""


class DroppedPicture:
    """One picture in a drop. `read` returns its bytes, in a worker."""

    def __init__(self, source: Path | QImage | bytes, name: str = "", recipe: str = "") -> None:
        """Hold a file, a picture, or the bytes of a picture file. A picture with a `recipe` goes into that
        image, which exists already."""
        self._source = source
        self.name = name or (source.name if isinstance(source, Path) else "")
        self.recipe = recipe

    def read(self) -> bytes:
        """Return the bytes of the picture file. Raise NoPictureError if there is no accepted picture."""
        if isinstance(self._source, bytes):
            return self._packed(self._source)
        return load(self._source) if isinstance(self._source, Path) else encode(self._source)

    def _packed(self, data: bytes) -> bytes:
        """Return the given bytes, or encode them again if they are larger than necessary."""
        if len(data) > LARGEST or measure(data).kind == "bmp":
            return encode(unpacked(data))
        check_whole(data)
        return data


def pictures_in(data: QMimeData) -> list[DroppedPicture]:
    """Return the pictures in a drop or on the clipboard: files first, because they have names, then encoded
    pictures."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    files = [DroppedPicture(path) for path in paths if is_picture(path)]
    if files:
        return files
    for kind in _FILES:
        packed = bytes(data.data(kind).data()) if data.hasFormat(kind) else b""
        if looks_like_picture(packed):
            return [DroppedPicture(packed)]
    image = data.imageData() if data.hasImage() else None
    return [DroppedPicture(image)] if isinstance(image, QImage) else []


def may_have_picture(data: QMimeData) -> bool:
    """Return true if a drag may contain a picture. Open no files: they may be on a slow network."""
    named = [url.toLocalFile().lower() for url in data.urls() if url.isLocalFile()]
    return data.hasImage() or any(name.endswith(SUFFIXES) for name in named)
