"""A tile of the start window: pressed as a whole, and moved between by the arrow keys."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
)
from PySide6.QtWidgets import QWidget

from liven.liveobjects.look.view.pressable import Pressable

RIM: Final = 8
"""Pixels around a tile, for its shadow and its ring."""


class Tile(Pressable):
    """A tile that is pressed as a whole, and moved between by the arrow keys."""

    moved = Signal(int, int)
    """Emitted with columns and rows by which the focus is to move."""

    def __init__(self, below: QWidget) -> None:
        super().__init__(below)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Up: (0, -1),
            Qt.Key.Key_Down: (0, 1),
        }
        step = steps.get(Qt.Key(event.key()))
        if step is not None:
            self.moved.emit(*step)
        else:
            super().keyPressEvent(event)

    def inside(self) -> QRectF:
        return QRectF(self.rect()).adjusted(RIM, RIM, -RIM, -RIM)
