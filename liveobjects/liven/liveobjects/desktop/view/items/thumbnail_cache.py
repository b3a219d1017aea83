"""Thumbnails and texts of items from when they last ran, for places where they do not run, such as a closed
desktop.

They are stored by recipe: in memory, where the oldest are discarded when there are too many or they are too
large together, and the pictures also on disk, if the program provides a folder."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import blake2b
from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPalette, QPixmap
from PySide6.QtWidgets import QApplication

from liven.liveobjects.channel.api.encryption import is_unencrypted
from liven.liveobjects.desktop.search.item_files import file_name
from liven.liveobjects.desktop.search.picture_store import PictureStore
from liven.liveobjects.look.view.light import current_look

MOST: Final = 1000
MOST_BYTES: Final = 48 * 1024 * 1024
LARGEST: Final = 400
"""Pixels of the longer side; larger pictures are scaled down."""
_PACKED: Final = 80
"""The looseness of packed files, of 100: a third larger than at best, in a fifth of the time."""
LETTERS: Final = 400
"""Letters kept of each text."""


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """The last picture and text of one item."""

    picture: QImage | None
    source: QRectF
    """The part of the picture that is shown."""
    words: str
    colours: Hashable
    """The colours it was painted in."""
    parts: tuple[str, ...] = ()
    """The recipes of the parts that the picture may show."""


class ThumbnailCache(QObject):
    """All thumbnails of this program."""

    differ = Signal(str)
    """Emitted with a recipe that has a new thumbnail."""

    def __init__(self) -> None:
        super().__init__()
        self.store: PictureStore | None = None
        self._kept: OrderedDict[str, Thumbnail] = OrderedDict()
        self._bytes = 0
        self._looked_for: set[str] = set()
        """The files that were looked for in this run."""

    def keep(self, recipe: str, picture: QPixmap | None, words: str, parts: tuple[str, ...] = ()) -> None:
        """Remember the last picture and text of an item that stops, and the parts in the picture. Without a
        new picture, the previous one stays."""
        before = self._kept.pop(recipe, None)
        self._bytes -= _weight(before)
        words = " ".join(words[: 4 * LETTERS].split(" "))[:LETTERS].strip()
        if picture is not None:
            kept = Thumbnail(*_small(picture), words, current_colours(), parts)
        elif before is not None:
            kept = Thumbnail(before.picture, before.source, words, before.colours, before.parts)
        else:
            kept = Thumbnail(None, QRectF(), words, ())
        if picture is not None and kept.picture is not None:
            self._write(recipe, kept.picture, (recipe, *parts))
        self._put(recipe, kept)

    def fetch(self, recipes: Iterable[str]) -> None:
        """Look on disk, in a worker, for pictures in the present colours that are not known."""
        if self.store is None:
            return
        for recipe in recipes:
            name, known = _file(recipe), self._kept.get(recipe)
            if name not in self._looked_for and (known is None or known.picture is None):
                self._looked_for.add(name)
                self.store.load(name, partial(self._had, recipe, current_colours()))

    def forget(self, recipe: str) -> None:
        """Forget the picture of an item that was removed, also on disk."""
        self._bytes -= _weight(self._kept.pop(recipe, None))
        if self.store is not None:
            self.store.drop(_file(recipe))

    def _had(self, recipe: str, colours: Hashable, data: bytes) -> None:
        """Take a picture from disk, unless the item has run meanwhile."""
        known = self._kept.get(recipe)
        image = QImage.fromData(data)
        if (known is None or known.picture is None) and not image.isNull():
            words = "" if known is None else known.words
            self._kept.pop(recipe, None)
            self._put(recipe, Thumbnail(image, QRectF(image.rect()), words, colours))

    def _put(self, recipe: str, kept: Thumbnail) -> None:
        self._kept[recipe] = kept
        self._bytes += _weight(kept)
        while len(self._kept) > MOST or (self._bytes > MOST_BYTES and len(self._kept) > 1):
            self._bytes -= _weight(self._kept.popitem(last=False)[1])
        self.differ.emit(recipe)

    def _write(self, recipe: str, picture: QImage, shown: tuple[str, ...]) -> None:
        """Write a picture, unless something that it shows is encrypted; then an older one goes, too."""
        if self.store is None:
            return
        if all(is_unencrypted(one) for one in shown):
            self.store.keep(_file(recipe), partial(_encoded, picture))
        else:
            self.store.drop(_file(recipe))

    def of(self, recipe: str) -> Thumbnail | None:
        """Return the thumbnail of a recipe; None if it did not run."""
        return self._kept.get(recipe)


@lru_cache(maxsize=1)
def thumbnails() -> ThumbnailCache:
    """Return the cache of this program."""
    return ThumbnailCache()


def current_colours() -> Hashable:
    """Return what identifies the current colours. A thumbnail in other colours, such as a white page on a
    dark desktop, is not used."""
    palette = QApplication.palette()
    roles = (QPalette.ColorRole.Base, QPalette.ColorRole.Text)
    return (current_look().name, *(palette.color(role).rgba() for role in roles))


def _file(recipe: str) -> str:
    """Return the name of the file with the picture of an item in the present colours."""
    colours = blake2b(repr(current_colours()).encode(), digest_size=4).hexdigest()
    return f"{file_name(recipe)}-{colours}"


def _encoded(picture: QImage) -> bytes:
    """Return a picture as the bytes of a file. It runs in a worker."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG", _PACKED)  # type: ignore[call-overload]  # its stub wants bytes
    return bytes(buffer.data().data())


def _small(picture: QPixmap) -> tuple[QImage, QRectF]:
    """Return the image and its area. Images that are too large are scaled in two steps, because smooth
    scaling is slow."""
    image = picture.toImage()
    wide, high = image.width(), image.height()
    if max(wide, high) <= LARGEST:
        return image, QRectF(0, 0, wide, high)
    size = QSize(wide, high).scaled(LARGEST, LARGEST, Qt.AspectRatioMode.KeepAspectRatio)
    rough = image.scaled((size * 2).boundedTo(QSize(wide, high)))
    how = Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    made = rough.scaled(size.expandedTo(QSize(1, 1)), *how)
    return made, QRectF(made.rect())


def _weight(look: Thumbnail | None) -> int:
    return 0 if look is None or look.picture is None else look.picture.sizeInBytes()
