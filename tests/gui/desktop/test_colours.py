"""A desktop on other screens: when the system changes its colours, and where a pixel is several."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QSizeF
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


def test_things_are_painted_as_sharp_as_the_screen_is(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    a = table.lay("a", 100, 100, 80, 60)
    table.bot.waitUntil(lambda: not table.canvas.hurrying, timeout=20_000)
    table.canvas.grab()
    size = QSizeF(80, 60)
    plain = table.canvas.actors.pictures.kept(a, size)
    assert (plain.width(), plain.height()) == (80, 60)
    monkeypatch.setattr(table.canvas, "devicePixelRatioF", lambda: 2.0)
    table.bot.waitUntil(lambda: not table.canvas.hurrying, timeout=20_000)
    table.canvas.grab()
    sharp = table.canvas.actors.pictures.kept(a, size)
    assert (sharp.width(), sharp.height()) == (160, 120)
