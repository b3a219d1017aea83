"""Finding room on a desktop: where a new thing lies without covering others, near to where one looks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from liven.liveobjects.desktop.state import Item

GAP = 20.0
STEP = 40.0
_RINGS = 30


def room_for(items: Iterable[Item], width: float, height: float, x: float, y: float) -> tuple[float, float]:
    """The upper left corner, near to x and y, where a thing of this size covers nothing; where all is full,
    x and y."""
    reach = STEP * _RINGS + GAP
    places = [item.place for item in items]
    near = [
        (one.x - GAP, one.y - GAP, one.x + one.width + GAP, one.y + one.height + GAP)
        for one in places
        if x - reach < one.x + one.width
        and one.x < x + width + reach
        and y - reach < one.y + one.height
        and one.y < y + height + reach
    ]
    for dx, dy in _spots():
        left, top = x + dx, y + dy
        right, bottom = left + width, top + height
        if not any(a < right and left < c and b < bottom and top < d for a, b, c, d in near):
            return left, top
    return x, y


def _spots() -> Iterator[tuple[float, float]]:
    """Steps away from a place, ring by ring, the nearest of a ring first."""
    yield 0.0, 0.0
    for ring in range(1, _RINGS + 1):
        sides = range(-ring, ring + 1)
        edge = [(a, b) for a in sides for b in sides if max(abs(a), abs(b)) == ring]
        for a, b in sorted(edge, key=lambda one: (one[0] ** 2 + one[1] ** 2, one)):
            yield a * STEP, b * STEP
