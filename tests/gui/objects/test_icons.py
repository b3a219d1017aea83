"""The tiles of object kinds: each has its own drawing in every theme."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPalette
from PySide6.QtWidgets import QApplication

from liven.app.appearance.qt_palette import palette_of
from liven.app.palette.new_objects import KINDS
from liven.liveobjects.icons.object_kind import kind_of
from liven.liveobjects.icons.view import icon_of, paint_tile
from liven.liveobjects.icons.view.drawings import DRAWINGS
from liven.liveobjects.look.tokens import HIGH_DARK
from liven.liveobjects.view.accessibility import HIGH_CONTRAST
from liven.runtime.reference.xml import compact

MADE = [kind_of(compact(kind.make("Anything"))) for kind in KINDS]


@pytest.fixture
def strong(qapp: QApplication) -> Iterator[QPalette]:
    qapp.setProperty(HIGH_CONTRAST, True)
    qapp.setPalette(palette_of(HIGH_DARK))
    yield qapp.palette()
    qapp.setProperty(HIGH_CONTRAST, None)
    qapp.setPalette(QPalette())


def tile(kind: str, side: int = 48) -> QImage:
    image = QImage(side, side, QImage.Format.Format_RGB32)
    image.fill(QColor("#808080"))
    painter = QPainter(image)
    paint_tile(painter, QRectF(image.rect()), kind)
    painter.end()
    return image


def colours(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_every_new_object_has_its_own_drawing(qapp: QApplication) -> None:
    assert set(MADE) == DRAWINGS.keys()
    pictures = [tile(kind) for kind in MADE]
    assert all(a != b for at, a in enumerate(pictures) for b in pictures[:at])


def test_icons_differ_in_shape_in_high_contrast(strong: QPalette) -> None:
    pictures = [tile(kind) for kind in MADE]
    assert all(a != b for at, a in enumerate(pictures) for b in pictures[:at])
    ground, ink = strong.color(QPalette.ColorRole.Base), strong.color(QPalette.ColorRole.Text)
    assert all(image.pixelColor(24, 5) == ground for image in pictures)
    assert all(ink.name() in colours(image) for image in pictures)


@pytest.mark.parametrize("kind", [*DRAWINGS, "Weather"])
def test_white_is_legible_on_every_tile(qapp: QApplication, kind: str) -> None:
    def light(one: int) -> float:
        part = one / 255
        return float(part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4)

    ground = tile(kind).pixelColor(24, 5)
    said = 0.2126 * light(ground.red()) + 0.7152 * light(ground.green()) + 0.0722 * light(ground.blue())
    assert 1.05 / (said + 0.05) >= 4.5


def test_unknown_kinds_have_two_letters_and_their_own_colour(qapp: QApplication) -> None:
    assert tile("Weather").pixelColor(24, 5) != tile("Stocks").pixelColor(24, 5)
    assert len(colours(tile("Weather"))) > 3


def test_an_icon_follows_the_theme(qapp: QApplication) -> None:
    before = icon_of("Note").pixmap(48, 48).toImage()
    qapp.setProperty(HIGH_CONTRAST, True)
    try:
        assert icon_of("Note").pixmap(48, 48).toImage() != before
    finally:
        qapp.setProperty(HIGH_CONTRAST, None)
    assert icon_of("Note").pixmap(48, 48).toImage() == before
