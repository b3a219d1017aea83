"""Popovers: islands that open beside a button and close on Esc, or when one presses elsewhere."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from liven.liveobjects.look.tokens import ISLAND_RADIUS, Layer, Look
from liven.liveobjects.look.view.island import Island
from liven.liveobjects.look.view.marks import paint_box

AWAY: Final = 10
"""Pixels between an island and its popover."""
_RIM: Final = 8


class Popover(Island):
    """A popover with a column of contents. It is deleted when it closes."""

    closed = Signal()

    def __init__(self, below: QWidget, name: str, anchor: QWidget, *, width: int, pad: int = 16) -> None:
        """Make a popover on `below` for a button; `show_beside` shows it."""
        super().__init__(below, name, pad=pad, radius=ISLAND_RADIUS)
        self.anchor, self._over = anchor, False
        self.column = QVBoxLayout()
        self.column.setSpacing(8)
        self.row.addLayout(self.column)
        self.setFixedWidth(width)

    def show_beside(self, focused: QWidget | None = None) -> None:
        """Show the popover under or over its button, inside the window, and give the focus to a control."""
        self.place()
        self.show()
        self.raise_()
        running = QApplication.instance()
        if running is not None:
            running.installEventFilter(self)
        if focused is None:
            self.focusNextPrevChild(True)
        else:
            focused.setFocus(Qt.FocusReason.PopupFocusReason)

    def place(self) -> None:
        """Place the popover anew, after its contents or the window have another size."""
        below = self.parentWidget()
        if below is None:
            return
        self.row.activate()
        self.adjustSize()
        island = self.anchor.parentWidget() or self.anchor
        top_left = island.mapTo(below, QPoint(0, 0))
        right = top_left.x() + island.width()
        left = min(max(right - self.width(), _RIM), max(below.width() - _RIM - self.width(), _RIM))
        under = top_left.y() + island.height() + AWAY
        above = top_left.y() - AWAY - self.height()
        self.move(left, under if under + self.height() <= below.height() - _RIM else max(above, _RIM))

    def layers(self, look: Look) -> tuple[Layer, ...]:
        return look.shadows.popover

    def paint_ground(self, painter: QPainter, look: Look) -> None:
        paint_box(painter, QRectF(self.rect()), self.radius, look.popover, look.popover_edge, look.edge_width)

    def close_popover(self, *, back: bool = True) -> None:
        """Close the popover; with `back`, the focus goes to its button."""
        if self._over:
            return
        self._over = True
        running = QApplication.instance()
        if running is not None:
            running.removeEventFilter(self)
        self.hide()
        if back:
            self.anchor.setFocus(Qt.FocusReason.PopupFocusReason)
        self.closed.emit()
        self.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_popover()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close when the mouse is pressed elsewhere in the window; follow the size of what lies below."""
        below = self.parentWidget()
        if watched is below and event.type() == QEvent.Type.Resize:
            QTimer.singleShot(0, self, self.place)  # after its islands have their places
        if (
            event.type() == QEvent.Type.MouseButtonPress
            and isinstance(event, QMouseEvent)
            and isinstance(watched, QWidget)
            and watched.window() is self.window()
            and watched is not self
            and not self.isAncestorOf(watched)
            and (watched is not self.anchor or watched is below)
        ):
            self.close_popover(back=False)
        return False
