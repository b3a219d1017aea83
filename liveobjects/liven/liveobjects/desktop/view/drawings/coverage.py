"""Items that are drawings: which points they cover, and when they look different."""

from __future__ import annotations

from PySide6.QtCore import QPointF

from liven.liveobjects.desktop.drawings.recipes import drawing_of
from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view.geometry import rect, unturned


def holds(item: Item, point: QPointF, near: float, *, whole: bool) -> bool:
    """Return true if a point of the plane is on an item: on its area, or on the line of a drawing or `near`
    it. A `whole` drawing, such as a selected one, takes its area too."""
    area, at = rect(item.place), unturned(item.place, point)
    drawing = drawing_of(item.reference)
    if drawing is None or whole:
        return area.contains(at)
    inside = at - area.topLeft()
    return area.adjusted(-near, -near, near, near).contains(at) and drawing.touches(
        inside.x(), inside.y(), area.width(), area.height(), near, has_text=bool(item.label.strip())
    )


def looks_changed(before: Item, after: Item) -> bool:
    """Return true if a drawing has another look or another text."""
    differs = (before.reference, before.label) != (after.reference, after.label)
    return differs and drawing_of(after.reference) is not None
