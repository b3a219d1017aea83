"""The minimap: all items, your viewport and those of the others. Click it to go there."""

from __future__ import annotations

from typing import Final, Protocol

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPalette,
    QPen,
    QPixmap,
    QTransform,
)
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.spatial_index import SpatialIndex
from liven.liveobjects.desktop.state import Desktop, Item
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.geometry import edges, rect, turned
from liven.liveobjects.desktop.view.people.collaborators import Collaborators
from liven.liveobjects.desktop.view.people.peer_colours import distinct_colour
from liven.liveobjects.look.contrast import mix
from liven.liveobjects.look.tokens import Look
from liven.liveobjects.look.view.island import Island
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box
from liven.runtime.fold import PersistentMap

WIDTH: Final = 200
HEIGHT: Final = 132
MARGIN: Final = 16
_WELL: Final = 7
"""Pixels between the edge of the map and what it shows."""
_WELL_RADIUS: Final = 6.0
_BORDER = 4.0
"""Pixels of the well around the items."""
_ITEM_RADIUS: Final = 1.5
_VIEW_RADIUS: Final = 4.0
_OWN: Final = 2
"""Line width of your own viewport; those of the others are thinner."""
_OTHERS: Final = 1.5
_ITEM_TONE: Final = {False: 0.26, True: 0.36}
"""The share of ink in the colour of items, by darkness."""
_OUTSIDE: Final = 115
"""Opacity, of 255, of what covers the items out of view."""


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


class Minimap(Island):
    """A small map over a corner of the canvas where it covers no item, preferably the lower right."""

    def __init__(self, canvas: MinimapCanvas, parent: QWidget) -> None:
        super().__init__(parent, "Minimap")
        self._canvas = canvas
        self._drawn: tuple[PersistentMap[str, Item], QTransform, Look, QPixmap] | None = None
        self._right, self._low = True, True
        self._foot: int | None = None
        """Pixels below the map where it stands at the lower right only; None where it takes any corner."""
        self.wanted: bool | None = None
        """True or False once the user has chosen; None before."""
        self.setToolTip("The whole desktop. Click or drag to go there.")
        self.resize(WIDTH, HEIGHT)
        self.hide()

    def stand_at_foot(self) -> None:
        """Take the lower right corner alone: islands stand in the others."""
        self._foot = MARGIN

    def keep_from_foot(self, pixels: int) -> None:
        """Leave room below the map."""
        self._foot = pixels
        self.place()

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
        corners = ((self._right, self._low), (True, True), (False, True), (True, False))
        for right, low in corners if self._foot is None else ((True, True),):
            if not self._covers(QRect(self._at(right=right, low=low), self.size())):
                self._right, self._low = right, low
                return True
        return False

    def _at(self, *, right: bool, low: bool) -> QPoint:
        window = self._canvas.size()
        x = window.width() - WIDTH - MARGIN if right else MARGIN
        foot = MARGIN if self._foot is None else self._foot
        return QPoint(x, window.height() - HEIGHT - foot if low else MARGIN)

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
        look, palette = current_look(), QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.Highlight, QColor(look.select))
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_ground(painter, look)
        well = QRectF(self.rect()).adjusted(_WELL, _WELL, -_WELL, -_WELL)
        paint_box(painter, well, _WELL_RADIUS, look.plane)
        transform = self._transform()
        painter.setClipRect(well)
        painter.drawPixmap(0, 0, self._things(transform))
        own = transform.mapRect(self._canvas.visible_area)
        if not look.high_contrast:
            _cover_outside(painter, well, own, look)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for gaze in self._canvas.collaborators.others:
            painter.setPen(QPen(distinct_colour(QColor(gaze.colour), palette), _OTHERS))
            area = transform.mapRect(QRectF(gaze.left, gaze.top, gaze.width, gaze.height))
            painter.drawRoundedRect(area, _VIEW_RADIUS, _VIEW_RADIUS)
        painter.setPen(QPen(QColor(look.select), _OWN))
        painter.drawRoundedRect(own.adjusted(1, 1, -1, -1), _VIEW_RADIUS, _VIEW_RADIUS)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Centre the view on the pressed point."""
        self._canvas.zoom_and_view.go_to(self.to_plane(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Keep the view centred under the mouse while dragging."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._canvas.zoom_and_view.go_to(self.to_plane(event.position()))

    def _things(self, transform: QTransform) -> QPixmap:
        """Return a picture of the items, redrawn only when they, the map's transform or the look change."""
        items, look = self._canvas.state.items, current_look()
        drawn = self._drawn
        if drawn is None or drawn[0] is not items or drawn[1] != transform or drawn[2] is not look:
            ratio = self.devicePixelRatioF()
            made = QPixmap(self.size() * ratio)
            made.setDevicePixelRatio(ratio)
            made.fill(Qt.GlobalColor.transparent)
            painter = QPainter(made)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            share = 1.0 if look.high_contrast else _ITEM_TONE[look.dark]
            painter.setBrush(QColor(mix(look.plane, look.ink, share)))
            for item in items.values():
                if item.place.degrees:
                    painter.drawPolygon(transform.map(turned(item.place)))
                else:
                    painter.drawRoundedRect(transform.mapRect(rect(item.place)), _ITEM_RADIUS, _ITEM_RADIUS)
            painter.end()
            drawn = self._drawn = items, transform, look, made
        return drawn[3]

    def _transform(self) -> QTransform:
        left, top, right, bottom = self._canvas.spatial_index.bounds
        whole = QRectF(left, top, right - left, bottom - top) | self._canvas.visible_area
        border = 2 * (_WELL + _BORDER)
        scale = min((WIDTH - border) / whole.width(), (HEIGHT - border) / whole.height())
        moved = QTransform.fromTranslate(-whole.center().x(), -whole.center().y())
        return moved * QTransform.fromScale(scale, scale) * QTransform.fromTranslate(WIDTH / 2, HEIGHT / 2)


def _cover_outside(painter: QPainter, well: QRectF, seen: QRectF, look: Look) -> None:
    """Make what is out of view fainter."""
    outside, inside = QPainterPath(), QPainterPath()
    outside.addRect(well)
    inside.addRoundedRect(seen, _VIEW_RADIUS, _VIEW_RADIUS)
    veil = QColor(look.plane)
    veil.setAlpha(_OUTSIDE)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(veil)
    painter.drawPath(outside.subtracted(inside))
