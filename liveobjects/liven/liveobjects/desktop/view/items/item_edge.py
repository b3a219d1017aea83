"""The edge and the shadow of an item: round corners, a hairline, and its height above the plane."""

from __future__ import annotations

from enum import Enum
from typing import Final

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from liven.liveobjects.look.tokens import CARD_RADIUS
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_line_inside
from liven.liveobjects.look.view.shade import paint_shadow

_MOST_ROUND: Final = 0.5
"""Share of the shorter side that a corner may take: an author may ask for any radius."""


class Height(Enum):
    """The height of an item above the plane, which its shadow shows."""

    REST = "rest"
    HOVER = "hover"
    LIFTED = "lifted"


def fitting_radius(radius: float, area: QRectF) -> float:
    """Return a radius of corners that fits an area."""
    return max(0.0, min(radius, _MOST_ROUND * min(area.width(), area.height())))


def paint_edge(painter: QPainter, area: QRectF, radius: float = CARD_RADIUS, colour: str = "") -> None:
    """Paint a hairline inside the corners of an item, as thin at every zoom; by default that of a
    card, and none in a transparent colour."""
    look = current_look()
    if colour and QColor(colour).alpha() == 0:
        return
    line = look.edge if look.high_contrast or not colour else colour
    paint_line_inside(painter, area, fitting_radius(radius, area), line, look.edge_width)


def paint_item_shadow(painter: QPainter, area: QRectF, radius: float, height: Height) -> None:
    """Paint the shadow around an item. The item itself covers the hole in its middle."""
    layers = getattr(current_look().shadows, height.value)
    paint_shadow(painter, area, layers, fitting_radius(radius, area))
