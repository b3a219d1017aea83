"""The style sheet of Qt's own widgets, made from the tokens of a look."""

from __future__ import annotations

from dataclasses import fields
from string import Template
from typing import Final

from liven.app.appearance.sign_resources import register
from liven.liveobjects.look.contrast import blend, mix
from liven.liveobjects.look.tokens import CARD_RADIUS, TYPE, Look
from liven.liveobjects.look.view.signs import Sign, svg

_ALL: Final = Template("""
QToolTip { background: $toast; color: $toast_ink; border: 0; padding: 5px 8px; }
QDialog, QMessageBox { background: $popover; }
QDialog[inside="true"] { background: transparent; }
QMenuBar { background: $island; border: 0; padding: 3px 6px; }
QMenuBar::item { padding: 5px 10px; border-radius: 6px; background: transparent; }
QMenuBar::item:selected { background: $hovered; }
QMenuBar::item:pressed { background: $row; color: $row_ink; }
QMenu { background: $popover; border: ${edge_width}px solid $popover_edge; border-radius: ${menu_radius}px;
    padding: 5px; }
QMenu::item { padding: 7px 24px 7px 12px; border-radius: 6px; margin: 0 1px; min-height: 18px; }
QMenu::icon { padding-left: 10px; }
QMenu::item:selected { background: $row; color: $row_ink; }
QMenu::item:disabled { color: $mute; background: transparent; }
QMenu::separator { height: 1px; background: $rule; margin: 5px 9px; }
QMenu::right-arrow { image: url($signs/right.svg); width: 14px; height: 14px; right: 6px; }
QMenu::right-arrow:selected { image: url($signs/right_in_row.svg); }
QMenu::indicator { width: 16px; height: 16px; left: 8px; }
QMenu::indicator:checked { image: url($signs/check.svg); }
QMenu::indicator:checked:selected { image: url($signs/check_in_row.svg); }
QPushButton { background: $button; border: ${edge_width}px solid $field_edge; border-radius: 8px;
    padding: 0 14px; min-height: 30px; font-weight: 600; }
QPushButton:hover { background: $hovered; }
QPushButton:pressed, QPushButton:checked { background: $pressed; }
QPushButton:default { background: $ink; color: $popover; border-color: $ink; }
QPushButton:default:hover { background: $quiet; }
QPushButton[safe="true"], QPushButton[safe="true"]:default { background: $accent; color: $on_accent;
    border-color: $accent; }
QPushButton[safe="true"]:hover { background: $accent_hover; }
QPushButton[safe="true"]:default:focus { border: ${ring}px solid $select; }
QPushButton:flat { background: transparent; border-color: transparent; }
QPushButton:flat:hover { background: $hovered; }
QPushButton:disabled { color: $mute; background: $faint; border-color: $disabled_edge; }
QPushButton:focus, QLineEdit:focus, QComboBox:focus, QPlainTextEdit:focus, QTextBrowser:focus,
QAbstractItemView:focus, QAbstractSpinBox:focus { border: ${ring}px solid $select; }
QPushButton:focus { padding: 0 13px; min-height: 28px; }
QToolButton { border: 0; border-radius: 7px; padding: 5px; min-width: 18px; min-height: 18px; }
QToolButton:hover { background: $hovered; }
QToolButton:pressed { background: $pressed; }
QToolButton:checked { background: $row; color: $row_ink; }
QToolButton:focus { border: ${ring}px solid $select; padding: ${tool_padding}px; }
QToolButton:disabled { color: $mute; }
QLineEdit, QComboBox, QAbstractSpinBox { background: $card; border: ${edge_width}px solid $field_edge;
    border-radius: 8px; padding: 0 10px; min-height: 30px; selection-background-color: $select;
    selection-color: $on_select; }
QLineEdit:focus, QComboBox:focus, QAbstractSpinBox:focus { padding: 0 9px; min-height: 28px; }
QLineEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled { color: $mute; background: $faint; }
QAbstractSpinBox QLineEdit, QAbstractSpinBox QLineEdit:focus { border: 0; border-radius: 0;
    padding: 0 0 0 8px; min-height: 0; background: transparent; }
QComboBox { combobox-popup: 0; }
QComboBox::drop-down { border: 0; width: 26px; }
QComboBox::down-arrow { image: url($signs/down.svg); width: 14px; height: 14px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: 0; width: 22px; }
QAbstractSpinBox::up-arrow { image: url($signs/up.svg); width: 12px; height: 12px; }
QAbstractSpinBox::down-arrow { image: url($signs/down.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView, QComboBox QAbstractItemView:focus { background: $popover;
    border: ${edge_width}px solid $popover_edge; border-radius: 0; padding: 4px; }
QComboBox QAbstractItemView::item { min-height: 28px; padding: 0 8px; }
QPlainTextEdit, QTextBrowser, QAbstractItemView { background: $card; border: ${edge_width}px solid $edge;
    border-radius: 8px; padding: 4px; outline: 0; selection-background-color: $row;
    selection-color: $row_ink; }
QPlainTextEdit, QTextBrowser { selection-background-color: $select; selection-color: $on_select; }
QAbstractItemView::item { padding: 5px 8px; border-radius: 6px; }
QAbstractItemView::item:hover { background: $hovered; }
QAbstractItemView::item:selected { background: $row; color: $row_ink; }
QTreeView::item, QTableView::item { border-radius: 0; min-height: 18px; }
QHeaderView { border: 0; padding: 0; background: $head; border-radius: 0; }
QHeaderView::section { background: $head; color: $quiet; border: 0; border-bottom: 1px solid $rule;
    padding: 6px 8px; font-weight: 600; }
QTableCornerButton::section { background: $head; border: 0; }
QCheckBox, QRadioButton { spacing: 9px; min-height: 28px; }
QCheckBox::indicator, QRadioButton::indicator { width: 16px; height: 16px; border-radius: 5px;
    border: ${edge_width}px solid $line; background: $card; }
QRadioButton::indicator { border-radius: 9px; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover { border-color: $select; }
QCheckBox::indicator:focus, QRadioButton::indicator:focus { border: ${ring}px solid $select; width: 14px;
    height: 14px; }
QCheckBox::indicator:checked, QCheckBox::indicator:indeterminate { background: $select;
    border-color: $select; }
QCheckBox::indicator:checked { image: url($signs/ticked.svg); }
QCheckBox::indicator:indeterminate { image: url($signs/dash.svg); }
QRadioButton::indicator:checked { background: $on_select; border: 5px solid $select; width: 8px;
    height: 8px; }
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { border-color: $mute; background: $faint; }
QGroupBox { border: ${edge_width}px solid $edge; border-radius: 8px; margin-top: 12px; padding-top: 8px; }
QGroupBox::title { subcontrol-origin: margin; left: 12px; padding: 0 4px; color: $quiet; }
#dock_title { background: $island; border: 0; border-bottom: 1px solid $rule; }
#dock_title QLabel { font-weight: 600; }
QMainWindow::separator { background: $rule; width: 3px; height: 3px; }
QMainWindow::separator:hover { background: $select; }
QStatusBar { background: $island; }
QStatusBar::item { border: 0; }
QSplitter::handle { background: $rule; }
QSplitter::handle:hover { background: $select; }
QMessageBox QLabel#qt_msgbox_label { font-size: ${title}px; font-weight: 600; min-height: 22px; }
QMessageBox QLabel#qt_msgbox_informativelabel { color: $quiet; }
QTabBar::tab { padding: 7px 14px; border: 0; border-bottom: 2px solid transparent; color: $quiet;
    font-weight: 600; }
QTabBar::tab:hover { color: $ink; }
QTabBar::tab:selected { color: $ink; border-bottom: ${ring}px solid $select; }
QTabWidget::pane { border: 0; border-top: 1px solid $rule; }
QProgressBar { background: $faint; border: ${bar_edge}px solid $line; border-radius: 4px; max-height: 8px;
    color: transparent; }
QProgressBar::chunk { background: $select; border-radius: 4px; }
QSlider::groove:horizontal { background: $track; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $select; border-radius: 2px; }
QSlider::handle:horizontal { background: $card; border: 2px solid $select; width: 12px; height: 12px;
    margin: -6px 0; border-radius: 8px; }
QSlider::handle:horizontal:focus { border: 4px solid $select; width: 8px; height: 8px; }
QScrollBar:vertical { background: $gutter; width: 12px; margin: 0; }
QScrollBar:horizontal { background: $gutter; height: 12px; margin: 0; }
QScrollBar::handle { background: $track; border-radius: 3px; margin: 3px; }
QScrollBar::handle:vertical { min-height: 30px; }
QScrollBar::handle:horizontal { min-width: 30px; }
QScrollBar::handle:hover { background: $quiet; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page
{ width: 0; height: 0; background: none; }
""")

