"""The light of the program: properties of the application object that hold the settings, and the look that
follows from them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from liven.liveobjects.look.tokens import DAY, DUSK, Look, look_of

LIGHT: Final = "liven_light"
"""The property with the name of the light, `day` or `dusk`."""
HIGH_CONTRAST: Final = "liven_high_contrast"
REDUCED_MOTION: Final = "liven_reduced_motion"
_DARK_BELOW: Final = 128


_grounds: Final[list[Look]] = []
"""The looks that suit the grounds of the pictures that are being painted."""


def setting(name: str) -> bool:
    """Return a property of the application; False without an application."""
    running = QApplication.instance()
    return running is not None and bool(running.property(name))


def current_look() -> Look:
    """Return the look in which everything is painted now.

    A program that has no light, such as a test or a library's tool, gets the one that suits its palette."""
    running = QApplication.instance()
    light = None if running is None else running.property(LIGHT)
    if light in (DAY.name, DUSK.name):
        dark = light == DUSK.name
    else:
        dark = QApplication.palette().color(QPalette.ColorRole.Base).lightness() < _DARK_BELOW
    return look_of(dark=dark, high_contrast=setting(HIGH_CONTRAST))


def ground_look() -> Look:
    """Return the look for what stands on the ground itself, such as a text without paper: the present one, or
    in a picture with a ground of its own the one that suits that."""
    return _grounds[-1] if _grounds else current_look()


@contextmanager
def painted_on(ground: QColor) -> Iterator[None]:
    """Paint a picture on a ground: what stands on it has dark letters on white, whatever the light."""
    dark = ground.lightness() < _DARK_BELOW
    _grounds.append(look_of(dark=dark, high_contrast=setting(HIGH_CONTRAST)))
    try:
        yield
    finally:
        _grounds.pop()
