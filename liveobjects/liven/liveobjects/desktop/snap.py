"""Snapping: while you move or resize an item, it jumps to the grid and to edges and centres of nearby
items."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from liven.liveobjects.desktop.state import Item

GRID = 20.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its four sides."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Snap:
    """The distance to move so that the item snaps, and the lines it snaps to."""

    dx: float
    dy: float
    upright: float | None
    """The x of another item's edge or centre that the box snaps to, if any."""
    level: float | None
    """The y of such an edge or centre."""


def snap(box: Box, others: Iterable[Item], reach: float, *, grid: bool) -> Snap:
    """Snap a box that is being moved by at most `reach`. Edges of items take precedence over the grid."""
    upright, level = _lines(others)
    dx, x = _axis((box.left, (box.left + box.right) / 2, box.right), upright, reach, grid=grid)
    dy, y = _axis((box.top, (box.top + box.bottom) / 2, box.bottom), level, reach, grid=grid)
    return Snap(dx, dy, x, y)


def snap_side(box: Box, handle: tuple[int, int], others: Iterable[Item], reach: float, *, grid: bool) -> Snap:
    """Snap only the sides that a handle drags: -1, 0 or 1 horizontally and vertically."""
    upright, level = _lines(others)
    across, down = handle
    dx, x = (
        _axis((box.left if across < 0 else box.right,), upright, reach, grid=grid) if across else (0.0, None)
    )
    dy, y = _axis((box.top if down < 0 else box.bottom,), level, reach, grid=grid) if down else (0.0, None)
    return Snap(dx, dy, x, y)


def _lines(others: Iterable[Item]) -> tuple[list[float], list[float]]:
    """Return the x of all vertical edges and centres, and the y of all horizontal ones."""
    places = [item.place for item in others]
    upright = [at for one in places for at in (one.x, one.x + one.width / 2, one.x + one.width)]
    level = [at for one in places for at in (one.y, one.y + one.height / 2, one.y + one.height)]
    return upright, level


def _axis(
    own: tuple[float, ...], lines: list[float], reach: float, *, grid: bool
) -> tuple[float, float | None]:
    best: tuple[float, float] | None = None
    for line in lines:
        for edge in own:
            distance = line - edge
            if abs(distance) <= reach and (best is None or abs(distance) < abs(best[0])):
                best = distance, line
    if best is not None:
        return best
    if grid:
        distance = round(own[0] / GRID) * GRID - own[0]
        if abs(distance) <= reach:
            return distance, None
    return 0.0, None