_HIGH: Final = Template("""
QToolTip { border: 2px solid $toast_ink; }
QMenuBar::item:selected, QToolButton:hover, QAbstractItemView::item:hover { background: $row;
    color: $row_ink; }
QToolButton { border: 1px solid $line; padding: 4px; }
QToolButton:checked { border: 3px solid $line; padding: 2px; }
QPushButton:checked { border: 3px solid $line; font-weight: 700; }
QPushButton:hover, QPushButton:flat { border-color: $line; text-decoration: underline; }
QPushButton:default { background: $popover; color: $ink; border: 3px solid $line; }
QPushButton:default:hover { background: $popover; }
QPushButton:focus, QPushButton:default:focus { border: 3px solid $select; }
QTabBar::tab { border: 1px solid $line; }
QTabBar::tab:selected { border-width: 3px; }
#dock_title { border: 1px solid $line; }
QProgressBar::chunk { border-radius: 2px; }
QMainWindow::separator { width: 5px; height: 5px; }
""")
"""Edges instead of tints. A default button keeps its letters as they are and gets the strongest edge."""


def sheet_of(look: Look) -> str:
    """Return the style sheet of a look."""
    values = {**_tokens(look), **_derived(look)}
    made = _ALL.substitute(values)
    return made + _HIGH.substitute(values) if look.high_contrast else made


