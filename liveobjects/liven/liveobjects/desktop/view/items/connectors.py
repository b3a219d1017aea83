"""The connectors of a desktop: how they are painted, and how one of them is chosen and removed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.connector_routes import Line, Web, away, line_between
from liven.liveobjects.desktop.state import Link
from liven.liveobjects.desktop.view.items.background import ground_of, ink_on
from liven.liveobjects.desktop.view.tools.gestures import edges
from liven.liveobjects.view.accessibility import is_high_contrast
from liven.liveobjects.view.labels import brief

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

NEAR = 6.0
"""How far from a line, in pixels of the window, a click still means it."""
LONGEST = 240.0
"""A name is cut so that it is no wider, on the plane; Tab has it read out whole."""
_THIN, _THICK = 1.6, 3.0
_STRONG, _STRONGEST = 2.8, 5.0
"""With high contrast."""
_HEAD = 10.0
_MOST_LETTERS = 200
_ROOM = 3.0
"""Between a name and the ends of the line that it breaks."""
_FARTHEST = LONGEST + 3 * _ROOM
"""How far from its line a name may reach: beside a short line that goes down, as far as it is wide."""
_LEGIBLE = 5.0
"""Names whose letters are lower, in pixels, are not painted."""


class Connectors:
    """Those of one canvas; one at most is chosen, and then no thing is."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._chosen = ""
        self._web = Web(canvas.state)

    @property
    def chosen(self) -> Link | None:
        """The one that is chosen, while it is there."""
        return self._canvas.state.links.get(self._chosen)

    def choose(self, link: Link | None) -> None:
        """Chooses one, and no things; or nothing."""
        self._canvas.choose((), link)

    def mark(self, link: Link | None) -> bool:
        """Takes it for the chosen one; whether another was. The canvas tells of it."""
        before, self._chosen = self._chosen, "" if link is None else link.key
        return before != self._chosen

    def at(self, point: QPointF) -> Link | None:
        """The connector under a point of the window, or that of a name there, where no thing lies over it."""
        there, near = self._canvas.camera.to_plane(point), NEAR / self._canvas.camera.zoom
        font = self._canvas.font().toString()

        def means(link: Link, line: Line) -> bool:
            on_name = link.label and _named(link, line, font)[1].contains(there)
            return bool(on_name) or away(there.x(), there.y(), line) <= near

        found = self._seen(QRectF(there.x() - near, there.y() - near, 2 * near, 2 * near))
        return next((link for link, line in reversed(found) if means(link, line)), None)

    def middle(self, link: Link) -> QPointF:
        """The middle of its line, on the plane."""
        return _middle(_line(self._canvas, link))

    def removal(self) -> Command:
        """What takes the chosen one away."""
        return commands.disconnect(self._canvas.state, self._chosen)

    def paint(self, painter: QPainter, seen: QRectF) -> None:
        """Paints those that may be seen in a part of the plane."""
        _paint(painter, self._seen(seen), self.chosen, ground_of(self._canvas.state))

    def _seen(self, area: QRectF) -> list[tuple[Link, Line]]:
        """Those of which the line, or a name beside it, may reach into an area."""
        self._web = self._web.of(self._canvas.state)
        area = area.adjusted(-_FARTHEST, -_FARTHEST, _FARTHEST, _FARTHEST)
        return self._web.within(edges(area), self._canvas.preview)


def paint_links(painter: QPainter, canvas: Canvas, links: Iterable[Link]) -> None:
    """Paints connectors, on white paper, without regard to what is chosen."""
    ground = QColor(Qt.GlobalColor.white)
    _paint(painter, [(link, _line(canvas, link)) for link in links], None, ground)


def names_reach(canvas: Canvas, links: Iterable[Link]) -> QRectF:
    """What the names of connectors cover, which may reach beyond the things that these connect."""
    whole, font = QRectF(), QFont().toString()
    for link in links:
        if link.label:
            whole |= _named(link, _line(canvas, link), font)[1]
    return whole


def _line(canvas: Canvas, link: Link) -> Line:
    items = canvas.state.items
    return line_between(canvas.place_of(items[link.source]), canvas.place_of(items[link.target]))


def _paint(painter: QPainter, lines: list[tuple[Link, Line]], chosen: Link | None, ground: QColor) -> None:
    """Plain ones together, which is much quicker; the chosen one over them, thicker, in its own colour."""
    palette, high = QApplication.palette(), is_high_contrast()
    plain = ink_on(ground)
    if not high:
        plain.setAlpha(160)
    thin, thick = (_STRONG, _STRONGEST) if high else (_THIN, _THICK)
    _paint_lines(painter, [line for link, line in lines if link is not chosen], plain, thin)
    marked = [line for link, line in lines if link is chosen]
    _paint_lines(painter, marked, palette.color(QPalette.ColorRole.Highlight), thick)
    _paint_names(painter, lines, chosen, ground)


def _paint_names(
    painter: QPainter, lines: list[tuple[Link, Line]], chosen: Link | None, ground: QColor
) -> None:
    """Each line breaks off where its name stands."""
    if painter.fontMetrics().height() * painter.deviceTransform().m22() < _LEGIBLE:
        return
    font, ink = painter.font().toString(), ink_on(ground)
    marked = QApplication.palette().color(QPalette.ColorRole.Highlight)
    for link, line in lines:
        if link.label:
            words, area = _named(link, line, font)
            painter.fillRect(area, ground)
            painter.setPen(marked if link is chosen else ink)
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
    """What of a name is written, in one line, and how wide and high it is; asked for with every frame."""
    made = QFont()
    made.fromString(font)
    metrics = QFontMetricsF(made)
    words = brief(" ".join(label.split()), _MOST_LETTERS)
    words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, LONGEST)
    return words, metrics.horizontalAdvance(words) + 2 * _ROOM, metrics.height()


def _named(link: Link, line: Line, font: str) -> tuple[str, QRectF]:
    """What is written on a connector, and where: around the middle of its line, which has to be seen on both
    sides of it; over a line that is too short for that."""
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
