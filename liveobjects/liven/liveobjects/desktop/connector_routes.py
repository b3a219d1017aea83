"""The lines of connectors between items, computed once for each state and looked up in every frame."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeAlias

from liven.liveobjects.desktop.spatial_index import Area
from liven.liveobjects.desktop.state import Desktop, Item, Link, Place
from liven.runtime.fold import PersistentMap

Line: TypeAlias = tuple[float, float, float, float]
"""Start and end: x, y, x, y."""
AROUND = 12.0
"""Distance that an arrow head reaches from its line."""
MOST = 2000
"""Connectors painted at most; among more, nobody could tell one from another."""


class ConnectorRoutes:
    """The lines of all connectors of one state, ordered by key."""

    def __init__(self, state: Desktop) -> None:
        self._items: PersistentMap[str, Item] = state.items
        self._links: PersistentMap[str, Link] = state.links
        places = {key: item.place for key, item in state.items.items()} if state.links else {}
        self._lines = [
            (link, line_between(places[link.source], places[link.target]))
            for link in sorted(state.links.values(), key=lambda link: link.key)
        ]

    def of(self, state: Desktop) -> ConnectorRoutes:
        """Return these routes if items and connectors are the same, otherwise new ones."""
        same = state.items is self._items and state.links is self._links
        return self if same else ConnectorRoutes(state)

    def within(self, area: Area, moved: Mapping[str, Place]) -> list[tuple[Link, Line]]:
        """Return the connectors that may be visible in an area. `moved` has the places of items that are
        being moved."""
        left, top, right, bottom = area
        left, top, right, bottom = left - AROUND, top - AROUND, right + AROUND, bottom + AROUND
        lines = self._with(moved) if moved else self._lines
        return [
            (link, line)
            for link, line in lines
            if (line[0] < right or line[2] < right)
            and (line[0] > left or line[2] > left)
            and (line[1] < bottom or line[3] < bottom)
            and (line[1] > top or line[3] > top)
        ][-MOST:]

    def _with(self, moved: Mapping[str, Place]) -> list[tuple[Link, Line]]:
        def place(key: str) -> Place:
            return moved.get(key) or self._items[key].place

        return [
            (link, line_between(place(link.source), place(link.target)))
            if link.source in moved or link.target in moved
            else (link, line)
            for link, line in self._lines
        ]


def line_between(source: Place, target: Place) -> Line:
    """Return the line from the edge of one item to the edge of another, on the line between their
    centres."""
    x0, y0 = source.x + source.width / 2, source.y + source.height / 2
    x1, y1 = target.x + target.width / 2, target.y + target.height / 2
    return *_leaving(source, x0, y0, x1 - x0, y1 - y0), *_leaving(target, x1, y1, x0 - x1, y0 - y1)


def _leaving(place: Place, x: float, y: float, dx: float, dy: float) -> tuple[float, float]:
    """Return the point where a ray from the centre of an item leaves it, with its rotation; the centre if
    the ray ends inside."""
    turn = math.radians(place.degrees)
    along = dx * math.cos(turn) + dy * math.sin(turn)
    across = dy * math.cos(turn) - dx * math.sin(turn)
    reach = max(2 * abs(along) / max(place.width, 1e-9), 2 * abs(across) / max(place.height, 1e-9))
    return (x + dx / reach, y + dy / reach) if reach > 1 else (x, y)


def distance_to_line(x: float, y: float, line: Line) -> float:
    """Return the distance of a point from a line segment."""
    x0, y0, x1, y1 = line
    dx, dy = x1 - x0, y1 - y0
    length = dx * dx + dy * dy
    share = 0.0 if not length else min(max(((x - x0) * dx + (y - y0) * dy) / length, 0.0), 1.0)
    return float(((x0 + share * dx - x) ** 2 + (y0 + share * dy - y) ** 2) ** 0.5)
