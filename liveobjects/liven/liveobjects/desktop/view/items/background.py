"""The background colour of a desktop, and a text colour that is legible on it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop.state import Desktop
from liven.liveobjects.view.accessibility import is_high_contrast


def background_of(state: Desktop) -> QColor:
    """Return the background colour. In high contrast, people's choice is ignored."""
    selected = "" if is_high_contrast() else state.background
    return QColor(selected) if selected else QApplication.palette().color(QPalette.ColorRole.Base)


def text_colour_on(ground: QColor) -> QColor:
    """Return the text colour for a background: the palette's, or black or white on a colour that people
    chose."""
    palette = QApplication.palette()
    if ground == palette.color(QPalette.ColorRole.Base):
        return palette.color(QPalette.ColorRole.Text)
    return QColor(Qt.GlobalColor.black if ground.lightness() > 127 else Qt.GlobalColor.white)
