"""Pixmaps of items: painted once per scale, within a memory limit."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter

from liven.liveobjects.desktop.view.items.pixmap_cache import MOST_BYTES, PixmapCache


def test_pixmaps_are_painted_once_per_scale_within_a_memory_limit(qtbot: Any) -> None:
    pictures = PixmapCache()
    painted: list[str] = []

    def paint(painter: QPainter, area: QRectF) -> None:
        painted.append("x")
        painter.fillRect(area, QColor(Qt.GlobalColor.red))

    size = QSizeF(100, 50)
    for scale in (1.0, 1.0, 0.95):
        pictures.get("a", size, scale, paint)
    assert len(painted) == 1
    pictures.get("a", size, 2.0, paint)
    assert len(painted) == 2
    pictures.forget("a")
    assert pictures.kept("a", size) is None
    for number in range(40):
        pictures.get(str(number), QSizeF(2000, 2000), 1.0, paint)
    assert pictures._bytes <= MOST_BYTES
    assert pictures.kept("0", QSizeF(2000, 2000)) is None
    pictures.clear()
    assert pictures._bytes == 0
