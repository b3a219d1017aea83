"""Free space for new items: a position near the wanted one where they cover nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from liven.liveobjects.desktop.state import Item, Place

GAP = 20.0
STEP = 40.0
CASCADE = 20.0
"""Offset to the right and down of an item from the one it must cover, if there is no free space."""
_RINGS = 30
EVERYWHERE = (-math.inf, -math.inf, math.inf, math.inf)


def find_free_space(
    items: Iterable[Item],
    width: float,
    height: float,
    x: float,
    y: float,
    within: tuple[float, float, float, float] = EVERYWHERE,
    covered: Iterable[Place] = (),
) -> tuple[float, float]:
    """Return the upper left corner nearest to (x, y) where an item of this size covers no other, does not lie
    under what is `covered`, and stays `within` (left, top, right, bottom).

    If everything is full, return (x, y), moved a little right and down past items that start there."""
    first, last = within[:2], (within[2] - width, within[3] - height)
    reach = STEP * _RINGS + GAP
    places = [item.place for item in items]
    near = [
        (one.x - GAP, one.y - GAP, one.x + one.width + GAP, one.y + one.height + GAP)
        for one in (*places, *covered)
        if x - reach < one.x + one.width
        and one.x < x + width + reach
        and y - reach < one.y + one.height
        and one.y < y + height + reach
    ]
    for dx, dy in _spots():
        left, top = x + dx, y + dy
        right, bottom = left + width, top + height
        if not (first[0] <= left <= last[0] and first[1] <= top <= last[1]):
            continue
        if not any(a < right and left < c and b < bottom and top < d for a, b, c, d in near):
            return left, top
    return _cascaded(places, x, y, last)


def _cascaded(places: list[Place], x: float, y: float, last: tuple[float, float]) -> tuple[float, float]:
    """Return a position a little right and down of every item that starts near (x, y), so that each stays
    visible beneath the next; (x, y) itself if that leads too far."""
    left, top = x, y
    places = [one for one in places if x - CASCADE < one.x <= last[0] and y - CASCADE < one.y <= last[1]]
    while left <= last[0] and top <= last[1]:
        if not any(max(abs(one.x - left), abs(one.y - top)) < CASCADE for one in places):
            return left, top
        left, top = left + CASCADE, top + CASCADE
    return x, y


def _spots() -> Iterator[tuple[float, float]]:
    """Yield offsets from a position in growing rings, the nearest of each ring first."""
    yield 0.0, 0.0
    for ring in range(1, _RINGS + 1):
        sides = range(-ring, ring + 1)
        edge = [(a, b) for a in sides for b in sides if max(abs(a), abs(b)) == ring]
        for a, b in sorted(edge, key=lambda one: (one[0] ** 2 + one[1] ** 2, one)):
            yield a * STEP, b * STEP
