"""Pictures in what is dropped or pasted: files, and pictures as such."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QDropEvent, QImage

from liven.liveobjects.image.picture_header import LARGEST, looks_like_picture, measure
from liven.liveobjects.image.view.decoding import SUFFIXES, check_whole, encode, is_picture, load, unpacked

_FILES = ("image/png", "image/jpeg", "image/webp", "image/gif", "image/bmp")
"""What other programs give as the bytes of a file, which is rarely to be unpacked and packed again."""


class Offered:
    """One picture that somebody offers; `read` gets its bytes, in a worker."""

    def __init__(self, source: Path | QImage | bytes) -> None:
        """A file, a picture, or what a file of one holds."""
        self._source = source
        self.name = source.name if isinstance(source, Path) else ""

    def read(self) -> bytes:
        """The bytes of its file; NoPictureError says why there are none."""
        if isinstance(self._source, bytes):
            return self._packed(self._source)
        return load(self._source) if isinstance(self._source, Path) else encode(self._source)

    def _packed(self, data: bytes) -> bytes:
        """As it is, unless it is larger than it need be."""
        if len(data) > LARGEST or measure(data).kind == "bmp":
            return encode(unpacked(data))
        check_whole(data)
        return data


def pictures_in(data: QMimeData) -> list[Offered]:
    """The pictures in a drop or on the clipboard; files first, since they have names, then what is packed."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    files = [Offered(path) for path in paths if is_picture(path)]
    if files:
        return files
    for kind in _FILES:
        packed = bytes(data.data(kind).data()) if data.hasFormat(kind) else b""
        if looks_like_picture(packed):
            return [Offered(packed)]
    image = data.imageData() if data.hasImage() else None
    return [Offered(image)] if isinstance(image, QImage) else []


def may_have_picture(data: QMimeData) -> bool:
    """Whether to say yes to a drag; opens no file, for it may be far away."""
    named = [url.toLocalFile().lower() for url in data.urls() if url.isLocalFile()]
    return data.hasImage() or any(name.endswith(SUFFIXES) for name in named)


def take_copy(event: QDropEvent) -> None:
    """Takes a drag or a drop as a copy, whatever is proposed: told of a move, the source would delete what it
    has, such as the file of which we keep only the picture."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()


def leave(event: QDropEvent) -> None:
    """Refuses a drop, so that the source keeps what it has."""
    event.setDropAction(Qt.DropAction.IgnoreAction)
    event.ignore()
