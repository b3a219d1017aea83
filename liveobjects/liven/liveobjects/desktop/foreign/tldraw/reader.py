"""Reading boards of tldraw: its files and its clipboard. Shapes are nested there, and turn about a corner."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from liven.liveobjects.desktop.foreign.board import (
    MOST_PARTS,
    Arrow,
    Board,
    ForeignError,
    Frame,
    Part,
    Stroke,
)
from liven.liveobjects.desktop.foreign.geometry import Coordinates, Spot, bounds_of
from liven.liveobjects.desktop.foreign.json_reading import Record, number, record, text
from liven.liveobjects.desktop.foreign.tldraw.arrows import ends_of, style_of
from liven.liveobjects.desktop.foreign.tldraw.records import TldrawRecords
from liven.liveobjects.desktop.foreign.tldraw.rich_text import plain_text, words_of
from liven.liveobjects.desktop.foreign.tldraw.shapes import ShapeReader, hue
from liven.liveobjects.desktop.state import Place

_DEEPEST: Final = 60
_FARTHEST_TURN: Final = 1e4
_BESIDE: Final = 200.0
"""Room between the pages of a file, which go side by side."""
_MARGIN: Final = 40.0


def read_tldraw(found: TldrawRecords) -> Board:
    """Return the board of these records. Raise ForeignError if there is nothing on it.

    Several pages with something on them go side by side, each in a frame with its name."""
    children = found.children()
    if len(found.shapes) > 2 * MOST_PARTS:
        raise ForeignError(f"it has {len(found.shapes):,} things; the limit is {MOST_PARTS:,}. Divide it")
    names = [(text(page, "id"), text(page, "name")) for page in found.pages]
    pages = [(page, name) for page, name in [*names, ("", "")] if children.get(page)]
    reader = _Reader(found, children)
    for page, name in pages:
        reader.read_page(page, name if len(pages) > 1 else "")
    reader.connect()
    if not reader.board.parts and not reader.board.left_out:
        raise ForeignError("there is nothing on this board of tldraw")
    return reader.board


class _Reader:
    def __init__(self, found: TldrawRecords, children: dict[str, list[Record]]) -> None:
        self.board = Board()
        self._found = found
        self._children = children
        self._ends = ends_of(found)
        joined = frozenset(self._ends)
        self._shapes = ShapeReader(self.board, found.assets, joined)
        self._right = 0.0

    def read_page(self, page: str, name: str) -> None:
        """Read all shapes of a page. With a name, put it to the right of what is there, into a frame."""
        before = len(self.board.parts)
        self._read_all(page, Coordinates(), 0)
        fresh = self.board.parts[before:]
        if not name or not fresh:
            return
        corners = [corner for part in fresh for corner in _corners(part)]
        left, top, right, bottom = bounds_of(corners)
        by = self._right - left if before else 0.0
        self._right = right + by + _BESIDE + 2 * _MARGIN
        wide, high = right - left + 2 * _MARGIN, bottom - top + 2 * _MARGIN
        place = Place(left + by - _MARGIN, top - _MARGIN, wide, high)
        self.board.parts[before:] = [_shifted(part, by) for part in fresh]
        self.board.add(Frame(f"page {page}", place, name))
        self.board.parts.insert(before, self.board.parts.pop())  # beneath what is in it

    def connect(self) -> None:
        """Add a connector for each arrow between two parts."""
        there = {part.key for part in self.board.parts}
        for key, (source, target) in self._ends.items():
            if {source, target} <= there:
                props = record(self._found.shapes[key].get("props"))
                label = " ".join(plain_text(words_of(props)).split())
                self.board.arrows.append(Arrow(source, target, label, style_of(props, hue(props))))

    def _read_all(self, parent: str, coordinates: Coordinates, depth: int, group: str = "") -> None:
        if depth > _DEEPEST:
            raise ForeignError("its groups are nested too deep, so it is damaged")
        for shape in self._children.pop(parent, ()):
            x, y = number(shape, "x"), number(shape, "y")
            here = coordinates.inside(x, y, number(shape, "rotation", farthest=_FARTHEST_TURN))
            key = text(shape, "id")
            if text(shape, "type") == "group":
                self._read_all(key, here, depth + 1, group or key)
            else:
                self._shapes.read(shape, here, group)
                self._read_all(key, here, depth + 1, group)


def _corners(part: Part) -> list[Spot]:
    if isinstance(part, Stroke):
        return [(x, y) for x, y, _ in part.points]
    place = part.place
    turned = Coordinates(place.x + place.width / 2, place.y + place.height / 2, math.radians(place.degrees))
    wide, high = place.width / 2, place.height / 2
    return [turned.point(x, y) for x, y in ((-wide, -high), (wide, -high), (wide, high), (-wide, high))]


def _shifted(part: Part, by: float) -> Part:
    if isinstance(part, Stroke):
        return replace(part, points=tuple((x + by, y, force) for x, y, force in part.points))
    return replace(part, place=replace(part.place, x=part.place.x + by))
