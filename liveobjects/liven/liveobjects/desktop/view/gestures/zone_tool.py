"""Presses on the zones of items: a click acts in the item at once, a drag moves the item."""

from __future__ import annotations

from typing import Final, Protocol

from PySide6.QtCore import QPointF, QRectF, Qt

from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view.geometry import rect, unturned
from liven.liveobjects.desktop.view.gestures.gesture import GestureCanvas
from liven.liveobjects.desktop.view.gestures.move_items import MoveItems
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.view.zones import Zone

THRESHOLD: Final = 5
"""Pixels of the window that the mouse may move during a click."""
SMALLEST: Final = 14.0
"""Pixels of the window under which a zone does not act: zoomed out so far, a click is meant for the item."""


class ZoneCanvas(GestureCanvas, Protocol):
    """The part of the canvas that presses on zones need."""

    @property
    def item_views(self) -> ItemViews: ...

    def write_in_zone(self, key: str, zone: Zone) -> None: ...


class PressZone(MoveItems):
    """Presses a zone when the button is released where it was pressed; otherwise moves the selection."""

    cursor = Qt.CursorShape.PointingHandCursor

    def __init__(self, canvas: ZoneCanvas, start: QPointF, key: str, zone: Zone) -> None:
        super().__init__(canvas, start)
        self._views = canvas.item_views
        self._write = canvas.write_in_zone
        self._key = key
        self._zone = zone
        self._away = False

    def follow(self, point: QPointF, keys: Qt.KeyboardModifier) -> None:
        super().follow(point, keys)
        self._away = self._away or (point - self.start).manhattanLength() > THRESHOLD

    def end(self) -> None:
        super().end()
        if not self._away and self._zone.is_field:
            self._write(self._key, self._zone)
        elif not self._away:
            self._views.press_zone(self._key, self._zone.key)


def zone_at(canvas: ZoneCanvas, item: Item, point: QPointF) -> Zone | None:
    """Return the zone of an item at a point of the window."""
    place = rect(item.place)
    inside = unturned(item.place, canvas.camera.to_plane(point)) - place.topLeft()
    zone = canvas.item_views.zone_at(item.key, QRectF(0, 0, place.width(), place.height()), inside)
    if zone is None or min(zone.area.width(), zone.area.height()) * canvas.camera.zoom < SMALLEST:
        return None
    return zone
