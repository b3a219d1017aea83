"""The camera: which part of the infinite plane the window shows, and at which zoom."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QTransform

CLOSEST, FARTHEST = 8.0, 0.02
_MARGIN = 56.0
_RIM = 12.0
"""Margin around an area that is brought into view."""
_EXACT = 1e-9
STEP = 1.25
"""The factor of one zoom step."""


def into_view(area: QRectF, seen: QRectF) -> QPointF:
    """Return how far the view must move to show an area, or as much of it as fits."""
    return QPointF(
        _into(area.left(), area.right(), seen.left(), seen.right()),
        _into(area.top(), area.bottom(), seen.top(), seen.bottom()),
    )


def _into(low: float, high: float, first: float, last: float) -> float:
    """Do so along one axis: keep a margin if there is room; if the area is too long, show its start."""
    if first <= low and high <= last:
        return 0.0
    rim = min(_RIM, max(last - first - (high - low), 0.0) / 2)
    return max(first + rim, min(low, last - rim - (high - low))) - low


class Camera:
    """The plane coordinates of the window's upper left corner, and the zoom."""

    def __init__(self) -> None:
        self.corner = QPointF(0, 0)
        self.zoom = 1.0

    def transform(self) -> QTransform:
        """Return the transform from plane to window."""
        return QTransform.fromTranslate(-self.corner.x(), -self.corner.y()) * QTransform.fromScale(
            self.zoom, self.zoom
        )

    def to_plane(self, point: QPointF) -> QPointF:
        """Convert a point of the window to the plane."""
        return self.corner + point / self.zoom

    def to_window(self, point: QPointF) -> QPointF:
        """Convert a point of the plane to the window."""
        return (point - self.corner) * self.zoom

    def area(self, edges: tuple[float, float, float, float]) -> QRectF:
        """Convert an area of the plane, given by its left, top, right and bottom, to the window."""
        left, top, right, bottom = edges
        return QRectF(self.to_window(QPointF(left, top)), self.to_window(QPointF(right, bottom)))

    def seen(self, window: QSizeF) -> QRectF:
        """Return the part of the plane that a window of this size shows."""
        return QRectF(self.corner, window / self.zoom)

    def pan(self, window_delta: QPointF) -> None:
        """Move the plane under the window."""
        self.corner -= window_delta / self.zoom

    def zoom_by(self, factor: float, around: QPointF) -> None:
        """Zoom so that what is under a point of the window stays there."""
        fixed = self.to_plane(around)
        self.zoom = min(max(self.zoom * factor, FARTHEST), CLOSEST)
        if abs(self.zoom - 1) < _EXACT:  # rounding errors: 49 / 49 may differ from 1
            self.zoom = 1.0
        self.corner = fixed - around / self.zoom

    def fit_into(self, area: QRectF, clear: QRectF, margin: float = _MARGIN) -> None:
        """Show all of `area` in the part of the window that nothing covers, at most at 100 %."""
        self.fit(area, clear.size(), margin)
        self.corner -= clear.topLeft() / self.zoom

    def fit(self, area: QRectF, window: QSizeF, margin: float = _MARGIN) -> None:
        """Show all of `area`, at most at 100 %."""
        wide = max(area.width(), 1.0)
        high = max(area.height(), 1.0)
        room = QSizeF(max(window.width() - 2 * margin, 1), max(window.height() - 2 * margin, 1))
        self.zoom = min(max(min(room.width() / wide, room.height() / high), FARTHEST), 1.0)
        half = QPointF(window.width(), window.height()) / (2 * self.zoom)
        self.corner = area.center() - half
