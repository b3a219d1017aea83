"""The ground of a plane, in the colour that people gave it, and the colour of what is written on it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop.state import Desktop
from liven.liveobjects.view.accessibility import is_high_contrast


def ground_of(state: Desktop) -> QColor:
    """The colour of the plane: that which people chose, unless one needs the palette's alone."""
    chosen = "" if is_high_contrast() else state.background
    return QColor(chosen) if chosen else QApplication.palette().color(QPalette.ColorRole.Base)


def ink_on(ground: QColor) -> QColor:
    """The colour of letters; on a ground that people chose, where those might not be seen, black or white."""
    palette = QApplication.palette()
    if ground == palette.color(QPalette.ColorRole.Base):
        return palette.color(QPalette.ColorRole.Text)
    return QColor(Qt.GlobalColor.black if ground.lightness() > 127 else Qt.GlobalColor.white)
