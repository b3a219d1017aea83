"""An index of the items of one state by position, so that each frame quickly finds those in view."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable

from liven.liveobjects.desktop.state import Desktop, Item, Place
from liven.runtime.fold import PersistentMap

Area = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class SpatialIndex:
    """The items of one state, lowest first, with the area that each covers."""

    def __init__(self, state: Desktop) -> None:
        self.items: PersistentMap[str, Item] = state.items
        self.stacked = state.stacked()
        self._reaches = [(*reach(item.place), item) for item in self.stacked]
        self.bounds = extent(self.stacked)

    def of(self, state: Desktop) -> SpatialIndex:
        """Return this index if the items are the same, otherwise a new one."""
        return self if state.items is self.items else SpatialIndex(state)

    def within(self, area: Area, always: Collection[str] = ()) -> list[Item]:
        """Return the items that reach into an area, lowest first, together with those in `always`, which
        are being moved."""
        left, top, right, bottom = area
        return [
            item
            for x0, y0, x1, y1, item in self._reaches
            if (x0 < right and left < x1 and y0 < bottom and top < y1) or item.key in always
        ]


def reach(place: Place) -> Area:
    """Return the bounding box of an item, with its rotation."""
    if not place.degrees:
        return place.x, place.y, place.x + place.width, place.y + place.height
    x, y = place.x + place.width / 2, place.y + place.height / 2
    turned = math.radians(place.degrees)
    across, down = abs(math.cos(turned)), abs(math.sin(turned))
    half_width = (place.width * across + place.height * down) / 2
    half_height = (place.width * down + place.height * across) / 2
    return x - half_width, y - half_height, x + half_width, y + half_height


def extent(items: Iterable[Item]) -> Area:
    """Return the bounding box of all items, with their rotation; zeros if there are none."""
    reaches = [reach(item.place) for item in items]
    if not reaches:
        return 0.0, 0.0, 0.0, 0.0
    lefts, tops, rights, bottoms = zip(*reaches, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
