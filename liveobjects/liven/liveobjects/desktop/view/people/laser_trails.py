"""Laser pointers: the way of a pointer lights up in the colour of its person, and fades within a second."""

from __future__ import annotations

import time
import uuid
from collections import deque
from collections.abc import Callable
from itertools import pairwise
from typing import Final

from PySide6.QtCore import QPointF, QTimer
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.view.accessibility import is_motion_reduced

LASTS: Final = 1.0
"""Seconds for which a place of the way is seen."""
_MOST: Final = 96
"""Places of one way: 30 a second come from others, and more from one's own mouse."""
_EVERY_MS: Final = 33
_WIDE: Final = 4.0
_DOT: Final = 5.0


class LaserTrails:
    """The ways of all laser pointers on one canvas."""

    def __init__(self, widget: QWidget, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._ways: dict[uuid.UUID, deque[tuple[QPointF, float]]] = {}
        self._fading = QTimer(widget, interval=_EVERY_MS)
        self._fading.timeout.connect(self._drop_old)
        self._fading.timeout.connect(widget.update)

    def add(self, window: uuid.UUID, at: QPointF) -> None:
        """Add a place on the plane to the way of somebody's pointer."""
        self._ways.setdefault(window, deque(maxlen=_MOST)).append((QPointF(at), self._clock()))
        self._fading.start()

    def end(self, window: uuid.UUID) -> None:
        """Put out somebody's pointer."""
        self._ways.pop(window, None)

    def way(self, window: uuid.UUID) -> tuple[QPointF, ...]:
        """Return the places that are still seen, the oldest first."""
        return tuple(at for at, _ in self._ways.get(window, ()))

    def paint(self, painter: QPainter, camera: Camera, colour_of: Callable[[uuid.UUID], QColor]) -> None:
        """Paint the ways; with reduced motion, only the dots at their ends."""
        now = self._clock()
        for window, way in self._ways.items():
            colour = colour_of(window)
            points = [(camera.to_window(at), 1 - (now - when) / LASTS) for at, when in way]
            if not is_motion_reduced():
                for (start, _), (end, left) in pairwise(points):
                    if left > 0:
                        colour.setAlphaF(min(1.0, left))
                        painter.setPen(QPen(colour, 1 + _WIDE * left))
                        painter.drawLine(start, end)
            colour.setAlphaF(1.0)
            painter.setPen(QPen(colour, 0))
            painter.setBrush(colour)
            painter.drawEllipse(points[-1][0], _DOT, _DOT)

    def _drop_old(self) -> None:
        """Drop what has faded, except the dot at the end of each way."""
        oldest = self._clock() - LASTS
        for way in self._ways.values():
            while len(way) > 1 and way[0][1] < oldest:
                way.popleft()
        if all(len(way) == 1 for way in self._ways.values()):
            self._fading.stop()
