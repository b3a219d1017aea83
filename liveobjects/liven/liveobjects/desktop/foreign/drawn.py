"""Outlines and strokes of a board as drawings of a desktop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from liven.liveobjects.desktop.drawings.ink import MOST_POINTS, Ink, Point, thinned, widest
from liven.liveobjects.desktop.drawings.shape import Shape
from liven.liveobjects.desktop.foreign.board import Board, Outline, Stroke
from liven.liveobjects.desktop.foreign.geometry import bounds_of
from liven.liveobjects.desktop.state import Place

_OFF: Final = 0.4
"""Pixels by which a thinned line may be off."""
_MANY: Final = 1_500
"""Points that are thinned with care; of more, most are passed over first."""
_LEAST: Final = 1e-6


def shape_of_outline(part: Outline) -> Shape:
    """Return the shape for an outline."""
    return Shape(part.outline, part.hue, part.fill, "dashed" if part.dashed else "solid")


def ink_of_stroke(part: Stroke) -> Ink:
    """Return the ink for a stroke. One with too many points loses some."""
    left, top, right, bottom = bounds_of(part.points)
    wide, high = max(right - left, _LEAST), max(bottom - top, _LEAST)
    points = [
        Point((x - left) / wide, (y - top) / high, force) for x, y, force in _some(part.points, MOST_POINTS)
    ]
    return Ink(tuple(points), part.hue, part.width)


def place_of_stroke(part: Stroke) -> Place:
    """Return the area of a stroke with the width of its line."""
    ink = Ink(tuple(Point(*point) for point in part.points), part.hue, part.width)
    around = ink.thickness * widest(ink.points) / 2
    left, top, right, bottom = bounds_of(part.points)
    return Place(left - around, top - around, right - left + 2 * around, bottom - top + 2 * around)


def with_thin_strokes(board: Board) -> Board:
    """Return a board whose strokes have as few points as their shapes need. Call it in a worker."""
    parts = [replace(part, points=_thin(part)) if isinstance(part, Stroke) else part for part in board.parts]
    return Board(parts, board.arrows, board.left_out)


def _thin(part: Stroke) -> tuple[tuple[float, float, float], ...]:
    return tuple(thinned(_some(part.points, _MANY), _OFF))


def _some(points: Sequence[tuple[float, float, float]], most: int) -> list[tuple[float, float, float]]:
    """Return at most so many points of a line, with both ends."""
    if len(points) <= most:
        return list(points)
    step = -(-(len(points) - 1) // (most - 1))
    return [*points[:-1:step], points[-1]]
