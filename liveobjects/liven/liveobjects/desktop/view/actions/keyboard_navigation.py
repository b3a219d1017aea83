"""Going from item to item by keys, in reading order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF, QSizeF

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Desktop, Item, Link
from liven.liveobjects.desktop.view.command_feedback import ALL_SELECTED, NOTHING_HERE
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.view.items.connectors import Connectors
from liven.liveobjects.desktop.view.viewport.zoom_and_view import ZoomAndView
from liven.liveobjects.view.contract import ViewHost


class NavigationCanvas(Protocol):
    """The part of the canvas that navigation needs."""

    @property
    def state(self) -> Desktop: ...

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def connectors(self) -> Connectors: ...

    @property
    def host(self) -> ViewHost: ...

    @property
    def visible_area(self) -> QRectF: ...

    @property
    def zoom_and_view(self) -> ZoomAndView: ...

    def select(self, keys: Iterable[str]) -> None: ...


class KeyboardNavigation:
    """The Tab order of one canvas."""

    def __init__(self, canvas: NavigationCanvas) -> None:
        self._canvas = canvas
        self._newest = ""
        """The key that `next_too` selected last."""

    def next(self, step: int) -> None:
        """Select the next (or previous) item or connector and bring it into view."""
        canvas, order = self._canvas, self._order()
        if not order:
            canvas.host.show_message(NOTHING_HERE)
            return
        link = canvas.connectors.selected
        selected = canvas.selected if link is None else {link.key}
        at = next((n for n, (_, one) in enumerate(order) if one.key in selected), -1 if step > 0 else 0)
        middle, found = order[(at + step) % len(order)]
        if found.key in selected:
            canvas.host.show_message("There is nothing else on this desktop.")
        if isinstance(found, Item):
            canvas.select({found.key})
            canvas.zoom_and_view.bring_into_view(found)
            return
        canvas.connectors.select(found)
        if not canvas.visible_area.contains(QRectF(middle, QSizeF(1, 1))):
            canvas.zoom_and_view.go_to(middle)

    def next_too(self, step: int) -> None:
        """Add the next unselected item to the selection."""
        canvas = self._canvas
        order = commands.in_reading_order(canvas.state.items.values())
        places = {item.key: at for at, item in enumerate(order)}
        here = places.get(self._newest if self._newest in canvas.selected else "", -1)
        if here < 0:
            here = max((places[key] for key in canvas.selected), default=-1 if step > 0 else len(order))
        ring = [order[(here + step * far) % len(order)] for far in range(1, len(order) + 1)]
        item = next((one for one in ring if one.key not in canvas.selected), None)
        if item is None:
            canvas.host.show_message(ALL_SELECTED if order else NOTHING_HERE)
            return
        self._newest = item.key
        canvas.select(canvas.selected | commands.with_groups(canvas.state, {item.key}))
        canvas.zoom_and_view.bring_into_view(item)

    def _order(self) -> list[tuple[QPointF, Item | Link]]:
        """Return all items and connectors with the point by which they are ordered; for a connector, its
        middle."""
        canvas = self._canvas
        found: list[tuple[QPointF, Item | Link]] = [
            (rect(item.place).topLeft(), item) for item in canvas.state.items.values()
        ]
        found += [(canvas.connectors.middle(link), link) for link in canvas.state.links.values()]
        return sorted(found, key=lambda one: (one[0].y(), one[0].x(), one[1].key))
