"""Ink: one stroke of a pen, with the pressure where the pen tells it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from liven.liveobjects.desktop.state import Place

MOST_POINTS: Final = 1_000
"""Points of one stroke: a longer one is drawn as several."""
MOST_STROKES: Final = 20_000
"""Strokes on one desktop, with the ink of a thick book of notes."""
WIDTHS: Final = {"fine": 2.0, "medium": 4.0, "broad": 8.0}
USUAL_WIDTH: Final = "medium"
PLAIN: Final = 0.5
"""The pressure of a pen that tells none."""
_STEPS: Final = 10_000
"""Steps of a coordinate over the area of a stroke."""
_LEVELS: Final = 100
"""Steps of pressure."""


class Point(NamedTuple):
    """A point of a stroke: 0 to 1 from left to right and from top to bottom of its area, and the pressure."""

    x: float
    y: float
    pressure: float = PLAIN


@dataclass(frozen=True, slots=True)
class Ink:
    """One stroke."""

    points: tuple[Point, ...]
    hue: str = ""
    width: str = USUAL_WIDTH

    @property
    def thickness(self) -> float:
        """The width of the line at the usual pressure."""
        return WIDTHS.get(self.width, WIDTHS[USUAL_WIDTH])

    @property
    def is_even(self) -> bool:
        """True for a stroke of one width."""
        return len({point.pressure for point in self.points}) <= 1

    def placed(self, width: float, height: float) -> list[tuple[float, float, float]]:
        """Return the points in an area of this size, each with the width of the line there. The line lies
        inside the area."""
        inset = min(self.thickness * widest(self.points) / 2, width / 2, height / 2)
        wide, high = width - 2 * inset, height - 2 * inset
        return [
            (inset + one.x * wide, inset + one.y * high, self.thickness * stretch(one.pressure))
            for one in self.points
        ]

    def touches(
        self, x: float, y: float, width: float, height: float, near: float, *, has_text: bool = False
    ) -> bool:
        """Return true if a point, taken from the upper left corner, is near the line."""
        del has_text
        points = self.placed(width, height)
        reach = near + self.thickness / 2
        if len(points) == 1:
            return math.dist(points[0][:2], (x, y)) <= reach
        return any(_far(x, y, start, end) <= reach for start, end in pairwise(points))


def stretch(pressure: float) -> float:
    """Return the factor of the width of a line at a pressure of 0 to 1."""
    return 0.4 + 1.2 * min(max(pressure, 0.0), 1.0)


def widest(points: Sequence[Point]) -> float:
    """Return the largest factor of the width in a stroke."""
    return max((stretch(point.pressure) for point in points), default=1.0)


def stroke(points: Sequence[tuple[float, float, float]], pen: Ink) -> tuple[Ink, Place]:
    """Return the ink of a line on the plane, with the hue and the width of a pen, and its place."""
    pressures = [point[2] for point in points]
    inset = pen.thickness * max(stretch(pressure) for pressure in pressures) / 2
    left, top = (min(point[axis] for point in points) for axis in (0, 1))
    right, bottom = (max(point[axis] for point in points) for axis in (0, 1))
    wide, high = right - left, bottom - top
    made = tuple(
        Point((x - left) / wide if wide else 0.5, (y - top) / high if high else 0.5, pressure)
        for x, y, pressure in points
    )
    place = Place(left - inset, top - inset, wide + 2 * inset, high + 2 * inset)
    return Ink(made, pen.hue, pen.width), place


def smoothed(points: Sequence[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    """Return a drawn line without the tremble of a hand: each point in the middle of its neighbours."""
    if len(points) < 3:
        return list(points)
    inner = [
        tuple((a + 2 * b + c) / 4 for a, b, c in zip(*three, strict=True))
        for three in zip(points, points[1:], points[2:], strict=False)
    ]
    return [points[0], *((x, y, p) for x, y, p in inner), points[-1]]


def thinned(points: Sequence[tuple[float, float, float]], off: float) -> list[tuple[float, float, float]]:
    """Return as few of the points as make a line that is nowhere `off` by more than this, and at most the
    points of one stroke (Douglas and Peucker)."""
    while len(made := _thinned(points, off)) > MOST_POINTS:
        off *= 1.5
    return made


def _thinned(points: Sequence[tuple[float, float, float]], off: float) -> list[tuple[float, float, float]]:
    if len(points) < 3:
        return list(points)
    kept = {0, len(points) - 1}
    parts = [(0, len(points) - 1)]
    while parts:
        first, last = parts.pop()
        start, end = points[first], points[last]
        far, at = max(
            ((_far(*points[at][:2], start, end), at) for at in range(first + 1, last)), default=(0.0, 0)
        )
        if far > off:
            kept.add(at)
            parts += [(first, at), (at, last)]
    return [points[at] for at in sorted(kept)]


def encoded(points: Sequence[Point]) -> str:
    """Return points as they stand in a recipe: "x,y" or "x,y,pressure", as whole numbers."""
    plain = round(PLAIN * _LEVELS)
    found: list[str] = []
    for one in points:
        x, y, pressure = round(one.x * _STEPS), round(one.y * _STEPS), round(one.pressure * _LEVELS)
        found.append(f"{x},{y}" if pressure == plain else f"{x},{y},{pressure}")
    return " ".join(found)


def decoded(text: str) -> tuple[Point, ...]:
    """Return the points in a recipe; none if it is damaged or has too many."""
    parts = text.split()
    if len(parts) > MOST_POINTS:
        return ()
    made: list[Point] = []
    for part in parts:
        numbers = part.split(",")
        if len(numbers) not in (2, 3) or not all(one.isascii() and one.isdigit() for one in numbers):
            return ()
        x, y, *rest = (int(one[:6]) for one in numbers)
        if max(x, y) > _STEPS:
            return ()
        made.append(Point(x / _STEPS, y / _STEPS, min(rest[0] / _LEVELS, 1.0) if rest else PLAIN))
    return tuple(made)


def _far(x: float, y: float, start: tuple[float, float, float], end: tuple[float, float, float]) -> float:
    """Return the distance of a point from the line between two points."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    along = 0.0 if not length else min(max(((x - start[0]) * dx + (y - start[1]) * dy) / length, 0.0), 1.0)
    return math.hypot(x - start[0] - along * dx, y - start[1] - along * dy)
