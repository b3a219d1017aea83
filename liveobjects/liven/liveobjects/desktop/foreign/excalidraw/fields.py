"""Elements of Excalidraw: their fields in the terms of a desktop."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from liven.liveobjects.desktop.foreign.geometry import area_of
from liven.liveobjects.desktop.foreign.json_reading import Record, finite, number, text
from liven.liveobjects.desktop.state import Place

_HEADS: Final = {"dot": "dot", "circle": "dot", "circle_outline": "dot"}
_CURVE_STEPS: Final = 8
_MOST_CORNERS: Final = 1_000
"""Corners of a curve that is drawn smooth; one with more looks smooth already."""


def written(element: Record) -> str:
    """Return a text as it was typed, without the line breaks that Excalidraw adds where it wraps."""
    return text(element, "originalText") or text(element, "text")


def place(element: Record) -> Place:
    """Return the area of an element, with its turn."""
    x, y = number(element, "x"), number(element, "y")
    wide, high = number(element, "width"), number(element, "height")
    return area_of(x, y, wide, high, math.degrees(number(element, "angle")))


def group(element: Record) -> str:
    """Return the outermost group: groups of a desktop do not contain groups."""
    found = element.get("groupIds")
    last = found[-1] if isinstance(found, list) and found else ""
    return last if isinstance(last, str) else ""


def points(element: Record) -> Iterator[tuple[float, float]]:
    """Yield the points of a line, from the corner of its element."""
    found = element.get("points")
    for point in found if isinstance(found, list) else ():
        if isinstance(point, list) and len(point) >= 2:
            yield finite(point[0]), finite(point[1])


def pressures(element: Record) -> list[float]:
    """Return the pressures of a pen; none if they were made up."""
    found = element.get("pressures")
    if element.get("simulatePressure") is True or not isinstance(found, list):
        return []
    return [min(max(finite(one, 0.5), 0.0), 1.0) for one in found]


def head(element: Record, name: str) -> str:
    """Return the head of an arrow at one of its ends."""
    default = "arrow" if name == "endArrowhead" else None
    found = element.get(name, default)
    return "none" if not isinstance(found, str) else _HEADS.get(found, "arrow")


def width(pixels: float, by_hand: bool) -> str:
    """Return the name of a width; a pen of Excalidraw is about four times as wide as its number."""
    wide = pixels * 3 if by_hand else pixels
    return "fine" if wide < 3 else "medium" if wide <= 6 else "broad"


def rounded(points: list[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Yield the points of a smooth curve through corners (Catmull-Rom)."""
    if len(points) < 3 or len(points) > _MOST_CORNERS:
        yield from points
        return
    around = [points[0], *points, points[-1]]
    for (a, b), (c, d) in zip(pairwise(around), pairwise(around[2:]), strict=False):
        for step in range(_CURVE_STEPS):
            share = step / _CURVE_STEPS
            yield tuple(_between(*four, share) for four in zip(a, b, c, d, strict=True))  # type: ignore[misc]
    yield points[-1]


def _between(a: float, b: float, c: float, d: float, share: float) -> float:
    """Return a point of the curve from `b` to `c`, whose neighbours are `a` and `d`."""
    return 0.5 * (
        2 * b + (c - a) * share + (2 * a - 5 * b + 4 * c - d) * share**2 + (3 * b - a - 3 * c + d) * share**3
    )


def is_dashed(element: Record) -> bool:
    """Return True for a line with gaps."""
    return element.get("strokeStyle") in ("dashed", "dotted")


def is_locked(element: Record) -> bool:
    """Return True for an element that cannot be moved."""
    return element.get("locked") is True
