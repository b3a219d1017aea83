"""The colours of a moment that is not live: amber in both lights, and the system's own in high contrast."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor, QPalette

from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.view.accessibility import is_high_contrast

_TINT = 20
"""The opacity of the tint over what is not live, of 255: enough to be seen, little enough to read through."""
_BARS = 150
"""The opacity of the bars of events."""


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
    look = current_look()
    tint, bars = QColor(look.accent), QColor(look.quiet)
    tint.setAlpha(_TINT)
    bars.setAlpha(_BARS)
    line = QColor(look.accent_line)
    return PastColours(
        QColor(look.accent), QColor(look.on_accent), tint, line, bars, line, QColor(look.accent_ink)
    )
