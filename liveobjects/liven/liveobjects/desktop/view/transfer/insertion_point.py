"""The point where the next new item goes: where you double-clicked to open the palette.

The palette pushes the canvas aside when it opens. From the double-click on, the plane stays where it is on
the screen: what was under the mouse stays there, and is back when the palette closes."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.view.viewport.initial_viewport import InitialViewport


class InsertionCanvas(Protocol):
    """The part of the canvas that the insertion point needs."""

    @property
    def camera(self) -> Camera: ...

    @property
    def clear_area(self) -> QRectF: ...

    @property
    def initial_viewport(self) -> InitialViewport: ...

    def viewport_changed(self) -> None: ...


class InsertionPoint:
    """The insertion point of one canvas."""

    def __init__(self, canvas: InsertionCanvas, widget: QWidget) -> None:
        self._canvas = canvas
        self._widget = widget
        self._wanted: QPointF | None = None
        self._base: QPoint | None = None
        """Position of the canvas in its window at the double-click, while the plane is kept in place."""

    def set(self, at: QPointF) -> None:
        """Put the next new item at this point of the plane."""
        self._wanted = at
        self._canvas.initial_viewport.over = True
        if self._base is None:
            self._base = self._widget.pos()

    def forget(self) -> None:
        """Forget the point: the user does something else on the plane."""
        self._wanted = None

    def pop(self) -> QPointF | None:
        """Return the point once; None if there is none or it is out of view by now."""
        at, self._wanted = self._wanted, None
        return at if at is not None and self._around().contains(at) else None

    def canvas_moved(self, old: QPoint, new: QPoint) -> None:
        """Keep the plane in place on the screen while the canvas is pushed aside."""
        if self._base is None:
            return
        self._canvas.camera.pan(QPointF(old - new))
        if new == self._base:
            self._base = None
        self._canvas.viewport_changed()

    def bring_into_view(self, item: Item) -> None:
        """Pan just far enough that an item is completely visible."""
        canvas = self._canvas
        clear = canvas.clear_area
        place = canvas.camera.transform().mapRect(rect(item.place)).translated(-clear.topLeft())
        by = QPointF(
            _inwards(place.left(), place.right(), clear.width()),
            _inwards(place.top(), place.bottom(), clear.height()),
        )
        if not by.isNull():
            canvas.camera.pan(by)
            canvas.viewport_changed()

    def _around(self) -> QRectF:
        """Return the part of the plane under the whole window, including its panels."""
        canvas = self._canvas
        whole = self._widget.window().rect()
        corner = self._widget.mapFrom(self._widget.window(), QPointF(whole.topLeft()))
        return canvas.camera.transform().inverted()[0].mapRect(QRectF(corner, whole.size()))


def _inwards(low: float, high: float, most: float) -> float:
    """Return how far a range must move to lie within 0 and `most`; if it is too long, its start."""
    return -low if low < 0 or high - low > most else min(most - high, 0.0)
