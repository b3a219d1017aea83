"""Islands: groups of controls that float over a plane, and popovers, which open from them.

An island is as large as it is seen, so that no press beside it is lost. The widget below paints its shadow.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QMargins, QRect, QRectF, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent, QMoveEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from liven.liveobjects.look.tokens import ISLAND_RADIUS, Layer, Look
from liven.liveobjects.look.view import shade
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box

RULE: Final = None
"""Stands for a line between controls."""
_RULE_WIDTH, _RULE_HEIGHT = 11, 20


class Island(QWidget):
    """A row of controls on a ground of their own. Tab goes through them; Esc goes back to what lies below."""

    def __init__(
        self, parent: QWidget, name: str, *, pad: int = 6, gap: int = 2, radius: float = ISLAND_RADIUS
    ) -> None:
        super().__init__(parent)
        self.radius = radius
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMousePropagation)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(pad, pad, pad, pad)
        self.row.setSpacing(gap)

    def add(self, *controls: QWidget | None) -> None:
        """Add controls at the end; `RULE` draws a line."""
        for one in controls:
            self.row.addWidget(_Rule() if one is None else one)

    def layers(self, look: Look) -> tuple[Layer, ...]:
        """Return the shadow of this kind of island."""
        return look.shadows.island

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground."""
        del event
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_ground(painter, look)
        painter.end()

    def paint_ground(self, painter: QPainter, look: Look) -> None:
        """Paint the ground with its edge."""
        paint_box(painter, QRectF(self.rect()), self.radius, look.island, look.edge, look.edge_width)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Go to the next control of this island, and from the last one to the first."""
        stops = [one for one in self.findChildren(QWidget) if _takes_tab(one, self)]
        if not stops:
            return False
        focused = self.focusWidget()
        step = 1 if forward else -1
        at = stops.index(focused) + step if focused in stops else 0
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        stops[at % len(stops)].setFocus(reason)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go back to what lies below on Esc."""
        below = self.parentWidget()
        if event.key() == Qt.Key.Key_Escape and below is not None:
            below.setFocus()
        else:
            event.ignore()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._update_shadow(QRect(event.oldPos(), self.size()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_shadow(QRect(self.pos(), event.oldSize()))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._update_shadow(self.geometry())

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._update_shadow(self.geometry())

    def _update_shadow(self, before: QRect) -> None:
        below = self.parentWidget()
        if below is not None:
            out = round(shade.reach(self.layers(current_look()))) + 2
            below.update((before | self.geometry()) + QMargins(out, out, out, out))


def paint_shadows(painter: QPainter, below: QWidget) -> None:
    """Paint the shadows of the islands over a widget, which calls this before it paints its selection: a
    shadow would dim the handles."""
    look = current_look()
    for one in below.children():
        if isinstance(one, Island) and one.isVisible():
            shade.paint_shadow(painter, QRectF(one.geometry()), one.layers(look), one.radius)


class _Rule(QWidget):
    """A line between controls."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(_RULE_WIDTH, _RULE_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        look = current_look()
        painter = QPainter(self)
        width = round(look.edge_width)
        area = QRect((_RULE_WIDTH - width) // 2, 0, width, _RULE_HEIGHT)
        painter.fillRect(area, look.edge if look.dark else look.rule)
        painter.end()


def _takes_tab(one: QWidget, island: QWidget) -> bool:
    by_tab = bool(one.focusPolicy().value & Qt.FocusPolicy.TabFocus.value)
    return by_tab and one.isEnabled() and one.isVisibleTo(island)
