"""Badges: a sign on each thing that has a problem or was set aside; a click on it asks for the problems."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPalette, QPen
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view.tools.gestures import rect

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

_HIGH = 22.0
_ASIDE = "set aside"


class Badges:
    """Those of one canvas. They are told in words, so that none depends on its colour."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._counts: dict[str, int] = {}

    def called(self, part: str) -> list[Item]:
        """The thing that a problem means by this step of its path, if there is one; or by its key."""
        items, step = self._canvas.state.items.values(), self._canvas.actors.stage.step
        return [item for item in items if part in (step(item.key), item.key)] if part else []

    def mark(self, part: str, count: int) -> bool:
        """So many problems of what is called so are listed; False if nothing is called so."""
        found = self.called(part)
        for item in found:
            if count:
                self._counts[item.key] = count
            else:
                self._counts.pop(item.key, None)
        if found:
            self._canvas.update()
        return bool(found)

    def words(self, item: Item) -> str:
        """What stands on a thing's badge; empty if it has none."""
        count = self._counts.get(item.key, 0)
        aside = _ASIDE if item.key in self._canvas.actors.aside else ""
        return "  ".join(filter(None, (f"⚠ {count}" if count else "", aside)))

    def at(self, point: QPointF) -> str:
        """By what step problems mean the thing whose badge lies under a point of the window; empty if there
        is none."""
        for item, area, _ in reversed(list(self._all())):
            if area.contains(point):
                return self._canvas.actors.stage.step(item.key) or item.key
        return ""

    def paint(self, painter: QPainter) -> None:
        """Paints them over everything else, at one size however far one is away."""
        palette = QApplication.palette()
        for _, area, words in self._all():
            painter.setPen(QPen(palette.color(QPalette.ColorRole.ToolTipText), 1.5))
            painter.setBrush(palette.toolTipBase())
            painter.drawRoundedRect(area, 5, 5)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, words)

    def _all(self) -> Iterator[tuple[Item, QRectF, str]]:
        if not self._counts and not self._canvas.actors.aside:
            return
        measure = self._canvas.fontMetrics()
        for item in self._canvas.state.stacked():
            words = self.words(item)
            if words:
                seen = self._canvas.camera.transform().mapRect(rect(self._canvas.place_of(item)))
                wide = measure.horizontalAdvance(words) + 14
                yield item, QRectF(seen.right() - wide + 6, seen.top() - 8, wide, _HIGH), words
