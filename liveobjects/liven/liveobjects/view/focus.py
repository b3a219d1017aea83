"""Keyboard focus when a person starts to work in a view."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QPlainTextEdit, QTextEdit, QWidget


def set_initial_focus(widget: QWidget) -> None:
    """Give the focus to the widget or its focus proxy if it takes keys; otherwise to the first text field in
    it, or to the first button."""
    takes = widget.focusProxy() is not None or widget.focusPolicy() != Qt.FocusPolicy.NoFocus
    inner = None if takes else _first(widget)
    (widget if inner is None else inner).setFocus()


def _first(widget: QWidget) -> QWidget | None:
    """Return the first text field in a widget, or the first button, in the order in which they were made.

    Qt's focus chain is not followed: to PySide, what `nextInFocusChain` returns is a child of the widget that
    was asked (shiboken's "return value heuristic"). The window comes after the last field of an entered
    object, so it and its menus would end with that field."""
    order = [one for one in widget.findChildren(QWidget) if _can(one, widget)]
    written = next((one for one in order if _is_written_in(one)), None)
    return written or next((one for one in order if isinstance(one, QAbstractButton)), None)


def _can(one: QWidget, widget: QWidget) -> bool:
    by_tab = bool(one.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return by_tab and one.isEnabled() and one.isVisibleTo(widget)


def _is_written_in(one: QWidget) -> bool:
    return isinstance(one, QLineEdit | QTextEdit | QPlainTextEdit) and not one.isReadOnly()
