"""The small map of a desktop: all that lies on it, and who looks where; a click goes there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPalette, QPen, QPixmap, QTransform
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view.people.peer_colours import apart
from liven.liveobjects.desktop.view.tools.gestures import edges, rect, turned
from liven.runtime.fold import PersistentMap

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

WIDTH: Final = 180
HEIGHT: Final = 120
MARGIN: Final = 12
_BORDER = 6.0
_OWN: Final = 3
"""One's own view has a line twice as thick as those of others."""


class Minimap(QWidget):
    """Lies over a corner of the canvas where nothing else lies, over the lower right one if it may choose."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._drawn: tuple[PersistentMap[str, Item], QTransform, QPixmap] | None = None
        self._right, self._low = True, True
        self.wanted: bool | None = None
        """Whether the person wants it; None while they did not say."""
        self.setAccessibleName("Map of the desktop")
        self.setToolTip("All that lies here. Click or drag to go there.")
        self.resize(WIDTH, HEIGHT)
        self.hide()

    def place(self) -> None:
        """Stays in its corner."""
        self.move(self._at(right=self._right, low=self._low))
        self.update()

    def decide(self) -> None:
        """It comes by itself when there is more than one sees and a corner where it covers nothing. One who
        works with it finds it where it was."""
        shown = self.wanted
        free = self.underMouse() or (shown is not False and self.find_corner())
        if shown is None:
            left, top, right, bottom = self._canvas.spread.bounds
            whole = QRectF(left, top, right - left, bottom - top)
            shown = free and not whole.isEmpty() and not self._seen().contains(whole)
        self.place()
        self._canvas.finding.place()
        self.setVisible(shown)

    def find_corner(self) -> bool:
        """Goes where it covers nothing; stays, and answers false, where there is no such corner. In the upper
        left one are the people."""
        for right, low in ((self._right, self._low), (True, True), (False, True), (True, False)):
            if not self._covers(QRect(self._at(right=right, low=low), self.size())):
                self._right, self._low = right, low
                return True
        return False

    def _at(self, *, right: bool, low: bool) -> QPoint:
        canvas = self._canvas
        x = canvas.width() - WIDTH - MARGIN if right else MARGIN
        return QPoint(x, canvas.height() - HEIGHT - MARGIN if low else MARGIN)

    def _covers(self, area: QRect) -> bool:
        camera = self._canvas.camera
        corners = area.topLeft().toPointF(), area.bottomRight().toPointF()
        there = QRectF(*(camera.to_plane(corner) for corner in corners))
        return bool(self._canvas.spread.within(edges(there)))

    def to_plane(self, point: QPointF) -> QPointF:
        """The place on the plane under a point of the map."""
        inverted, _ = self._transform().inverted()
        return inverted.map(point)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Things as they lie, one's own view, and those of others in their colours."""
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
        for gaze in self._canvas.gazes.others:
            painter.setPen(QPen(apart(QColor(gaze.colour), palette), 1.5))
            painter.drawRect(transform.mapRect(QRectF(gaze.left, gaze.top, gaze.width, gaze.height)))
        own = QPen(palette.color(QPalette.ColorRole.Highlight), _OWN)
        own.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(own)
        painter.drawRect(transform.mapRect(self._seen()))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Goes there."""
        self._canvas.looking.go_to(self.to_plane(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Goes along."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._canvas.looking.go_to(self.to_plane(event.position()))

    def _things(self, transform: QTransform) -> QPixmap:
        """What lies there; drawn anew only when it is another, or another part of the plane is on the map."""
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

    def _seen(self) -> QRectF:
        return self._canvas.camera.seen(QSizeF(self._canvas.size()))

    def _transform(self) -> QTransform:
        left, top, right, bottom = self._canvas.spread.bounds
        whole = QRectF(left, top, right - left, bottom - top) | self._seen()
        scale = min((WIDTH - 2 * _BORDER) / whole.width(), (HEIGHT - 2 * _BORDER) / whole.height())
        moved = QTransform.fromTranslate(-whole.center().x(), -whole.center().y())
        return moved * QTransform.fromScale(scale, scale) * QTransform.fromTranslate(WIDTH / 2, HEIGHT / 2)