def _tokens(look: Look) -> dict[str, str]:
    """Return the single colours and widths of a look."""
    values = ((field.name, getattr(look, field.name)) for field in fields(look))
    return {
        name: str(round(value) if isinstance(value, float) else value)
        for name, value in values
        if isinstance(value, str | int | float)
    }


def _derived(look: Look) -> dict[str, str]:
    """Return colours that stand between two tokens, and the folder of the signs."""
    high = look.high_contrast
    return {
        "hovered": look.popover if high else blend(look.hover, look.popover),
        "pressed": look.popover if high else blend(look.press, look.popover),
        "row": look.select if high else look.select_soft,
        "row_ink": look.on_select if high else look.ink,
        "button": mix(look.popover, "#ffffff", 0.03) if look.dark and not high else look.popover,
        "field_edge": look.line if high else mix(look.edge, look.line, 0.5),
        "disabled_edge": look.mute if high else look.faint,
        "track": look.ink if high else mix(look.card, look.ink, 0.28),
        "gutter": look.plane if high else "transparent",
        "bar_edge": "2" if high else "0",
        "tool_padding": str(5 - round(look.ring)),
        "menu_radius": str(round(CARD_RADIUS)),
        "title": str(TYPE["title"].size),
        "signs": register(f"liven-{look.name}", _signs(look)),
    }


def _signs(look: Look) -> dict[str, bytes]:
    on_row = look.on_select if look.high_contrast else look.select
    row_ink = look.on_select if look.high_contrast else look.ink
    return {
        "check.svg": svg(Sign.CHECK, look.select, 2.4),
        "check_in_row.svg": svg(Sign.CHECK, on_row, 2.4),
        "ticked.svg": svg(Sign.CHECK, look.on_select, 3.2),
        "dash.svg": svg(Sign.DASH, look.on_select, 3.2),
        "right.svg": svg(Sign.CHEVRON_RIGHT, look.quiet, 2.4),
        "right_in_row.svg": svg(Sign.CHEVRON_RIGHT, row_ink, 2.4),
        "down.svg": svg(Sign.CHEVRON_DOWN, look.quiet, 2.4),
        "up.svg": svg(Sign.CHEVRON_UP, look.quiet, 2.4),
    }
