"""The minimap: all items, your viewport and those of the others. Click it to go there."""

from __future__ import annotations

from typing import Final, Protocol

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPalette, QPen, QPixmap, QTransform
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.spatial_index import SpatialIndex
from liven.liveobjects.desktop.state import Desktop, Item
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.geometry import edges, rect, turned
from liven.liveobjects.desktop.view.people.collaborators import Collaborators
from liven.liveobjects.desktop.view.people.peer_colours import distinct_colour
from liven.runtime.fold import PersistentMap

WIDTH: Final = 180
HEIGHT: Final = 120
MARGIN: Final = 12
_BORDER = 6.0
_OWN: Final = 3
"""Line width of your own viewport, twice that of the others."""


class _FindBar(Protocol):
    def place(self) -> None: ...


class _ZoomAndView(Protocol):
    def go_to(self, point: QPointF) -> None: ...


class MinimapCanvas(Protocol):
    """The part of the canvas that the minimap needs."""

    @property
    def state(self) -> Desktop: ...

    @property
    def camera(self) -> Camera: ...

    @property
    def visible_area(self) -> QRectF: ...

    @property
    def spatial_index(self) -> SpatialIndex: ...

    @property
    def collaborators(self) -> Collaborators: ...

    @property
    def zoom_and_view(self) -> _ZoomAndView: ...

    @property
    def find_bar(self) -> _FindBar: ...

    def size(self) -> QSize: ...


class Minimap(QWidget):
    """A small map over a corner of the canvas where it covers no item, preferably the lower right."""

    def __init__(self, canvas: MinimapCanvas, parent: QWidget) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._drawn: tuple[PersistentMap[str, Item], QTransform, QPixmap] | None = None
        self._right, self._low = True, True
        self.wanted: bool | None = None
        """True or False once the user has chosen; None before."""
        self.setAccessibleName("Minimap")
        self.setToolTip("The whole desktop. Click or drag to go there.")
        self.resize(WIDTH, HEIGHT)
        self.hide()

    def place(self) -> None:
        """Move into the current corner."""
        self.move(self._at(right=self._right, low=self._low))
        self.update()

    def update_visibility(self) -> None:
        """Show or hide the map. Unless the user chose, it appears when items are out of view and a corner
        is free. It does not move while the mouse is over it."""
        shown = self.wanted
        free = self.underMouse() or (shown is not False and self.find_corner())
        if shown is None:
            left, top, right, bottom = self._canvas.spatial_index.bounds
            whole = QRectF(left, top, right - left, bottom - top)
            shown = free and not whole.isEmpty() and not self._canvas.visible_area.contains(whole)
        self.place()
        self._canvas.find_bar.place()
        self.setVisible(shown)

    def find_corner(self) -> bool:
        """Choose a corner where the map covers nothing, except the upper left, where the avatars are.
        Return False and stay if there is none."""
        for right, low in ((self._right, self._low), (True, True), (False, True), (True, False)):
            if not self._covers(QRect(self._at(right=right, low=low), self.size())):
                self._right, self._low = right, low
                return True
        return False

    def _at(self, *, right: bool, low: bool) -> QPoint:
        window = self._canvas.size()
        x = window.width() - WIDTH - MARGIN if right else MARGIN
        return QPoint(x, window.height() - HEIGHT - MARGIN if low else MARGIN)

    def _covers(self, area: QRect) -> bool:
        camera = self._canvas.camera
        corners = area.topLeft().toPointF(), area.bottomRight().toPointF()
        there = QRectF(*(camera.to_plane(corner) for corner in corners))
        return bool(self._canvas.spatial_index.within(edges(there)))

    def to_plane(self, point: QPointF) -> QPointF:
        """Convert a point of the map to the plane."""
        inverted, _ = self._transform().inverted()
        return inverted.map(point)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the items, your viewport, and those of the others in their colours."""
        del event
        painter = QPainter(self)
        palette = self.palette()
        painter.setPen(palette.color(QPalette.ColorRole.Mid))
        painter.setBrush(palette.color(QPalette.ColorRole.Window))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        transform = self._transform()
        painter.setClipRect(self.rect().adjusted(1, 1, -1, -1))
        painter.drawPixmap(0, 0, self._things(transform))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for gaze in self._canvas.collaborators.others:
            painter.setPen(QPen(distinct_colour(QColor(gaze.colour), palette), 1.5))
            painter.drawRect(transform.mapRect(QRectF(gaze.left, gaze.top, gaze.width, gaze.height)))
        own = QPen(palette.color(QPalette.ColorRole.Highlight), _OWN)
        own.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(own)
        painter.drawRect(transform.mapRect(self._canvas.visible_area))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Centre the view on the pressed point."""
        self._canvas.zoom_and_view.go_to(self.to_plane(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Keep the view centred under the mouse while dragging."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._canvas.zoom_and_view.go_to(self.to_plane(event.position()))

    def _things(self, transform: QTransform) -> QPixmap:
        """Return a picture of the items, redrawn only when they or the map's transform change."""
        items = self._canvas.state.items
        if self._drawn is None or self._drawn[0] is not items or self._drawn[1] != transform:
            made = QPixmap(self.size())
            made.fill(Qt.GlobalColor.transparent)
            painter = QPainter(made)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.palette().mid())
            for item in items.values():
                if item.place.degrees:
                    painter.drawPolygon(transform.map(turned(item.place)))
                else:
                    painter.fillRect(transform.mapRect(rect(item.place)), self.palette().mid())
            painter.end()
            self._drawn = items, transform, made
        return self._drawn[2]

    def _transform(self) -> QTransform:
        left, top, right, bottom = self._canvas.spatial_index.bounds
        whole = QRectF(left, top, right - left, bottom - top) | self._canvas.visible_area
        scale = min((WIDTH - 2 * _BORDER) / whole.width(), (HEIGHT - 2 * _BORDER) / whole.height())
        moved = QTransform.fromTranslate(-whole.center().x(), -whole.center().y())
        return moved * QTransform.fromScale(scale, scale) * QTransform.fromTranslate(WIDTH / 2, HEIGHT / 2)
