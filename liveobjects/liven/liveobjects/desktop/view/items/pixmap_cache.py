"""Pixmaps of items: painted once, drawn many times while you pan.

A pixmap has the size at which the item is seen, rounded to steps, so that a small zoom repaints nothing. It
is discarded when the item changes, and the least recently used ones when together they are too large."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPixmap

MOST_BYTES = 192 * 1024 * 1024
_LARGEST = 4096
_MOST_OUTDATED = 64


class PixmapCache:
    """Pixmaps by item key."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[float, QSizeF, QPixmap]] = OrderedDict()
        self._bytes = 0
        self._outdated: OrderedDict[str, QPixmap] = OrderedDict()
        """The last pixmaps of items that have changed and were not painted since."""

    def last(self, key: str) -> QPixmap | None:
        """Return the last pixmap of an item, even if the item has changed since."""
        found = self._kept.get(key)
        return self._outdated.get(key) if found is None else found[2]

    def outdate(self, key: str) -> None:
        """Discard the pixmap of a changed item, but remember it as the last one."""
        found = self._kept.get(key)
        self.forget(key)
        if found is not None:
            self._outdated[key] = found[2]
            if len(self._outdated) > _MOST_OUTDATED:
                self._outdated.popitem(last=False)

    def forget(self, key: str) -> None:
        """Discard everything about an item."""
        self._outdated.pop(key, None)
        kept = self._kept.pop(key, None)
        if kept is not None:
            self._bytes -= _weight(kept[2])

    def clear(self) -> None:
        """Discard everything."""
        self._outdated.clear()
        self._kept.clear()
        self._bytes = 0

    def kept(self, key: str, size: QSizeF) -> QPixmap | None:
        """Return a pixmap of this size at any scale, for use when there is no time to paint."""
        found = self._kept.get(key)
        return found[2] if found is not None and found[1] == size else None

    def has(self, key: str, size: QSizeF, scale: float) -> bool:
        """True if there is a pixmap at exactly this scale."""
        found = self._kept.get(key)
        return found is not None and found[0] == _stepped(scale, size) and found[1] == size

    def get(self, key: str, size: QSizeF, scale: float, paint: Callable[[QPainter, QRectF], None]) -> QPixmap:
        """Return the pixmap of an item of `size` on the plane at `scale`; paint it if necessary."""
        step = _stepped(scale, size)
        found = self._kept.get(key)
        if found is not None and found[0] == step and found[1] == size:
            self._kept.move_to_end(key)
            return found[2]
        self.forget(key)
        wide, high = (max(1, math.ceil(one * step)) for one in (size.width(), size.height()))
        made = QPixmap(wide, high)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        painter.scale(step, step)
        paint(painter, QRectF(0, 0, size.width(), size.height()))
        painter.end()
        self._keep(key, step, size, made)
        return made

    def _keep(self, key: str, step: float, size: QSizeF, made: QPixmap) -> None:
        self._kept[key] = step, size, made
        self._bytes += _weight(made)
        while self._bytes > MOST_BYTES and len(self._kept) > 1:
            self.forget(next(iter(self._kept)))


def _stepped(scale: float, size: QSizeF) -> float:
    """Round a scale up to a power of √2, limited so that the pixmap stays within bounds."""
    step = float(2 ** (math.ceil(2 * math.log2(max(scale, 1e-3))) / 2))
    largest = max(size.width(), size.height(), 1.0)
    return min(step, _LARGEST / largest)


def _weight(picture: QPixmap) -> int:
    return picture.width() * picture.height() * 4
