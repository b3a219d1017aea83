"""Connectors: painting, hit testing and selection."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.connector_routes import ConnectorRoutes, Line, distance_to_line, line_between
from liven.liveobjects.desktop.state import Desktop, Item, Link, Place
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.geometry import edges
from liven.liveobjects.desktop.view.items.background import background_of, text_colour_on
from liven.liveobjects.view.accessibility import is_high_contrast
from liven.liveobjects.view.labels import brief
from liven.runtime.foreign_text import shown_line

NEAR = 6.0
"""Distance in pixels of the window within which a click hits a line."""
LONGEST = 240.0
"""Width on the plane at which a name is cut; screen readers get all of it."""
_THIN, _THICK = 1.6, 3.0
_STRONG, _STRONGEST = 2.8, 5.0
"""Line widths in high contrast."""
_HEAD = 10.0
_MOST_LETTERS = 200
_ROOM = 3.0
"""Distance between a name and the ends of the line that it interrupts."""
_FARTHEST = LONGEST + 3 * _ROOM
"""The reach of a name from its line: beside a short vertical line, as far as it is wide."""
_LEGIBLE = 5.0
"""Letters smaller than this, in pixels, are not painted."""


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

        def means(link: Link, line: Line) -> bool:
            on_name = link.label and _named(link, line, font)[1].contains(there)
            return bool(on_name) or distance_to_line(there.x(), there.y(), line) <= near

        found = self._seen(QRectF(there.x() - near, there.y() - near, 2 * near, 2 * near))
        return next((link for link, line in reversed(found) if means(link, line)), None)

    def middle(self, link: Link) -> QPointF:
        """Return the middle of a connector, on the plane."""
        return _middle(_line(self._canvas, link))

    def removal(self) -> Command:
        """Return the command that removes the selected connector."""
        return commands.disconnect(self._canvas.state, self._selected)

    def paint(self, painter: QPainter, seen: QRectF) -> None:
        """Paint the connectors that may be visible in a part of the plane."""
        _paint(painter, self._seen(seen), self.selected, background_of(self._canvas.state))

    def _seen(self, area: QRectF) -> list[tuple[Link, Line]]:
        """Return the connectors whose line or name may reach into an area."""
        self._routes = self._routes.of(self._canvas.state)
        area = area.adjusted(-_FARTHEST, -_FARTHEST, _FARTHEST, _FARTHEST)
        return self._routes.within(edges(area), self._canvas.preview)


def paint_links(painter: QPainter, canvas: ConnectorCanvas, links: Iterable[Link]) -> None:
    """Paint connectors on white paper, without selection."""
    ground = QColor(Qt.GlobalColor.white)
    _paint(painter, [(link, _line(canvas, link)) for link in links], None, ground)


def names_reach(canvas: ConnectorCanvas, links: Iterable[Link]) -> QRectF:
    """Return the area that the names of connectors cover; they may reach beyond the connected items."""
    whole, font = QRectF(), QFont().toString()
    for link in links:
        if link.label:
            whole |= _named(link, _line(canvas, link), font)[1]
    return whole


def _line(canvas: ConnectorCanvas, link: Link) -> Line:
    items = canvas.state.items
    return line_between(canvas.place_of(items[link.source]), canvas.place_of(items[link.target]))


def _paint(painter: QPainter, lines: list[tuple[Link, Line]], selected: Link | None, ground: QColor) -> None:
    """Paint plain connectors together, which is much faster, and the selected one over them, thicker, in
    the highlight colour."""
    palette, high = QApplication.palette(), is_high_contrast()
    plain = text_colour_on(ground)
    if not high:
        plain.setAlpha(160)
    thin, thick = (_STRONG, _STRONGEST) if high else (_THIN, _THICK)
    _paint_lines(painter, [line for link, line in lines if link is not selected], plain, thin)
    marked = [line for link, line in lines if link is selected]
    _paint_lines(painter, marked, palette.color(QPalette.ColorRole.Highlight), thick)
    _paint_names(painter, lines, selected, ground)


def _paint_names(
    painter: QPainter, lines: list[tuple[Link, Line]], selected: Link | None, ground: QColor
) -> None:
    """Paint the names; each line breaks off at its name."""
    if painter.fontMetrics().height() * painter.deviceTransform().m22() < _LEGIBLE:
        return
    font, ink = painter.font().toString(), text_colour_on(ground)
    marked = QApplication.palette().color(QPalette.ColorRole.Highlight)
    for link, line in lines:
        if link.label:
            words, area = _named(link, line, font)
            painter.fillRect(area, ground)
            painter.setPen(marked if link is selected else ink)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, words)


def _paint_lines(painter: QPainter, lines: list[Line], colour: QColor, width: float) -> None:
    if not lines:
        return
    painter.save()
    painter.setPen(QPen(colour, width))
    painter.drawLines([QLineF(*line) for line in lines])
    painter.setPen(QPen(colour, _THIN))
    painter.setBrush(colour)
    for x0, y0, x1, y1 in lines:
        angle = math.atan2(y1 - y0, x1 - x0)
        wings = [
            QPointF(x1 - math.cos(angle + turn) * _HEAD, y1 - math.sin(angle + turn) * _HEAD)
            for turn in (0.4, -0.4)
        ]
        painter.drawPolygon(QPolygonF([QPointF(x1, y1), *wings]))
    painter.restore()


@lru_cache(maxsize=4096)
def _fitted(label: str, font: str) -> tuple[str, float, float]:
    """Return the part of a name that is shown, in one line, with its width and height. Cached, because
    every frame asks."""
    made = QFont()
    made.fromString(font)
    metrics = QFontMetricsF(made)
    words = brief(shown_line(" ".join(label.split())), _MOST_LETTERS)
    words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, LONGEST)
    return words, metrics.horizontalAdvance(words) + 2 * _ROOM, metrics.height()


def _named(link: Link, line: Line, font: str) -> tuple[str, QRectF]:
    """Return the text on a connector and its area: at the middle of the line, which must stay visible on
    both sides; above the line if it is too short for that."""
    words, wide, high = _fitted(link.label, font)
    area, whole = QRectF(0, 0, wide, high), QLineF(*line)
    length = max(whole.length(), 1e-6)
    across, down = abs(whole.dx()) / length, abs(whole.dy()) / length
    broken = min(wide / max(across, 1e-6), high / max(down, 1e-6))
    aside = QPointF(0, 0)
    if broken + 2 * (_HEAD + _ROOM) > length:
        up = 1 if whole.dx() < 0 else -1
        far = (wide * down + high * across) / 2 + _ROOM
        aside = QPointF(-whole.dy() / length, whole.dx() / length) * far * up
    area.moveCenter(_middle(line) + aside)
    return words, area


def _middle(line: Line) -> QPointF:
    x0, y0, x1, y1 = line
    return QPointF((x0 + x1) / 2, (y0 + y1) / 2)
