"""The viewport of a desktop that opens: the saved one, or all items, or, if they would be illegible, the
upper left of them."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, QTimer

from liven.liveobjects.desktop.spatial_index import SpatialIndex
from liven.liveobjects.desktop.state import Desktop
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.geometry import edges

LEGIBLE = 0.35
"""Below this zoom you see that there are items, but not what they are."""
ARRIVING_MS = 600
"""Items that arrive so soon after the first one belong to it: a log is read piece by piece."""


class ViewportCanvas(Protocol):
    """The part of the canvas that its viewport needs."""

    @property
    def state(self) -> Desktop: ...

    @property
    def camera(self) -> Camera: ...

    @property
    def visible_area(self) -> QRectF: ...

    @property
    def clear_area(self) -> QRectF: ...

    @property
    def spatial_index(self) -> SpatialIndex: ...

    def viewport_changed(self) -> None: ...

    def size(self) -> QSize: ...

    def isVisible(self) -> bool: ...


class InitialViewport:
    """Sets the viewport once, and again while items are still loading, unless the user moves it."""

    def __init__(self, canvas: ViewportCanvas, parent: QObject) -> None:
        self._canvas = canvas
        self.over = False
        """True once the viewport belongs to the user."""
        self._left_at: tuple[QPointF, float] | None = None
        self._arriving = QTimer(parent, singleShot=True, interval=ARRIVING_MS)
        self._arriving.timeout.connect(self._arrived)
        self.restoring = False
        """True while a saved viewport is being restored."""

    def finish(self) -> None:
        """Finish: the user has seen the items or edits them."""
        self.over = self.over or bool(self._canvas.state.items)

    def restore(self, corner: QPointF, zoom: float) -> None:
        """Use a saved viewport, unless the user has already moved it."""
        if not self.over:
            self.restoring = True
            self._canvas.camera.corner, self._canvas.camera.zoom = corner, zoom
            self._canvas.viewport_changed()

    def apply(self) -> bool:
        """Set the viewport if it is time; return True if it moved."""
        canvas = self._canvas
        if self.over or not canvas.state.items or not canvas.isVisible():
            return False
        if self.restoring:
            if not self._arriving.isActive():
                self._arriving.start()
            return False
        if self._left_at is None:
            self._arriving.start()
        elif self._left_at != self._viewport():
            self.finish()
            return False
        before = self._viewport()
        self._show_all()
        self._left_at = self._viewport()
        return self._left_at != before

    def _arrived(self) -> None:
        """Finish once items have loaded. If a saved viewport turns out to be empty, show all items."""
        lost = self.restoring and not self.over and not self._sees_something()
        self.restoring = False
        if lost and self._canvas.state.items:
            self._show_all()
            self._canvas.viewport_changed()
        self.finish()

    def _sees_something(self) -> bool:
        canvas = self._canvas
        return bool(canvas.spatial_index.within(edges(canvas.visible_area)))

    def _show_all(self) -> None:
        camera, clear = self._canvas.camera, self._canvas.clear_area
        left, top, right, bottom = self._canvas.spatial_index.bounds
        area = QRectF(left, top, right - left, bottom - top)
        if clear.contains(camera.transform().mapRect(area)):
            return
        camera.fit_into(area, clear)
        if camera.zoom < LEGIBLE:
            camera.zoom, camera.corner = 1.0, QPointF(left, top) - clear.topLeft()

    def _viewport(self) -> tuple[QPointF, float]:
        return QPointF(self._canvas.camera.corner), self._canvas.camera.zoom
