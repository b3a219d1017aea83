"""The items that run: those in view, those nearby, and those in use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from PySide6.QtCore import QRectF

from liven.liveobjects.desktop.drawings.recipes import drawing_of
from liven.liveobjects.desktop.spatial_index import SpatialIndex
from liven.liveobjects.desktop.state import Desktop
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.geometry import edges
from liven.liveobjects.desktop.view.items.item_views import ItemViews

NEARBY = 0.25
"""Items this far outside the window, in window sizes, run already."""
MOST = 500
"""Items in view that run, the topmost; more of them would cover one another."""
TINY = 24.0
"""Items that appear smaller, in pixels, do not run: nothing in them could be recognized."""


class RunningCanvas(Protocol):
    """The part of the canvas that decides which items run."""

    item_views: ItemViews

    @property
    def state(self) -> Desktop: ...

    @property
    def camera(self) -> Camera: ...

    @property
    def visible_area(self) -> QRectF: ...

    @property
    def spatial_index(self) -> SpatialIndex: ...


class ItemsInView:
    """Runs the items that the user sees or is about to see."""

    def __init__(self, canvas: RunningCanvas) -> None:
        self._canvas = canvas

    def run(self, in_use: Iterable[str]) -> None:
        """Run the items in use, which run wherever they lie and however small they are, then those in view,
        then those nearby."""
        canvas = self._canvas
        seen = canvas.visible_area
        wide, high = NEARBY * seen.width(), NEARBY * seen.height()
        legible = TINY / canvas.camera.zoom
        found = (
            canvas.spatial_index.within(edges(area))
            for area in (seen, seen.adjusted(-wide, -high, wide, high))
        )
        there = (one for items in found for one in items[-MOST:])
        wanted = [
            *(canvas.state.items[key] for key in in_use if key in canvas.state.items),
            *(one for one in there if one.place.width >= legible <= one.place.height),
        ]
        paused = canvas.item_views.paused
        canvas.item_views.want(
            one for one in wanted if one.key not in paused and drawing_of(one.reference) is None
        )
