"""The first look at a desktop: as it was looked at last; else at all that lies there, unless that is seen
already; if that is too much to be read, at where it begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSizeF, QTimer

from liven.liveobjects.desktop.view.tools.gestures import edges

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

LEGIBLE = 0.35
"""Zoomed out farther than that, one sees that things lie there, and not what they are."""
ARRIVING_MS = 600
"""What comes so soon after the first thing lay here too: a log is read piece by piece."""


class InitialViewport:
    """Looks once; again while what lay here still arrives, unless the person looks elsewhere by then."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self.over = False
        """Whether one looks around by oneself now."""
        self._left_at: tuple[QPointF, float] | None = None
        self._arriving = QTimer(canvas, singleShot=True, interval=ARRIVING_MS)
        self._arriving.timeout.connect(self._arrived)
        self.goes_on = False
        """Whether one looks where one looked in an earlier run."""

    def end(self) -> None:
        """What is here has been seen, or the person does something with it."""
        self.over = self.over or bool(self._canvas.state.items)

    def go_on(self, corner: QPointF, zoom: float) -> None:
        """Looks where one looked in an earlier run, unless one has looked around by oneself meanwhile."""
        if not self.over:
            self.goes_on = True
            self._canvas.camera.corner, self._canvas.camera.zoom = corner, zoom
            self._canvas.looks_elsewhere()

    def look(self) -> bool:
        """Looks, if it is time; whether another part of the plane is seen by that."""
        canvas = self._canvas
        if self.over or not canvas.state.items or not canvas.isVisible():
            return False
        if self.goes_on:
            if not self._arriving.isActive():
                self._arriving.start()
            return False
        if self._left_at is None:
            self._arriving.start()
        elif self._left_at != self._at():
            self.end()
            return False
        before = self._at()
        self._show_all()
        self._left_at = self._at()
        return self._left_at != before

    def _arrived(self) -> None:
        """What lay here has come. Where one looked there may be nothing any more."""
        lost = self.goes_on and not self.over and not self._sees_something()
        self.goes_on = False
        if lost and self._canvas.state.items:
            self._show_all()
            self._canvas.looks_elsewhere()
        self.end()

    def _sees_something(self) -> bool:
        canvas = self._canvas
        return bool(canvas.spread.within(edges(canvas.camera.seen(QSizeF(canvas.size())))))

    def _show_all(self) -> None:
        camera, window = self._canvas.camera, QSizeF(self._canvas.size())
        left, top, right, bottom = self._canvas.spread.bounds
        area = QRectF(left, top, right - left, bottom - top)
        if camera.seen(window).contains(area):
            return
        camera.fit(area, window)
        if camera.zoom < LEGIBLE:
            camera.zoom, camera.corner = 1.0, QPointF(left, top)

    def _at(self) -> tuple[QPointF, float]:
        return QPointF(self._canvas.camera.corner), self._canvas.camera.zoom
