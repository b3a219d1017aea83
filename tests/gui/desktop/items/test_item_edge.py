"""Edges and shadows of items, and pictures for the screen: another light, high-resolution screens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QPainter, QPalette
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop.view.items.item_edge import (
    Height,
    fitting_radius,
    paint_edge,
    paint_item_shadow,
)
from liven.liveobjects.look.tokens import CARD_RADIUS, DAY, DUSK, HIGH_DARK, NOTE_RADIUS, Look
from liven.liveobjects.look.view.light import LIGHT
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
    assert (plain.width(), plain.height()) == (80, 60)
    monkeypatch.setattr(table.canvas, "devicePixelRatioF", lambda: 2.0)
    table.bot.waitUntil(lambda: not table.canvas.is_moving, timeout=20_000)
    table.canvas.grab()
    sharp = table.canvas.item_views.pictures.kept(a, size)
    assert (sharp.width(), sharp.height()) == (160, 120)


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast ratio of two colours as WCAG defines it."""

    def light(colour: QColor) -> float:
        parts = colour.redF(), colour.greenF(), colour.blueF()
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.fixture
def lit(qapp: QApplication) -> Iterator[Callable[..., None]]:
    """Return a function that chooses the light and the contrast, which are reset after the test."""

    def choose(light: str, *, high: bool = False) -> None:
        qapp.setProperty(LIGHT, light)
        qapp.setProperty(HIGH_CONTRAST, high or None)

    yield choose
    for name in (LIGHT, HIGH_CONTRAST):
        qapp.setProperty(name, None)


@pytest.mark.parametrize(
    ("light", "high", "least"),
    [("day", False, 1.2), ("dusk", False, 1.3), ("dusk", True, 4.5)],
    ids=["day", "dusk", "high contrast"],
)
@pytest.mark.parametrize("zoom", [0.5, 1.0, 1.7])
def test_overlapping_notes_are_told_apart_at_every_zoom(
    table: Any, lit: Callable[..., None], light: str, high: bool, least: float, zoom: float
) -> None:
    table.lay("below", 100, 100, 200, 120)
    above = table.lay("above", 140, 150, 200, 120)
    table.canvas.select(())
    lit(light, high=high)
    table.canvas.item_views.pictures.clear()
    table.canvas.zoom_and_view.zoom(zoom, QPointF(0, 0))
    table.bot.waitUntil(lambda: not table.canvas.is_moving, timeout=20_000)
    picture = table.canvas.grab().toImage()
    side = table.canvas.camera.to_window(QPointF(140, 200)).toPoint()
    row = [QColor(picture.pixel(x, side.y())) for x in range(side.x() - 12, side.x() + 12)]
    below, over = row[0], QColor(picture.pixel(side.x() + 12, side.y()))
    assert max(max(contrast(one, below), contrast(one, over)) for one in row) >= least
    assert table.canvas.item_at(side.toPointF() + QPointF(4, 0)).key == above


def test_corners_of_any_view_are_round_and_the_plane_is_seen_there(
    table: Any, lit: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    lit("day")
    note = table.lay("note", 100, 100, 200, 120)
    table.canvas.select(())
    views = table.canvas.item_views
    assert views.radius(note) == NOTE_RADIUS
    for radius in (NOTE_RADIUS, CARD_RADIUS, 40.0):
        monkeypatch.setattr(type(views.view(note)), "radius", lambda _, one=radius: one)
        views.pictures.clear()
        table.bot.waitUntil(lambda: not table.canvas.is_moving, timeout=20_000)
        table.canvas.grab()
        picture = views.pictures.kept(note, QSizeF(200, 120)).toImage()
        assert picture.pixelColor(0, 0).alpha() < 60
        assert picture.pixelColor(199, 119).alpha() < 60
        inside = round(radius * 0.3) + 1
        assert picture.pixelColor(inside, inside).alpha() == 255
        assert picture.pixelColor(100, 0).alpha() == 255


def test_an_absurd_radius_of_an_author_does_no_harm(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    key = table.lay("note", 100, 100, 80, 60)
    for radius, seen in ((float("nan"), 10.0), (float("inf"), 10.0), (-5.0, -5.0), (1e9, 1e9)):
        monkeypatch.setattr(type(table.canvas.item_views.view(key)), "radius", lambda _, one=radius: one)
        assert table.canvas.item_views.radius(key) == seen
        table.canvas.item_views.pictures.clear()
        assert not table.canvas.grab().isNull()
    monkeypatch.setattr(type(table.canvas.item_views.view(key)), "radius", lambda _: "round")
    assert table.canvas.item_views.radius(key) == 10.0
    assert fitting_radius(1e9, QRectF(0, 0, 80, 60)) == 30
    assert fitting_radius(-5, QRectF(0, 0, 80, 60)) == 0


@pytest.mark.parametrize(("light", "look"), [("day", DAY), ("dusk", DUSK)])
def test_edges_are_thin_lines_of_the_look(lit: Callable[..., None], light: str, look: Look) -> None:
    lit(light)
    picture = QImage(40, 40, QImage.Format.Format_RGB32)
    picture.fill(QColor("#808080"))
    painter = QPainter(picture)
    paint_edge(painter, QRectF(0, 0, 40, 40), 0)
    painter.end()
    assert QColor(picture.pixel(0, 20)).name() == look.edge
    assert QColor(picture.pixel(1, 20)).name() == "#808080", "one pixel wide"


def test_in_high_contrast_the_edge_is_the_ink_whatever_an_author_wants(lit: Callable[..., None]) -> None:
    lit("dusk", high=True)
    picture = QImage(40, 40, QImage.Format.Format_RGB32)
    painter = QPainter(picture)
    paint_edge(painter, QRectF(0, 0, 40, 40), 0, "#202020")
    painter.end()
    assert [QColor(picture.pixel(x, 20)).name() for x in (0, 1)] == [HIGH_DARK.edge] * 2


def test_what_is_higher_has_a_larger_shadow(lit: Callable[..., None]) -> None:
    lit("day")
    sums = []
    for height in Height:
        picture = QImage(200, 200, QImage.Format.Format_ARGB32)
        picture.fill(0)
        painter = QPainter(picture)
        paint_item_shadow(painter, QRectF(60, 60, 80, 60), 10, height)
        painter.end()
        sums.append(sum(picture.pixelColor(100, y).alpha() for y in range(120, 200)))
    assert sums == sorted(sums)
    assert sums[0] > 0
