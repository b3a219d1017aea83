"""The routes of connectors between items, computed once for each state and looked up in every frame."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from liven.liveobjects.desktop.spatial_index import Area
from liven.liveobjects.desktop.state import Desktop, Link, Place

Line: TypeAlias = tuple[float, float, float, float]
"""Start and end: x, y, x, y."""
Point: TypeAlias = tuple[float, float]
AROUND = 12.0
"""Distance that an arrow head reaches from its line."""
MOST = 2000
"""Connectors painted at most; among more, nobody could tell one from another."""
_PARTS = 20
"""The straight parts of a curve, for clicks and names."""
_LEAST_BEND = 24.0
"""The distance for which a curve leaves an item straight on, at least."""


@dataclass(frozen=True)
class Route:
    """The way of one connector: the points between which it is straight, or the four of a cubic curve."""

    shape: str
    bends: tuple[Point, ...]

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """The ends of straight parts that are as good as the way."""
        return _parts(self.bends) if self.shape == "curve" else self.bends

    @property
    def line(self) -> Line:
        """The straight line from start to end."""
        return *self.bends[0], *self.bends[-1]

    @property
    def middle(self) -> tuple[Point, Line]:
        """The point half-way, and the straight part on which it lies."""
        parts = list(pairwise(self.points))
        lengths = [math.dist(*part) for part in parts]
        left = sum(lengths) / 2
        for (start, end), length in zip(parts, lengths, strict=True):
            if left <= length and length:
                share = left / length
                point = start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
                return point, (*start, *end)
            left -= length
        return self.points[-1], self.line

    def distance(self, x: float, y: float) -> float:
        """Return the distance of a point from the way."""
        return min(distance_to_line(x, y, (*start, *end)) for start, end in pairwise(self.points))

    def may_reach(self, area: Area) -> bool:
        """Return False if the way surely lies outside an area."""
        left, top, right, bottom = area
        across, down = [x for x, _ in self.bends], [y for _, y in self.bends]
        return min(across) < right and max(across) > left and min(down) < bottom and max(down) > top


class ConnectorRoutes:
    """The routes of all connectors of one state, ordered by key."""

    def __init__(self, state: Desktop) -> None:
        self._state = state
        places = {key: item.place for key, item in state.items.items()} if state.links else {}
        self._routes = [
            (link, route_between(state.style_of(link).shape, places[link.source], places[link.target]))
            for link in sorted(state.links.values(), key=lambda link: link.key)
        ]

    def of(self, state: Desktop) -> ConnectorRoutes:
        """Return these routes if items and connectors are the same, otherwise new ones."""
        mine = self._state
        same = state.items is mine.items and state.links is mine.links and state.styles is mine.styles
        return self if same else ConnectorRoutes(state)

    def within(self, area: Area, moved: Mapping[str, Place]) -> list[tuple[Link, Route]]:
        """Return the connectors that may be visible in an area. `moved` has the places of items that are
        being moved."""
        left, top, right, bottom = area
        around = left - AROUND, top - AROUND, right + AROUND, bottom + AROUND
        routes = self._with(moved) if moved else self._routes
        return [(link, route) for link, route in routes if route.may_reach(around)][-MOST:]

    def _with(self, moved: Mapping[str, Place]) -> list[tuple[Link, Route]]:
        def place(key: str) -> Place:
            return moved.get(key) or self._state.items[key].place

        return [
            (link, route_between(self._state.style_of(link).shape, place(link.source), place(link.target)))
            if link.source in moved or link.target in moved
            else (link, route)
            for link, route in self._routes
        ]


def route_between(shape: str, source: Place, target: Place) -> Route:
    """Return the route of a connector with one of the shapes."""
    across = _across(source, target)
    if shape == "straight" or across is None:
        x0, y0, x1, y1 = line_between(source, target)
        return Route("straight", ((x0, y0), (x1, y1)))
    start, end = _sides(source, target, across=across)
    return Route(
        shape, _curve(start, end, across=across) if shape == "curve" else _corners(start, end, across=across)
    )


def _across(source: Place, target: Place) -> bool | None:
    """Return True if the way from one item to the other is more across than down; None if they overlap."""
    (x0, y0), (x1, y1) = _centre(source), _centre(target)
    dx = abs(x1 - x0) - (source.width + target.width) / 2
    dy = abs(y1 - y0) - (source.height + target.height) / 2
    return None if max(dx, dy) <= 0 else dx >= dy


def _sides(source: Place, target: Place, *, across: bool) -> tuple[Point, Point]:
    """Return the middles of the sides that face each other."""
    (x0, y0), (x1, y1) = _centre(source), _centre(target)
    dx, dy = (math.copysign(1e9, x1 - x0), 0.0) if across else (0.0, math.copysign(1e9, y1 - y0))
    return _leaving(source, x0, y0, dx, dy), _leaving(target, x1, y1, -dx, -dy)


def _curve(start: Point, end: Point, *, across: bool) -> tuple[Point, ...]:
    (x0, y0), (x1, y1) = start, end
    far = x1 - x0 if across else y1 - y0
    bend = math.copysign(max(abs(far) / 2, _LEAST_BEND), far)
    if across:
        return start, (x0 + bend, y0), (x1 - bend, y1), end
    return start, (x0, y0 + bend), (x1, y1 - bend), end


def _corners(start: Point, end: Point, *, across: bool) -> tuple[Point, ...]:
    (x0, y0), (x1, y1) = start, end
    if abs(y1 - y0 if across else x1 - x0) < 1:
        return start, end
    if across:
        half = (x0 + x1) / 2
        return start, (half, y0), (half, y1), end
    half = (y0 + y1) / 2
    return start, (x0, half), (x1, half), end


def _parts(bends: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return points on a cubic curve."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = bends
    made = []
    for part in range(_PARTS + 1):
        t = part / _PARTS
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        made.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
    return tuple(made)


def line_between(source: Place, target: Place) -> Line:
    """Return the line from the edge of one item to the edge of another, on the line between their
    centres."""
    (x0, y0), (x1, y1) = _centre(source), _centre(target)
    return *_leaving(source, x0, y0, x1 - x0, y1 - y0), *_leaving(target, x1, y1, x0 - x1, y0 - y1)


def _centre(place: Place) -> Point:
    return place.x + place.width / 2, place.y + place.height / 2


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
