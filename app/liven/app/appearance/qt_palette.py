"""Qt's palette in a look."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QColor, QPalette

from liven.liveobjects.look.tokens import Look

_ROLES = QPalette.ColorRole
_MEANINGS: Final = {
    _ROLES.Window: "island",
    _ROLES.Base: "card",
    _ROLES.AlternateBase: "head",
    _ROLES.Button: "island",
    _ROLES.ToolTipBase: "toast",
    _ROLES.ToolTipText: "toast_ink",
    _ROLES.WindowText: "ink",
    _ROLES.Text: "ink",
    _ROLES.ButtonText: "ink",
    _ROLES.BrightText: "bad",
    _ROLES.PlaceholderText: "quiet",
    _ROLES.Highlight: "select",
    _ROLES.HighlightedText: "on_select",
    _ROLES.Accent: "select",
    _ROLES.Link: "select",
    _ROLES.LinkVisited: "select",
    _ROLES.Light: "rule",
    _ROLES.Midlight: "rule",
    _ROLES.Mid: "edge",
    _ROLES.Dark: "line",
    _ROLES.Shadow: "edge",
}
_LETTERS: Final = (_ROLES.WindowText, _ROLES.Text, _ROLES.ButtonText)


def palette_of(look: Look) -> QPalette:
    """Return the palette of a look."""
    made = QPalette()
    for role, meaning in _MEANINGS.items():
        made.setColor(role, QColor(str(getattr(look, meaning))))
    disabled = QPalette.ColorGroup.Disabled
    for role in _LETTERS:
        made.setColor(disabled, role, QColor(look.mute))
    if not look.high_contrast:
        made.setColor(disabled, _ROLES.Highlight, QColor(look.faint))
        made.setColor(disabled, _ROLES.HighlightedText, QColor(look.mute))
    return made
