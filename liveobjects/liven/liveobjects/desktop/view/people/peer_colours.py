"""Colours of other people, changed if necessary so that they differ from your own highlight colour."""

from __future__ import annotations

import math
from functools import partial
from typing import Final

from PySide6.QtGui import QColor, QPalette

from liven.liveobjects.look.contrast import contrast

NEAR: Final = 110.0
"""Colours nearer than this look alike in thin lines; black and white are 441 apart."""
_LETTERS: Final = ("#ffffff", "#0d1420")
_STEPS: Final = (0.0, 0.25, 0.4, 0.55, 0.7, 0.85)


def distinct_colour(colour: QColor, palette: QPalette) -> QColor:
    """Return a person's colour, made darker or lighter until it differs from the highlight.

    It is mixed with the text colour, so that it also differs from the background. If that is not enough,
    another hue is used."""
    own = palette.color(QPalette.ColorRole.Highlight)
    ink = palette.color(QPalette.ColorRole.WindowText)
    colour = colour if colour.isValid() else palette.color(QPalette.ColorRole.WindowText)
    tried = [_mixed(colour, ink, share) for share in _STEPS]
    hue = max(colour.hue(), 0)
    rich, bright = max(colour.saturation(), 150), max(colour.value(), 150)
    tried += [QColor.fromHsv((hue + turn) % 360, rich, bright) for turn in (120, 240)]
    far = (one for one in tried if distance(one, own) >= NEAR)
    return next(far, None) or max(tried, key=lambda one: distance(one, own))


def letters_on(colour: str) -> str:
    """Return the colour of letters on the colour of a person, which may be any."""
    return max(_LETTERS, key=partial(contrast, colour))


def distance(one: QColor, other: QColor) -> float:
    """Return the distance between two colours in RGB."""
    parts = (one.red() - other.red(), one.green() - other.green(), one.blue() - other.blue())
    return math.hypot(*parts)


def _mixed(colour: QColor, ink: QColor, share: float) -> QColor:
    pairs = ((colour.red(), ink.red()), (colour.green(), ink.green()), (colour.blue(), ink.blue()))
    return QColor(*(round((1 - share) * a + share * b) for a, b in pairs))
