"""An island: a rounded panel that floats over what a window shows."""

from __future__ import annotations

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget

from liven.liveobjects.look.tokens import ISLAND_RADIUS
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.panel import paint_panel

SHADE = 16
"""Pixels around the island for its shadow, which fades out there."""


class Island(QWidget):
    """A floating panel. Its layout keeps `SHADE` pixels free on all sides for the shadow."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the shadow, the ground and the edge."""
        del event
        look = current_look()
        paint_panel(self, SHADE, look.shadows.island, ISLAND_RADIUS, look.island)
