"""Badges on items that have problems or are paused. A click shows the problems."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPalette, QPen
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop.state import Desktop, Item, Place
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.desktop.view.items.stopped_card import AGAIN, ASIDE

_HIGH = 22.0
_PAUSED = "paused"


class BadgeCanvas(Protocol):
    """The part of the canvas that badges need."""

    @property
    def state(self) -> Desktop: ...

    @property
    def camera(self) -> Camera: ...

    @property
    def item_views(self) -> ItemViews: ...

    def place_of(self, item: Item) -> Place: ...

    def update(self) -> None: ...

    def fontMetrics(self) -> QFontMetrics: ...


class ProblemBadges:
    """The badges of one canvas. They are texts, so that nothing depends on colour."""

    def __init__(self, canvas: BadgeCanvas, show_problems: Callable[[str], object]) -> None:
        """Call `show_problems` with the path step of an item whose problems are to be shown."""
        self._canvas = canvas
        self._show_problems = show_problems
        self._counts: dict[str, int] = {}
        canvas.item_views.act_on_stopped = self._act

    def _act(self, key: str, button: str) -> None:
        """Do what a button on the card of a stopped item says."""
        item, views = self._canvas.state.items.get(key), self._canvas.item_views
        if item is None:
            return
        if button == AGAIN:
            views.restart(item)
        elif button == ASIDE:
            views.pause(key)
        else:
            self._show_problems(views.running_items.path_step(key) or key)

    def items_of(self, part: str) -> list[Item]:
        """Return the item that problems identify by this path step, or by its key."""
        items, step = self._canvas.state.items.values(), self._canvas.item_views.running_items.path_step
        return [item for item in items if part in (step(item.key), item.key)] if part else []

    def set_count(self, part: str, count: int) -> bool:
        """Set the number of problems of an item. Return False if there is no such item."""
        found = self.items_of(part)
        for item in found:
            if count:
                self._counts[item.key] = count
            else:
                self._counts.pop(item.key, None)
        if found:
            self._canvas.update()
        return bool(found)

    def words(self, item: Item) -> str:
        """Return the text of an item's badge; empty if it has none."""
        count = self._counts.get(item.key, 0)
        paused = _PAUSED if item.key in self._canvas.item_views.paused else ""
        return "  ".join(filter(None, (f"⚠ {count}" if count else "", paused)))

    def at(self, point: QPointF) -> str:
        """Return the path step of the item whose badge is at a point of the window; empty if there is
        none."""
        for item, area, _ in reversed(list(self._all())):
            if area.contains(point):
                return self._canvas.item_views.running_items.path_step(item.key) or item.key
        return ""

    def paint(self, painter: QPainter) -> None:
        """Paint the badges over everything else, at the same size at every zoom."""
        palette = QApplication.palette()
        for _, area, words in self._all():
            painter.setPen(QPen(palette.color(QPalette.ColorRole.ToolTipText), 1.5))
            painter.setBrush(palette.toolTipBase())
            painter.drawRoundedRect(area, 5, 5)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, words)

    def _all(self) -> Iterator[tuple[Item, QRectF, str]]:
        if not self._counts and not self._canvas.item_views.paused:
            return
        measure = self._canvas.fontMetrics()
        for item in self._canvas.state.stacked():
            words = self.words(item)
            if words:
                seen = self._canvas.camera.transform().mapRect(rect(self._canvas.place_of(item)))
                wide = measure.horizontalAdvance(words) + 14
                yield item, QRectF(seen.right() - wide + 6, seen.top() - 8, wide, _HIGH), words
