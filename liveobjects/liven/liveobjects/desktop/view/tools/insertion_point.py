"""The place that one asked for: where on the plane the next thing shall lie, while a palette opens beside it.

What opens beside the plane moves the window of the plane to the side. From the double click on, the plane
stays where it is on the screen: what was under the mouse stays there, and comes back when the palette goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, QRectF

from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view.tools.gestures import rect

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas


class InsertionPoint:
    """The one of a canvas."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._wanted: QPointF | None = None
        self._base: QPoint | None = None
        """Where the plane's window stood in its own at the double click, as long as the plane is held."""

    def want(self, at: QPointF) -> None:
        """The next thing shall lie here, on the plane."""
        self._wanted = at
        self._canvas.first_look.over = True  # one looks where one wants it
        if self._base is None:
            self._base = self._canvas.pos()

    def forget(self) -> None:
        """The person does something else on the plane."""
        self._wanted = None

    def take(self) -> QPointF | None:
        """The place, once; None where none is wanted, or not any more: one went elsewhere meanwhile."""
        at, self._wanted = self._wanted, None
        return at if at is not None and self._around().contains(at) else None

    def moved(self, old: QPoint, new: QPoint) -> None:
        """The canvas was pushed aside: the plane under it is not."""
        if self._base is None:
            return
        self._canvas.camera.pan(QPointF(old - new))
        if new == self._base:
            self._base = None
        self._canvas.looks_elsewhere()

    def show(self, item: Item) -> None:
        """Moves the plane no farther than is needed for all of a thing to be seen."""
        canvas = self._canvas
        place, window = canvas.camera.transform().mapRect(rect(item.place)), QRectF(canvas.rect())
        by = QPointF(
            _inwards(place.left(), place.right(), window.width()),
            _inwards(place.top(), place.bottom(), window.height()),
        )
        if not by.isNull():
            canvas.camera.pan(by)
            canvas.looks_elsewhere()

    def _around(self) -> QRectF:
        """What of the plane lies in the whole window, under its panels too."""
        canvas = self._canvas
        whole = canvas.window().rect()
        corner = canvas.mapFrom(canvas.window(), QPointF(whole.topLeft()))
        return canvas.camera.transform().inverted()[0].mapRect(QRectF(corner, whole.size()))


def _inwards(low: float, high: float, most: float) -> float:
    """How far a stretch must go to lie within 0 and `most`; its beginning, where it is too long."""
    return -low if low < 0 or high - low > most else min(most - high, 0.0)
