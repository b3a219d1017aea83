"""Painting that views share."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QApplication


def paint_sheet(painter: QPainter, area: QRectF) -> None:
    """Paint a sheet of paper with an edge, which makes it visible on a background of the same colour."""
    palette = QApplication.palette()
    painter.fillRect(area, palette.base())
    painter.setPen(palette.color(QPalette.ColorRole.Mid))
    painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))
    painter.setPen(palette.color(QPalette.ColorRole.Text))
