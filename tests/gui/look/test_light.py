"""The look that applies: by the light, by high contrast, or by the palette."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from liven.liveobjects.look.tokens import DAY, DUSK, HIGH_DARK, HIGH_LIGHT
from liven.liveobjects.look.view.light import HIGH_CONTRAST, LIGHT, current_look


@pytest.fixture(autouse=True)
def restored(qapp: QApplication) -> Iterator[None]:
    yield
    qapp.setProperty(LIGHT, None)
    qapp.setProperty(HIGH_CONTRAST, None)
    qapp.setPalette(QPalette())


def test_the_light_of_the_program_decides(qapp: QApplication) -> None:
    qapp.setProperty(LIGHT, "dusk")
    assert current_look() is DUSK
    qapp.setProperty(LIGHT, "day")
    assert current_look() is DAY


def test_high_contrast_comes_in_the_same_light(qapp: QApplication) -> None:
    qapp.setProperty(HIGH_CONTRAST, True)
    qapp.setProperty(LIGHT, "dusk")
    assert current_look() is HIGH_DARK
    qapp.setProperty(LIGHT, "day")
    assert current_look() is HIGH_LIGHT


@pytest.mark.parametrize(("base", "look"), [("#101010", DUSK), ("#fafafa", DAY)])
def test_without_a_light_the_palette_decides(qapp: QApplication, base: str, look: object) -> None:
    palette = QPalette()
    palette.setColor(QPalette.ColorRole.Base, QColor(base))
    qapp.setPalette(palette)
    assert current_look() is look
