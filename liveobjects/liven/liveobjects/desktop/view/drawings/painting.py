"""The painting of drawings: shapes with their text, and strokes of ink."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from liven.liveobjects.desktop.drawings.recipes import Drawing
from liven.liveobjects.desktop.drawings.shape import DIAMOND, ELLIPSE, Shape
from liven.liveobjects.desktop.state import HUES
from liven.liveobjects.desktop.view.background import text_colour_on
from liven.liveobjects.desktop.view.drawings.shape_text import paint_text
from liven.liveobjects.look.contrast import contrast, mix
from liven.liveobjects.look.view.light import current_look, ground_look

_LINE: Final = 1.75
_STRONG: Final = 2.8
"""Width of a line in high contrast."""
_DASHES: Final = [4.0, 3.0]
_TINT: Final = 0.14
"""Share of the hue in a tinted ground."""
_CORNER: Final = 10.0
_PARTS: Final = 4
"""Parts of the curve between two points of a stroke whose width changes."""

Located = tuple[float, float, float]


def paint_drawing(
    painter: QPainter, area: QRectF, drawing: Drawing, label: str = "", ground: QColor | None = None
) -> None:
    """Paint a drawing into an area of a plane with this ground."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if isinstance(drawing, Shape):
        _paint_shape(painter, area, drawing)
        paint_text(painter, drawing, area, label, ink_of(drawing, ground))
    else:
        painter.translate(area.topLeft())
        located = drawing.placed(area.width(), area.height())
        paint_stroke(painter, located, hue_of(drawing.hue, ground), even=drawing.is_even)
    painter.restore()


def hue_of(hue: str, ground: QColor | None = None) -> QColor:
    """Return the colour of a stroke; without a hue that of letters on the ground."""
    look = ground_look()
    if hue in HUES and not look.high_contrast:
        return QColor(look.hues[HUES.index(hue)])
    return text_colour_on(QColor(look.plane) if ground is None else ground)


def ink_of(shape: Shape, ground: QColor | None = None) -> str:
    """Return the colour of the text in a shape."""
    look = current_look()
    if shape.fill == "none":
        return text_colour_on(QColor(look.plane) if ground is None else ground).name()
    fill = fill_of(shape)
    return max((look.ink, look.card), key=lambda one: contrast(one, fill))


def fill_of(shape: Shape) -> str:
    """Return the colour inside a shape; empty for none."""
    look, line = current_look(), line_of(shape)
    if shape.fill == "none":
        return ""
    if shape.fill == "solid":
        return line
    return look.card if look.high_contrast or shape.hue not in HUES else mix(look.card, line, _TINT)


def line_of(shape: Shape) -> str:
    """Return the colour of the line of a shape."""
    look = current_look()
    if look.high_contrast:
        return look.ink
    return look.hues[HUES.index(shape.hue)] if shape.hue in HUES else look.line


def outline_of(shape: Shape, area: QRectF) -> QPainterPath:
    """Return the line of a shape in an area."""
    path = QPainterPath()
    if shape.outline == ELLIPSE:
        path.addEllipse(area)
    elif shape.outline == DIAMOND:
        middle = area.center()
        corners = (
            QPointF(middle.x(), area.top()),
            QPointF(area.right(), middle.y()),
            QPointF(middle.x(), area.bottom()),
            QPointF(area.left(), middle.y()),
        )
        path.addPolygon(QPolygonF(corners))
        path.closeSubpath()
    else:
        corner = min(_CORNER, area.width() / 4, area.height() / 4)
        path.addRoundedRect(area, corner, corner)
    return path


def _paint_shape(painter: QPainter, area: QRectF, shape: Shape) -> None:
    width = _STRONG if current_look().high_contrast else _LINE
    pen = QPen(QColor(line_of(shape)), width)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if shape.line == "dashed":
        pen.setDashPattern(_DASHES)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    fill = fill_of(shape)
    painter.setPen(pen)
    painter.setBrush(QColor(fill) if fill else Qt.BrushStyle.NoBrush)
    inset = min(width / 2, area.width() / 4, area.height() / 4)
    painter.drawPath(outline_of(shape, area.adjusted(inset, inset, -inset, -inset)))


def paint_stroke(painter: QPainter, points: list[Located], colour: QColor, *, even: bool) -> None:
    """Paint the line through points that have its width there."""
    if not points:
        return
    if len(points) == 1:
        x, y, width = points[0]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(x, y), width / 2, width / 2)
        return
    pen = QPen(colour, points[0][2])
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if even:
        painter.setPen(pen)
        painter.drawPath(_curve(points))
        return
    for (x, y, width), (next_x, next_y, next_width) in pairwise(_along(points)):
        pen.setWidthF((width + next_width) / 2)
        painter.setPen(pen)
        painter.drawLine(QPointF(x, y), QPointF(next_x, next_y))


def _curve(points: list[Located]) -> QPainterPath:
    """Return a smooth line that goes from middle to middle of the parts between points."""
    places = [QPointF(x, y) for x, y, _ in points]
    path = QPainterPath(places[0])
    for here, after in pairwise(places[1:]):
        path.quadTo(here, (here + after) / 2)
    path.lineTo(places[-1])
    return path


def _along(points: list[Located]) -> list[Located]:
    """Return points along the same line, close enough for a width that changes."""
    middles = [_between(start, end, 0.5) for start, end in pairwise(points)]
    made: list[Located] = [points[0]]
    for start, bend, end in zip(middles, points[1:-1], middles[1:], strict=False):
        for part in range(_PARTS):
            share = part / _PARTS
            made.append(_between(_between(start, bend, share), _between(bend, end, share), share))
    return [*made, points[-1]]


def _between(start: Located, end: Located, share: float) -> Located:
    x, y, width = (a + share * (b - a) for a, b in zip(start, end, strict=True))
    return x, y, width
