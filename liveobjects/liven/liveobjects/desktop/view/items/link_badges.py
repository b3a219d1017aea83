"""Badges on items that show an object which is on this desktop more than once.

A change in one of them is a change in all. A badge is two rings that hold each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Protocol

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter, QPalette, QPen
from PySide6.QtWidgets import QApplication

from liven.liveobjects.copying.deep_copy import things_of
from liven.liveobjects.copying.recipe import name_of_channel, own_channel
from liven.liveobjects.desktop.state import Desktop, Item, Place
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.geometry import rect
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Reference
from liven.runtime.reference.xml import read_object

SIZE: Final = QSizeF(26, 18)
"""Pixels of a badge, the same at every zoom."""
_SMALLEST: Final = 40.0
"""Pixels of the shorter side of an item below which it bears no badge."""


class LinkCanvas(Protocol):
    """The part of the canvas that these badges need."""

    @property
    def state(self) -> Desktop: ...

    @property
    def camera(self) -> Camera: ...

    def place_of(self, item: Item) -> Place: ...


class LinkBadges:
    """The badges of one canvas."""

    def __init__(self, canvas: LinkCanvas) -> None:
        self._canvas = canvas
        self._items: object = None
        self._twice: frozenset[str] = frozenset()
        """The keys of items whose object is here more than once."""

    def words(self, item: Item) -> str:
        """Return what a badge says, for screen readers; empty for an item without one."""
        return "The same object is here more than once" if item.key in self._linked() else ""

    def places(self) -> Iterator[QRectF]:
        """Yield the place of each badge in the window."""
        for key in self._linked():
            item = self._canvas.state.items[key]
            seen = self._canvas.camera.transform().mapRect(rect(self._canvas.place_of(item)))
            if min(seen.width(), seen.height()) >= _SMALLEST:
                yield QRectF(QPointF(seen.left() - 6, seen.bottom() - SIZE.height() + 6), SIZE)

    def paint(self, painter: QPainter) -> None:
        """Paint the badges at the lower left corners."""
        palette = QApplication.palette()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for area in self.places():
            painter.setPen(QPen(palette.color(QPalette.ColorRole.ToolTipText), 1.5))
            painter.setBrush(palette.toolTipBase())
            painter.drawRoundedRect(area, 5, 5)
            for across in (-3.0, 3.0):
                painter.drawEllipse(area.center() + QPointF(across, 0), 5, 4)
        painter.restore()

    def _linked(self) -> frozenset[str]:
        items = self._canvas.state.items
        if self._items is not items:
            channels = {key: channel_of(item.reference) for key, item in items.items()}
            counts = Counter(filter(None, channels.values()))
            self._twice = frozenset(key for key, channel in channels.items() if counts[channel] > 1)
            self._items = items
        return self._twice


@lru_cache(maxsize=4096)
def channel_of(reference: str) -> str:
    """Return the name of the channel of an object, which tells it from others; empty if it has none."""
    try:
        thing = read_object(reference)
    except ReadError:
        return ""
    owns = (own_channel(one.recipe) for one in things_of(thing) if isinstance(one.recipe, Reference))
    return next((name_of_channel(own) for own in owns if own is not None), "")
