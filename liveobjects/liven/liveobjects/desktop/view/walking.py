"""Going through all that lies on a desktop by keys, as one reads: by rows, from left to right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSizeF

from liven.liveobjects.desktop.state import Item, Link
from liven.liveobjects.desktop.view.gestures import rect

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas import Canvas


def walk(canvas: Canvas, step: int) -> None:
    """Chooses the next thing or connector, or the one before, and brings it into view."""
    order = _order(canvas)
    if not order:
        return
    chosen = _chosen(canvas)
    at = next((n for n, (_, one) in enumerate(order) if one.key in chosen), -1 if step > 0 else 0)
    middle, found = order[(at + step) % len(order)]
    if isinstance(found, Item):
        canvas.choose({found.key})
        canvas.bring_into_view(found)
        return
    canvas.connectors.choose(found)
    if not canvas.camera.seen(QSizeF(canvas.size())).contains(QRectF(middle, QSizeF(1, 1))):
        canvas.go_to(middle)


def _order(canvas: Canvas) -> list[tuple[QPointF, Item | Link]]:
    """All there is with the place by which it is ordered; a connector comes where its middle is."""
    found: list[tuple[QPointF, Item | Link]] = [
        (rect(item.place).topLeft(), item) for item in canvas.state.items.values()
    ]
    found += [(canvas.connectors.middle(link), link) for link in canvas.state.links.values()]
    return sorted(found, key=lambda one: (one[0].y(), one[0].x(), one[1].key))


def _chosen(canvas: Canvas) -> frozenset[str]:
    link = canvas.connectors.chosen
    return canvas.chosen if link is None else frozenset({link.key})
