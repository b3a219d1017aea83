"""Saving and restoring the viewport of a desktop, and what is shown besides its items."""

from __future__ import annotations

import math
from typing import Protocol

from PySide6.QtCore import QPointF

from liven.liveobjects.desktop.state import Desktop
from liven.liveobjects.desktop.view.camera import CLOSEST, FARTHEST, Camera
from liven.liveobjects.desktop.view.people.collaborators import Collaborators
from liven.liveobjects.desktop.view.viewport.initial_viewport import InitialViewport
from liven.liveobjects.desktop.view.viewport.minimap import Minimap
from liven.liveobjects.view.contract import ViewState

_FARTHEST_OUT = 1e9


class SavedCanvas(Protocol):
    """The part of the canvas that is saved."""

    grid: bool
    snapping: bool

    @property
    def state(self) -> Desktop: ...

    @property
    def camera(self) -> Camera: ...

    @property
    def collaborators(self) -> Collaborators: ...

    @property
    def minimap(self) -> Minimap: ...

    @property
    def initial_viewport(self) -> InitialViewport: ...

    def update(self) -> None: ...


def saved_viewport(canvas: SavedCanvas) -> ViewState:
    """Return the visible part of the plane, once the user has seen anything, and the display options."""
    camera = canvas.camera
    found: dict[str, float | str] = {
        "grid": canvas.grid,
        "snap": canvas.snapping,
        "pointers": canvas.collaborators.pointers,
    }
    if canvas.minimap.wanted is not None:
        found["map"] = canvas.minimap.wanted
    if canvas.state.items or canvas.initial_viewport.restoring:
        found |= {"x": round(camera.corner.x(), 2), "y": round(camera.corner.y(), 2), "zoom": camera.zoom}
    return found


def restore(canvas: SavedCanvas, outlook: ViewState) -> None:
    """Restore a saved viewport."""
    canvas.grid = bool(outlook.get("grid", canvas.grid))
    canvas.snapping = bool(outlook.get("snap", canvas.snapping))
    canvas.collaborators.pointers = bool(outlook.get("pointers", canvas.collaborators.pointers))
    canvas.minimap.wanted = bool(outlook["map"]) if "map" in outlook else None
    x, y, zoom = (_number(outlook.get(name)) for name in ("x", "y", "zoom"))
    if x is not None and y is not None and zoom is not None and zoom > 0:
        canvas.initial_viewport.restore(QPointF(x, y), min(max(zoom, FARTHEST), CLOSEST))
    canvas.update()


def _number(found: object) -> float | None:
    good = isinstance(found, int | float) and math.isfinite(found) and abs(found) <= _FARTHEST_OUT
    return float(found) if good else None  # type: ignore[arg-type]  # it is one
