"""Areas, turns and heads of lines, computed while a board is read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, TypeAlias

from liven.liveobjects.desktop.state import Place

Spot: TypeAlias = tuple[float, float]
_LEAST: Final = 1.0
"""The smallest side of an item."""
_HEAD, _SPREAD = 16.0, math.radians(25)
"""The length of a drawn arrow head, and the angle of its sides to the line."""


def area_of(x: float, y: float, width: float, height: float, degrees: float = 0.0) -> Place:
    """Return a place for an area, whose sides may be negative, zero or turned."""
    left, top = min(x, x + width), min(y, y + height)
    return Place(left, top, max(abs(width), _LEAST), max(abs(height), _LEAST), degrees % 360)


def turned_about(points: Sequence[Spot], angle: float) -> list[Spot]:
    """Return points turned about the middle of their area, by an angle in radians."""
    if not angle or not points:
        return list(points)
    across, down = [x for x, _ in points], [y for _, y in points]
    x, y = (min(across) + max(across)) / 2, (min(down) + max(down)) / 2
    return [_turned((px - x, py - y), angle, (x, y)) for px, py in points]


def arrow_head(tip: Spot, beyond: Spot) -> list[Spot]:
    """Return the head of an arrow that comes from `beyond`, as a line over its tip."""
    back = math.atan2(beyond[1] - tip[1], beyond[0] - tip[0])
    length = min(_HEAD, math.dist(tip, beyond))
    sides = [
        (tip[0] + length * math.cos(back + turn), tip[1] + length * math.sin(back + turn))
        for turn in (_SPREAD, -_SPREAD)
    ]
    return [sides[0], tip, sides[1]]


def bounds_of(points: Sequence[tuple[float, ...]]) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of points."""
    across, down = [point[0] for point in points], [point[1] for point in points]
    return min(across), min(down), max(across), max(down)


class Coordinates:
    """A turned and shifted system of coordinates, such as that of a frame's contents."""

    def __init__(self, x: float = 0.0, y: float = 0.0, angle: float = 0.0) -> None:
        self._at = (x, y)
        self.angle = angle

    def point(self, x: float, y: float) -> Spot:
        """Return a point of these coordinates on the plane."""
        return _turned((x, y), self.angle, self._at)

    def inside(self, x: float, y: float, angle: float) -> Coordinates:
        """Return coordinates that are turned and shifted in these."""
        return Coordinates(*self.point(x, y), self.angle + angle)

    def place(self, width: float, height: float) -> Place:
        """Return the place of an area of this size at the origin. Items turn about their middle."""
        x, y = self.point(width / 2, height / 2)
        return area_of(x - width / 2, y - height / 2, width, height, math.degrees(self.angle))


def _turned(point: Spot, angle: float, at: Spot) -> Spot:
    sine, cosine = math.sin(angle), math.cos(angle)
    return at[0] + point[0] * cosine - point[1] * sine, at[1] + point[0] * sine + point[1] * cosine
