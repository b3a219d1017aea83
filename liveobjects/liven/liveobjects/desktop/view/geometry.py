"""Places of items as Qt's rectangles and polygons, with and without their rotation."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPolygonF, QTransform

from liven.liveobjects.desktop.state import Place


def rect(place: Place) -> QRectF:
    """Return a place as a rectangle, before rotation."""
    return QRectF(place.x, place.y, place.width, place.height)


def turned(place: Place) -> QPolygonF:
    """Return the four corners of a place, after rotation."""
    area = rect(place)
    middle = area.center()
    turn = QTransform.fromTranslate(middle.x(), middle.y()).rotate(place.degrees)
    return turn.map(QPolygonF(area.translated(-middle)))


def on_plane(place: Place) -> QTransform:
    """Return the transform from an item, from its upper left corner, to the plane."""
    middle = rect(place).center()
    turn = QTransform.fromTranslate(middle.x(), middle.y()).rotate(place.degrees)
    return turn.translate(-place.width / 2, -place.height / 2)


def unturned(place: Place, point: QPointF) -> QPointF:
    """Rotate a point of the plane back, as if the item at this place were not rotated."""
    middle = rect(place).center()
    return QTransform().rotate(-place.degrees).map(point - middle) + middle


def edges(area: QRectF) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of a rectangle."""
    return area.left(), area.top(), area.right(), area.bottom()
