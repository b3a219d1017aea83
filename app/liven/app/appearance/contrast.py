"""High-contrast colours: black and white, one strong highlight colour, visible edges."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette

_ROLES = QPalette.ColorRole
_PAPER = (_ROLES.Window, _ROLES.Base, _ROLES.AlternateBase, _ROLES.Button, _ROLES.ToolTipBase)
_INK = (
    _ROLES.WindowText,
    _ROLES.Text,
    _ROLES.ButtonText,
    _ROLES.BrightText,
    _ROLES.ToolTipText,
    _ROLES.PlaceholderText,
    _ROLES.Mid,
    _ROLES.Dark,
    _ROLES.Shadow,
    _ROLES.Light,
    _ROLES.Midlight,
)
EDGES = """
QPushButton, QToolButton, QComboBox, QLineEdit, QAbstractItemView, QPlainTextEdit, QProgressBar, QDockWidget,
QTabBar::tab, QMenu { border: 1px solid palette(text); }
QScrollBar { background: palette(base); border: 1px solid palette(text); }
QScrollBar::handle { background: palette(text); min-height: 24px; min-width: 24px; }
QTabBar::tab { padding: 4px 12px; }
QTabBar::tab:selected { border-width: 3px; }
QPushButton { padding: 4px 12px; }
QPushButton:checked { border: 3px solid palette(text); font-weight: bold; }
QPushButton:focus, QToolButton:focus, QComboBox:focus, QLineEdit:focus
{ border: 3px solid palette(highlight); }
QCheckBox::indicator { border: 2px solid palette(text); width: 14px; height: 14px; }
QCheckBox::indicator:checked { background: palette(highlight); }
QToolButton:checked { border: 3px solid palette(text); }
"""
"""Borders for what Qt's style draws in shades of the window colour, which is pure black or white here."""


def high_contrast(*, dark: bool) -> QPalette:
    """Return the palette for a dark or a light system."""
    ink, paper = QColor("#ffffff"), QColor("#000000")
    chosen, on_chosen, faint = QColor("#ffff00"), QColor("#000000"), QColor("#c8c8c8")
    if not dark:
        ink, paper = paper, ink
        chosen, on_chosen, faint = QColor("#00009f"), QColor("#ffffff"), QColor("#4a4a4a")
    made = QPalette()
    for role in _PAPER:
        made.setColor(role, paper)
    for role in _INK:
        made.setColor(role, ink)
    for role in (_ROLES.Highlight, _ROLES.Accent, _ROLES.Link, _ROLES.LinkVisited):
        made.setColor(role, chosen)
    made.setColor(_ROLES.HighlightedText, on_chosen)
    for role in (_ROLES.WindowText, _ROLES.Text, _ROLES.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, faint)
    return made
