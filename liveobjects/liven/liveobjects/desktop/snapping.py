"""Snapping: what is moved or resized jumps to a grid and to the edges and middles of what lies near."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from liven.liveobjects.desktop.state import Item

GRID = 20.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Snap:
    """How far to go on to lie well, and the lines that one then lies on."""

    dx: float
    dy: float
    upright: float | None
    """The x of the line that an edge or the middle lies on, if it is one of another thing."""
    level: float | None
    """Likewise the y."""


def snap(box: Box, others: Iterable[Item], reach: float, *, grid: bool) -> Snap:
    """Where `box` wants to lie: at most `reach` away. Edges of things come before the grid."""
    near = [Box(o.place.x, o.place.y, o.place.x + o.place.width, o.place.y + o.place.height) for o in others]
    dx, upright = _axis(
        (box.left, (box.left + box.right) / 2, box.right),
        [at for one in near for at in (one.left, (one.left + one.right) / 2, one.right)],
        reach,
        grid=grid,
    )
    dy, level = _axis(
        (box.top, (box.top + box.bottom) / 2, box.bottom),
        [at for one in near for at in (one.top, (one.top + one.bottom) / 2, one.bottom)],
        reach,
        grid=grid,
    )
    return Snap(dx, dy, upright, level)


def _axis(
    own: tuple[float, float, float], lines: list[float], reach: float, *, grid: bool
) -> tuple[float, float | None]:
    best: tuple[float, float] | None = None
    for line in lines:
        for edge in own:
            away = line - edge
            if abs(away) <= reach and (best is None or abs(away) < abs(best[0])):
                best = away, line
    if best is not None:
        return best
    if grid:
        away = round(own[0] / GRID) * GRID - own[0]
        if abs(away) <= reach:
            return away, None
    return 0.0, None
