"""The connectors of a desktop: how they are painted, and how one of them is chosen, named and removed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.state import Link
from liven.liveobjects.desktop.view.gestures import rect

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas import Canvas

NEAR = 6.0
"""How far from a line, in pixels of the window, a click still means it."""
_THIN, _THICK = 1.6, 3.0


class Connectors:
    """Those of one canvas; one at most is chosen, and then no thing is."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._chosen = ""

    @property
    def chosen(self) -> Link | None:
        """The one that is chosen, while it is there."""
        return self._canvas.state.links.get(self._chosen)

    def choose(self, link: Link | None) -> None:
        """Chooses one, and no things; or none."""
        key = "" if link is None else link.key
        if key:
            self._canvas.choose(())
        if key != self._chosen:
            self._chosen = key
            self._canvas.chosen_changed.emit()
            self._canvas.update()

    def at(self, point: QPointF) -> Link | None:
        """The connector under a point of the window, where no thing lies over it."""
        camera = self._canvas.camera
        for link in reversed(tuple(self._canvas.state.links.values())):
            start, end = (camera.to_window(one) for one in ends(self._canvas, link))
            if _away(point, start, end) <= NEAR:
                return link
        return None

    def middle(self, link: Link) -> QPointF:
        """The middle of its line, on the plane."""
        start, end = ends(self._canvas, link)
        return (start + end) / 2

    def removal(self) -> Command:
        """What takes the chosen one away."""
        return commands.disconnect(self._canvas.state, self._chosen)


def paint_links(painter: QPainter, canvas: Canvas, links: Iterable[Link]) -> None:
    """Paints connectors, on the plane; the chosen one in the colour of what is chosen, and thicker."""
    palette = QApplication.palette()
    plain = palette.color(QPalette.ColorRole.Text)
    plain.setAlpha(160)
    chosen = canvas.connectors.chosen
    for link in links:
        marked = link is chosen
        colour = palette.color(QPalette.ColorRole.Highlight) if marked else plain
        painter.setPen(QPen(colour, _THICK if marked else _THIN))
        start, end = ends(canvas, link)
        painter.drawLine(start, end)
        _arrow(painter, start, end, colour)
        if link.label:
            painter.setPen(palette.color(QPalette.ColorRole.Text))
            painter.drawText((start + end) / 2 + QPointF(4, -4), link.label)


def ends(canvas: Canvas, link: Link) -> tuple[QPointF, QPointF]:
    """Where the line of a connector begins and ends, on the plane."""
    items = canvas.state.items
    source, target = rect(canvas.place_of(items[link.source])), rect(canvas.place_of(items[link.target]))
    return _edge(source, target.center()), _edge(target, source.center())


def _edge(area: QRectF, towards: QPointF) -> QPointF:
    """Where the line from the middle of `area` to a point leaves it."""
    middle = area.center()
    by = towards - middle
    reach = max(abs(by.x()) / max(area.width() / 2, 1e-9), abs(by.y()) / max(area.height() / 2, 1e-9))
    return middle + by / reach if reach > 1 else middle


def _arrow(painter: QPainter, start: QPointF, end: QPointF, colour: QColor) -> None:
    angle = math.atan2(end.y() - start.y(), end.x() - start.x())
    wings = [end - QPointF(math.cos(angle + turn), math.sin(angle + turn)) * 10.0 for turn in (0.4, -0.4)]
    painter.save()
    painter.setPen(QPen(colour, _THIN, Qt.PenStyle.SolidLine))
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([end, *wings]))
    painter.restore()


def _away(point: QPointF, start: QPointF, end: QPointF) -> float:
    """How far a point is from a line that has two ends."""
    along = end - start
    length = QPointF.dotProduct(along, along)
    share = 0.0 if not length else min(max(QPointF.dotProduct(point - start, along) / length, 0.0), 1.0)
    return QLineF(point, start + along * share).length()
