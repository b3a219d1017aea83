"""The colours of a moment that is not live: amber in both lights, and the system's own in high contrast."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor, QPalette

from liven.liveobjects.view.accessibility import is_high_contrast

_AMBER, _ON_AMBER, _AMBER_LETTERS, _AMBER_LINE = "#ffb347", "#2b1900", "#9c5300", "#d17200"
_TINT = 20
"""The opacity of the tint over what is not live, of 255: enough to be seen, little enough to read through."""
_DARK_BELOW = 128


@dataclass(frozen=True, slots=True)
class PastColours:
    """The colours for one palette."""

    banner: QColor
    on_banner: QColor
    tint: QColor
    """Fully transparent in high contrast, where the frame alone tells."""
    line: QColor
    bars: QColor
    played: QColor
    """The bars of events that have been given."""
    mark: QColor


def past_colours(palette: QPalette) -> PastColours:
    """Return the colours for a palette."""
    roles = QPalette.ColorRole
    if is_high_contrast():
        ink, chosen = palette.color(roles.Text), palette.color(roles.Highlight)
        clear = QColor(0, 0, 0, 0)
        return PastColours(chosen, palette.color(roles.HighlightedText), clear, chosen, ink, chosen, ink)
    amber = QColor(_AMBER)
    tint = QColor(amber)
    tint.setAlpha(_TINT)
    bars = QColor(palette.color(roles.WindowText))
    bars.setAlpha(90)
    dark = palette.color(roles.Window).lightness() < _DARK_BELOW
    line, mark = QColor(_AMBER if dark else _AMBER_LINE), QColor(_AMBER if dark else _AMBER_LETTERS)
    return PastColours(amber, QColor(_ON_AMBER), tint, line, bars, line, mark)
