"""Arrows of tldraw: which shapes they join, how they look, and which way they take if an end is free."""

from __future__ import annotations

import math
from typing import Final

from liven.liveobjects.desktop.foreign.geometry import Spot
from liven.liveobjects.desktop.foreign.json_reading import Record, number, record, text
from liven.liveobjects.desktop.foreign.tldraw.records import TldrawRecords
from liven.liveobjects.desktop.state import Style

_STEPS: Final = 12
_FLAT: Final = 1.0
"""A bend of less than this is a straight line."""
_JOINED: Final = ("geo", "note", "text", "image", "frame", "bookmark", "embed")
"""The kinds of shapes that become items with an edge."""


def ends_of(found: TldrawRecords) -> dict[str, tuple[str, str]]:
    """Return the shapes that each arrow joins, for arrows with both ends on different shapes."""
    ends: dict[str, dict[str, str]] = {}
    for binding in found.bindings:
        side = text(record(binding.get("props")), "terminal")
        ends.setdefault(text(binding, "fromId"), {})[side] = text(binding, "toId")
    made: dict[str, tuple[str, str]] = {}
    for key, shape in found.shapes.items():
        if shape.get("type") != "arrow":
            continue
        props = record(shape.get("props"))
        joined = ends.get(key, {})
        source, target = (
            joined.get(side) or text(record(props.get(side)), "boundShapeId") for side in ("start", "end")
        )
        kinds = {text(record(found.shapes.get(one)), "type") for one in (source, target)}
        if source != target and kinds <= set(_JOINED):
            made[key] = (source, target)
    return made


def style_of(props: Record, hue: str) -> Style:
    """Return the look of a connector for an arrow."""
    bent = abs(number(props, "bend")) >= _FLAT
    shape = "corners" if text(props, "kind") == "elbow" else "curve" if bent else "straight"
    dashed = text(props, "dash") in ("dashed", "dotted")
    return Style(shape, _head(props, "Start", "none"), _head(props, "End", "arrow"), dashed, hue)


def way_of(props: Record) -> list[Spot]:
    """Return the points of an arrow, at least two. A bend is the height of the arc over the middle."""
    start, end = _end(props, "start", 0.0), _end(props, "end", 2.0)
    bend = number(props, "bend")
    length = math.dist(start, end)
    if abs(bend) < _FLAT or length < _FLAT:
        return [start, end]
    across, down = (end[1] - start[1]) / length, (start[0] - end[0]) / length
    top = (
        (start[0] + end[0]) / 2 - across * 2 * bend,
        (start[1] + end[1]) / 2 - down * 2 * bend,
    )
    return [_on_curve(start, top, end, step / _STEPS) for step in range(_STEPS + 1)]


def _on_curve(start: Spot, top: Spot, end: Spot, share: float) -> Spot:
    rest = 1 - share
    x, y = (
        rest * rest * a + 2 * rest * share * b + share * share * c
        for a, b, c in zip(start, top, end, strict=True)
    )
    return x, y


def _end(props: Record, side: str, default: float) -> Spot:
    found = record(props.get(side))
    return number(found, "x", default), number(found, "y")


def _head(props: Record, side: str, default: str) -> str:
    found = text(props, f"arrowhead{side}", default)
    return "none" if found == "none" else "dot" if found in ("dot", "square") else "arrow"
