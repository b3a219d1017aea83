"""Thumbnails and texts of items from when they last ran in this program, for places where they do not
run, such as a closed desktop.

They are stored by recipe, in memory only; the oldest are discarded when there are too many or they are too
large together."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPalette, QPixmap
from PySide6.QtWidgets import QApplication

from liven.liveobjects.look.view.light import current_look

MOST: Final = 1000
MOST_BYTES: Final = 48 * 1024 * 1024
LARGEST: Final = 400
"""Pixels of the longer side; larger pictures are scaled down."""
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
        self._kept: OrderedDict[str, Thumbnail] = OrderedDict()
        self._bytes = 0

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
        self._kept[recipe] = kept
        self._bytes += _weight(kept)
        while len(self._kept) > MOST or (self._bytes > MOST_BYTES and len(self._kept) > 1):
            self._bytes -= _weight(self._kept.popitem(last=False)[1])
        self.differ.emit(recipe)

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
