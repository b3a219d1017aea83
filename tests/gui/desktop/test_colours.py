"""A desktop when the colours of the system change, as when it goes dark."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from liven.liveobjects.view import HIGH_CONTRAST


def test_things_are_painted_anew_when_the_system_changes_its_colours(table: Any, qapp: QApplication) -> None:
    table.lay("a", 100, 100)
    light = table.canvas.grab().toImage()
    at = table.middle(next(iter(table.canvas.state.items))).toPoint()
    dark = QPalette()
    dark.setColor(QPalette.ColorRole.Base, QColor("#000000"))
    dark.setColor(QPalette.ColorRole.Text, QColor("#ffffff"))
    try:
        qapp.setProperty(HIGH_CONTRAST, True)
        qapp.setPalette(dark)
        table.settle()
        assert table.canvas.grab().toImage().pixelColor(at) == QColor("#000000")
    finally:
        qapp.setProperty(HIGH_CONTRAST, None)
        qapp.setPalette(QPalette())
        table.settle()
    assert table.canvas.grab().toImage() == light
