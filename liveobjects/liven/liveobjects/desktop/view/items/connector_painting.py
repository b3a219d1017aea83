"""The painting of connectors: their lines, heads and names."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop.connector_routes import Point, Route
from liven.liveobjects.desktop.state import HUES, USUAL, Link, Style
from liven.liveobjects.desktop.view.background import text_colour_on
from liven.liveobjects.look.view.labels import brief
from liven.liveobjects.look.view.light import current_look
from liven.runtime.foreign_text import shown_line

LONGEST = 240.0
"""Width on the plane at which a name is cut; screen readers get all of it."""
ROOM = 3.0
"""Distance between a name and the ends of the line that it interrupts."""
_THIN, _THICK = 1.75, 3.0
_STRONG, _STRONGEST = 2.8, 5.0
"""Line widths in high contrast."""
_HEAD = 10.0
_DOT = 4.0
"""The radius of a dot at an end."""
_CORNER = 12.0
"""The radius of corners."""
_DASHES = [4.0, 3.0]
"""Lengths of dashes and gaps, in widths of the line."""
_PILL = 5.0
"""Pixels between a name and the ends of its pill."""
_MOST_LETTERS = 200
_LEGIBLE = 5.0
"""Letters smaller than this, in pixels, are not painted."""

Routes = list[tuple[Link, Route]]


def paint_connectors(
    painter: QPainter,
    routes: Routes,
    style_of: Callable[[Link], Style],
    selected: Link | None,
    ground: QColor,
) -> None:
    """Paint the usual connectors together, which is much faster, then the others, and the selected one over
    them, thicker, in the highlight colour."""
    high = current_look().high_contrast
    thin, thick = (_STRONG, _STRONGEST) if high else (_THIN, _THICK)
    usual = [route for link, route in routes if link is not selected and style_of(link) == USUAL]
    painter.save()
    _paint_lines(painter, usual, hue_of(USUAL, ground), thin)
    for link, route in routes:
        style = style_of(link)
        if link is not selected and style != USUAL:
            _paint_route(painter, route, style, hue_of(style, ground), thin)
    for link, route in routes:
        if link is selected:
            colour = QApplication.palette().color(QPalette.ColorRole.Highlight)
            _paint_route(painter, route, style_of(link), colour, thick)
    painter.restore()
    _paint_names(painter, routes, style_of, selected, ground)


def hue_of(style: Style, ground: QColor) -> QColor:
    """Return the colour of a connector on a ground."""
    look = current_look()
    if style.hue in HUES and not look.high_contrast:
        return QColor(look.hues[HUES.index(style.hue)])
    quiet = text_colour_on(ground)
    if not look.high_contrast:
        quiet.setAlpha(160)
    return quiet


def _paint_lines(painter: QPainter, routes: list[Route], colour: QColor, width: float) -> None:
    if not routes:
        return
    painter.setPen(QPen(colour, width))
    painter.drawLines([QLineF(*route.line) for route in routes])
    painter.setPen(QPen(colour, _THIN))
    painter.setBrush(colour)
    for route in routes:
        painter.drawPolygon(_arrow(route.bends[-2], route.bends[-1]))


def _paint_route(painter: QPainter, route: Route, style: Style, colour: QColor, width: float) -> None:
    pen = QPen(colour, width)
    if style.dashed:
        pen.setDashPattern(_DASHES)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path_of(route))
    painter.setPen(QPen(colour, _THIN))
    painter.setBrush(colour)
    for head, (before, end) in ((style.start, route.bends[1::-1]), (style.end, route.bends[-2:])):
        if head == "arrow":
            painter.drawPolygon(_arrow(before, end))
        elif head == "dot":
            painter.drawEllipse(_towards(QPointF(*end), QPointF(*before), _DOT), _DOT, _DOT)


def path_of(route: Route) -> QPainterPath:
    """Return the way of a connector, with round corners."""
    points = [QPointF(*point) for point in route.bends]
    path = QPainterPath(points[0])
    if route.shape == "curve":
        path.cubicTo(*points[1:])
        return path
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        radius = min(_CORNER, *(math.hypot(*(one - corner).toTuple()) / 2 for one in (before, after)))
        path.lineTo(_towards(corner, before, radius))
        path.quadTo(corner, _towards(corner, after, radius))
    path.lineTo(points[-1])
    return path


def _towards(corner: QPointF, other: QPointF, far: float) -> QPointF:
    line = QLineF(corner, other)
    line.setLength(far)
    return line.p2()


def _arrow(before: Point, end: Point) -> QPolygonF:
    """Return an arrow head at the end of a line that comes from `before`."""
    angle = math.atan2(end[1] - before[1], end[0] - before[0])
    wings = [
        QPointF(end[0] - math.cos(angle + turn) * _HEAD, end[1] - math.sin(angle + turn) * _HEAD)
        for turn in (0.4, -0.4)
    ]
    return QPolygonF([QPointF(*end), *wings])


def _paint_names(
    painter: QPainter,
    routes: Routes,
    style_of: Callable[[Link], Style],
    selected: Link | None,
    ground: QColor,
) -> None:
    """Paint the names, each in a pill at which its line breaks off."""
    if painter.fontMetrics().height() * painter.deviceTransform().m22() < _LEGIBLE:
        return
    font, ink = painter.font().toString(), text_colour_on(ground)
    marked = QApplication.palette().color(QPalette.ColorRole.Highlight)
    for link, route in routes:
        if link.label:
            words, area = name_on(link, route, font)
            edge = marked if link is selected else hue_of(style_of(link), ground)
            painter.setPen(QPen(edge, 1.0))
            painter.setBrush(ground)
            painter.drawRoundedRect(area, area.height() / 2, area.height() / 2)
            painter.setPen(marked if link is selected else ink)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, words)


@lru_cache(maxsize=4096)
def _fitted(label: str, font: str) -> tuple[str, float, float]:
    """Return the part of a name that is shown, in one line, with its width and height. Cached, because
    every frame asks."""
    made = QFont()
    made.fromString(font)
    metrics = QFontMetricsF(made)
    words = brief(shown_line(" ".join(label.split())), _MOST_LETTERS)
    words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, LONGEST)
    return words, metrics.horizontalAdvance(words) + 2 * (ROOM + _PILL), metrics.height()


def name_on(link: Link, route: Route, font: str) -> tuple[str, QRectF]:
    """Return the text on a connector and its area: at the middle of the route, which must stay visible on
    both sides; above it if that part is too short."""
    words, wide, high = _fitted(link.label, font)
    middle, part = route.middle
    area, whole = QRectF(0, 0, wide, high), QLineF(*(route.line if route.shape == "curve" else part))
    length = max(whole.length(), 1e-6)
    across, down = abs(whole.dx()) / length, abs(whole.dy()) / length
    broken = min(wide / max(across, 1e-6), high / max(down, 1e-6))
    aside = QPointF(0, 0)
    if broken + 2 * (_HEAD + ROOM) > length:
        up = 1 if whole.dx() < 0 else -1
        far = (wide * down + high * across) / 2 + ROOM
        aside = QPointF(-whole.dy() / length, whole.dx() / length) * far * up
    area.moveCenter(QPointF(*middle) + aside)
    return words, area
