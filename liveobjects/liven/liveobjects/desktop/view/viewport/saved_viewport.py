"""How somebody looks at a desktop: where, how closely, and what is shown beside the things."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF

from liven.liveobjects.desktop.view.viewport.camera import CLOSEST, FARTHEST
from liven.liveobjects.view.contract import ViewState

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

_FARTHEST_OUT = 1e9


def outlook_of(canvas: Canvas) -> ViewState:
    """The part of the plane that is seen, once the person has looked at anything, and what is shown."""
    camera = canvas.camera
    found: dict[str, float | str] = {
        "grid": canvas.grid,
        "snap": canvas.snapping,
        "pointers": canvas.gazes.pointers,
    }
    if canvas.minimap.wanted is not None:
        found["map"] = canvas.minimap.wanted
    if canvas.state.items or canvas.first_look.goes_on:
        found |= {"x": round(camera.corner.x(), 2), "y": round(camera.corner.y(), 2), "zoom": camera.zoom}
    return found


def take(canvas: Canvas, outlook: ViewState) -> None:
    """Looks so again."""
    canvas.grid = bool(outlook.get("grid", canvas.grid))
    canvas.snapping = bool(outlook.get("snap", canvas.snapping))
    canvas.gazes.pointers = bool(outlook.get("pointers", canvas.gazes.pointers))
    canvas.minimap.wanted = bool(outlook["map"]) if "map" in outlook else None
    x, y, zoom = (_number(outlook.get(name)) for name in ("x", "y", "zoom"))
    if x is not None and y is not None and zoom is not None and zoom > 0:
        canvas.first_look.go_on(QPointF(x, y), min(max(zoom, FARTHEST), CLOSEST))
    canvas.update()


def _number(found: object) -> float | None:
    good = isinstance(found, int | float) and math.isfinite(found) and abs(found) <= _FARTHEST_OUT
    return float(found) if good else None  # type: ignore[arg-type]  # it is one
