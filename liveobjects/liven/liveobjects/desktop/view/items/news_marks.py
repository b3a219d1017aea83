"""Marks on items that changed while a person was away: a quiet ring with a dot, until the person selects the
item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from PySide6.QtCore import QPointF, QRectF, Qt, SignalInstance
from PySide6.QtGui import QColor, QPainter, QPen, QTransform

from liven.liveobjects.desktop.state import Desktop, Item, Place
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.look.tokens import CARD_RADIUS
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box

_AWAY: Final = 4.0
"""Pixels between an item and its ring, the same at every zoom."""
_DOT: Final = 5.0


class NewsCanvas(Protocol):
    """The part of the canvas that these marks need."""

    @property
    def state(self) -> Desktop: ...

    @property
    def camera(self) -> Camera: ...

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def moving(self) -> frozenset[str]: ...

    def place_of(self, item: Item) -> Place: ...

    def update(self) -> None: ...


class NewsMarks:
    """The marks of one canvas."""

    def __init__(self, canvas: NewsCanvas, selection_changed: SignalInstance) -> None:
        self._canvas = canvas
        selection_changed.connect(self.forget_seen)
        self._words: dict[str, str] = {}
        """The words for each marked item, by key."""

    def show(self, words: Mapping[str, str]) -> None:
        """Mark these items, and no others."""
        self._words = dict(words)
        self.forget_seen()
        self._canvas.update()

    def forget_seen(self) -> None:
        """Remove the marks of the selected items: the person looks at them now."""
        seen = self._words.keys() & self._canvas.selected
        for key in seen:
            del self._words[key]
        if seen:
            self._canvas.update()

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the marked items that are there."""
        return tuple(key for key in self._words if key in self._canvas.state.items)

    def words(self, item: Item) -> str:
        """Return what a mark says, for screen readers; empty for an item without one."""
        return self._words.get(item.key, "")

    def area(self, item: Item) -> QRectF:
        """Return the ring around an item that is not rotated, in the window."""
        away = _AWAY / self._canvas.camera.zoom
        ring = rect(self._canvas.place_of(item)).adjusted(-away, -away, away, away)
        return self._canvas.camera.transform().mapRect(ring)

    def paint(self, painter: QPainter) -> None:
        """Paint the marks, at the same strength at every zoom."""
        if not self._words:
            return
        look = current_look()
        colour = look.ink if look.high_contrast else look.accent
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for key in self.keys:
            if key in self._canvas.moving:
                continue
            item = self._canvas.state.items[key]
            area, middle = self.area(item), self.area(item).center()
            around = QTransform().translate(middle.x(), middle.y()).rotate(item.place.degrees)
            painter.save()
            painter.setTransform(around, True)
            area.translate(-middle)
            painter.setPen(QPen(QColor(colour), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            radius = CARD_RADIUS * self._canvas.camera.zoom + _AWAY
            painter.drawRoundedRect(area, radius, radius)
            dot = QRectF(-_DOT, -_DOT, 2 * _DOT, 2 * _DOT).translated(area.topLeft() + QPointF(_AWAY, _AWAY))
            paint_box(painter, dot.adjusted(-1.5, -1.5, 1.5, 1.5), _DOT + 1.5, look.halo)
            paint_box(painter, dot, _DOT, colour)
            painter.restore()
        painter.restore()
