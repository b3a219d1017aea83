"""The ground of a desktop: its colour, legible letters, and dots that are where the grid is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop.view.background import background_of, paint_grid, text_colour_on
from liven.liveobjects.look.contrast import TEXT, contrast
from liven.liveobjects.look.tokens import DAY, DUSK, HIGH_DARK, Look
from liven.liveobjects.look.view.light import HIGH_CONTRAST, LIGHT


@pytest.fixture(params=[DAY, DUSK, HIGH_DARK], ids=lambda look: look.name)
def look(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Look]:
    """Each look, applied."""
    made: Look = request.param
    qapp.setProperty(LIGHT, "dusk" if made.dark else "day")
    qapp.setProperty(HIGH_CONTRAST, made.high_contrast or None)
    yield made
    for name in (LIGHT, HIGH_CONTRAST):
        qapp.setProperty(name, None)


def painted(ground: QColor, origin: QPointF, gap: float, ratio: float = 1) -> QImage:
    picture = QImage(round(600 * ratio), round(400 * ratio), QImage.Format.Format_RGB32)
    picture.setDevicePixelRatio(ratio)
    painter = QPainter(picture)
    paint_grid(painter, QRectF(0, 0, 600, 400), ground, origin, gap)
    painter.end()
    return picture


def darkest(picture: QImage, at: QPointF, ground: QColor) -> float:
    """Return how much the pixels around a point differ from the ground at most."""
    ratio = picture.devicePixelRatio()
    x, y = round(at.x() * ratio), round(at.y() * ratio)
    around = [picture.pixelColor(x + right, y + down) for right in (-1, 0) for down in (-1, 0)]
    return max(abs(one.lightness() - ground.lightness()) for one in around)


@pytest.mark.parametrize("gap", [20.0, 25.0, 31.25, 39.0625, 23.7, 61.03515625])
@pytest.mark.parametrize("origin", [QPointF(0, 0), QPointF(-137, 44), QPointF(13, -7)])
def test_dots_are_at_the_points_of_the_grid_even_far_from_the_first(
    look: Look, gap: float, origin: QPointF
) -> None:
    ground = QColor(look.plane)
    picture = painted(ground, origin, gap)
    for column in range(1, int(500 / gap)):
        at = QPointF((origin.x() % gap) + column * gap, (origin.y() % gap) + 5 * gap)
        assert darkest(picture, at, ground) >= 5, (column, at)
    between = QPointF(origin.x() % gap + 1.5 * gap, origin.y() % gap + 2.5 * gap)
    assert darkest(picture, between, ground) == 0


def test_the_grid_is_fine_on_a_fine_screen(look: Look) -> None:
    ground = QColor(look.plane)
    picture = painted(ground, QPointF(0, 0), 20, 2.0)
    assert darkest(picture, QPointF(200, 100), ground) >= 5
    assert darkest(picture, QPointF(210, 110), ground) == 0


@pytest.mark.parametrize("chosen", ["#102030", "#ffeecc", "#808080"])
def test_letters_are_legible_on_every_ground(look: Look, chosen: str) -> None:
    for ground in (look.plane, chosen):
        assert contrast(text_colour_on(QColor(ground)).name(), ground) >= TEXT - 0.6


def test_the_plane_is_the_ground_unless_people_chose_another(look: Look, table: Any) -> None:
    state = table.canvas.state
    assert background_of(state).name() == look.plane
