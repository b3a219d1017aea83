"""Outlines of items and pictures for the screen: new system colours, high-resolution screens."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QPainter, QPalette
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop.view.items.item_shadow import SHADE, edge_colour, paint_outline
from liven.liveobjects.view.accessibility import HIGH_CONTRAST


def test_items_are_repainted_when_the_system_changes_its_colours(table: Any, qapp: QApplication) -> None:
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


def test_items_are_painted_at_the_resolution_of_the_screen(
    table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    a = table.lay("a", 100, 100, 80, 60)
    table.bot.waitUntil(lambda: not table.canvas.is_moving, timeout=20_000)
    table.canvas.grab()
    size = QSizeF(80, 60)
    plain = table.canvas.item_views.pictures.kept(a, size)
    assert (plain.width(), plain.height()) == (80 + SHADE, 60 + SHADE)
    monkeypatch.setattr(table.canvas, "devicePixelRatioF", lambda: 2.0)
    table.bot.waitUntil(lambda: not table.canvas.is_moving, timeout=20_000)
    table.canvas.grab()
    sharp = table.canvas.item_views.pictures.kept(a, size)
    assert (sharp.width(), sharp.height()) == (160 + SHADE, 120 + SHADE)


DARK = {"Base": "#1e1e1e", "Text": "#dddddd"}
BLACK = {"Base": "#000000", "Text": "#ffffff"}


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast ratio of two colours as WCAG defines it."""

    def light(colour: QColor) -> float:
        parts = colour.redF(), colour.greenF(), colour.blueF()
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("colours", "high", "least"),
    [({}, False, 1.7), (DARK, False, 1.7), (BLACK, True, 4.5)],
    ids=["light", "dark", "high contrast"],
)
@pytest.mark.parametrize("zoom", [0.5, 1.0, 1.7])
def test_overlapping_notes_are_separated_by_an_outline_at_every_zoom(
    table: Any, qapp: QApplication, colours: dict[str, str], high: bool, least: float, zoom: float
) -> None:
    table.lay("below", 100, 100, 200, 120)
    above = table.lay("above", 140, 150, 200, 120)
    table.canvas.select(())
    palette = QPalette()
    for role, colour in colours.items():
        palette.setColor(QPalette.ColorRole[role], QColor(colour))
    try:
        qapp.setProperty(HIGH_CONTRAST, high or None)
        qapp.setPalette(palette)
        table.canvas.zoom_and_view.zoom(zoom, QPointF(0, 0))
        table.bot.waitUntil(lambda: not table.canvas.is_moving, timeout=20_000)
        picture = table.canvas.grab().toImage()
    finally:
        qapp.setProperty(HIGH_CONTRAST, None)
        qapp.setPalette(QPalette())
    side = table.canvas.camera.to_window(QPointF(140, 200)).toPoint()
    row = [QColor(picture.pixel(x, side.y())) for x in range(side.x() - 12, side.x() + 12)]
    below, over = row[0], QColor(picture.pixel(side.x() + 12, side.y()))
    assert max(min(contrast(one, below), contrast(one, over)) for one in row) >= least
    assert table.canvas.item_at(side.toPointF() + QPointF(4, 0)).key == above


def test_outline_is_visible_on_every_colour() -> None:
    for grey in range(0, 256, 15):
        ground = QColor(grey, grey, grey)
        picture = QImage(40, 40, QImage.Format.Format_RGB32)
        picture.fill(ground)
        painter = QPainter(picture)
        paint_outline(painter, QRectF(0, 0, 40, 40))
        painter.end()
        assert QColor(picture.pixel(0, 20)) == edge_colour()
        assert QColor(picture.pixel(1, 20)) == ground, "one pixel wide"
