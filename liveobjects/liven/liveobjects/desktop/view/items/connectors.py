"""Connectors: hit testing, selection and choices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.connector_routes import ConnectorRoutes, Route, route_between
from liven.liveobjects.desktop.state import Desktop, Item, Link, Place, Style
from liven.liveobjects.desktop.view.background import background_of
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.geometry import edges
from liven.liveobjects.desktop.view.items.connector_choices import connector_choices
from liven.liveobjects.desktop.view.items.connector_painting import LONGEST, ROOM, name_on, paint_connectors
from liven.liveobjects.view.choices import Choice

NEAR = 6.0
"""Distance in pixels of the window within which a click hits a line."""
_FARTHEST = LONGEST + 3 * ROOM
"""The reach of a name from its line: beside a short vertical line, as far as it is wide."""


class ConnectorCanvas(Protocol):
    """The part of the canvas that connectors need."""

    @property
    def state(self) -> Desktop: ...

    @property
    def camera(self) -> Camera: ...

    @property
    def preview(self) -> dict[str, Place]: ...

    def select(self, keys: Iterable[str], link: Link | None = None) -> None: ...

    def place_of(self, item: Item) -> Place: ...

    def font(self) -> QFont: ...

    def do(self, command: Command) -> bool: ...


class Connectors:
    """The connectors of one canvas. At most one is selected, and then no item is."""

    def __init__(self, canvas: ConnectorCanvas) -> None:
        self._canvas = canvas
        self._selected = ""
        self._routes = ConnectorRoutes(canvas.state)

    @property
    def selected(self) -> Link | None:
        """The selected connector, as long as it exists."""
        return self._canvas.state.links.get(self._selected)

    def select(self, link: Link | None) -> None:
        """Select a connector and no items; with None, nothing."""
        self._canvas.select((), link)

    def mark(self, link: Link | None) -> bool:
        """Set the selected connector; return True if it is another one. The canvas announces it."""
        before, self._selected = self._selected, "" if link is None else link.key
        return before != self._selected

    def at(self, point: QPointF) -> Link | None:
        """Return the connector whose line or name is at a point of the window, not covered by an item."""
        there, near = self._canvas.camera.to_plane(point), NEAR / self._canvas.camera.zoom
        font = self._canvas.font().toString()

        def means(link: Link, route: Route) -> bool:
            on_name = link.label and name_on(link, route, font)[1].contains(there)
            return bool(on_name) or route.distance(there.x(), there.y()) <= near

        found = self._seen(QRectF(there.x() - near, there.y() - near, 2 * near, 2 * near))
        return next((link for link, route in reversed(found) if means(link, route)), None)

    def middle(self, link: Link) -> QPointF:
        """Return the middle of a connector, on the plane."""
        return QPointF(*_route(self._canvas, link).middle[0])

    def removal(self) -> Command:
        """Return the command that removes the selected connector."""
        return commands.disconnect(self._canvas.state, self._selected)

    def choices(self) -> tuple[Choice, ...]:
        """Return what can be chosen for the selected connector."""
        link = self.selected
        if link is None:
            return ()

        def restyle(style: Style) -> None:
            self._canvas.do(commands.restyle(self._canvas.state, link.key, style))

        return connector_choices(lambda: self._canvas.state.style_of(link), restyle)

    def paint(self, painter: QPainter, seen: QRectF) -> None:
        """Paint the connectors that may be visible in a part of the plane."""
        state = self._canvas.state
        paint_connectors(painter, self._seen(seen), state.style_of, self.selected, background_of(state))

    def _seen(self, area: QRectF) -> list[tuple[Link, Route]]:
        """Return the connectors whose route or name may reach into an area."""
        self._routes = self._routes.of(self._canvas.state)
        area = area.adjusted(-_FARTHEST, -_FARTHEST, _FARTHEST, _FARTHEST)
        return self._routes.within(edges(area), self._canvas.preview)


def paint_links(
    painter: QPainter, canvas: ConnectorCanvas, links: Iterable[Link], ground: QColor | None = None
) -> None:
    """Paint connectors without selection, on a ground of this colour, or else on white paper."""
    ground = ground or QColor(Qt.GlobalColor.white)
    routes = [(link, _route(canvas, link)) for link in links]
    paint_connectors(painter, routes, canvas.state.style_of, None, ground)


def names_reach(canvas: ConnectorCanvas, links: Iterable[Link]) -> QRectF:
    """Return the area that the names of connectors cover; they may reach beyond the connected items."""
    whole, font = QRectF(), QFont().toString()
    for link in links:
        if link.label:
            whole |= name_on(link, _route(canvas, link), font)[1]
    return whole


def _route(canvas: ConnectorCanvas, link: Link) -> Route:
    items, shape = canvas.state.items, canvas.state.style_of(link).shape
    return route_between(shape, canvas.place_of(items[link.source]), canvas.place_of(items[link.target]))
