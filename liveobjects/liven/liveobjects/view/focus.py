"""Where the keys go when one begins to work in a view: to what takes them, and not to the sheet around it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QPlainTextEdit, QTextEdit, QWidget


def set_initial_focus(widget: QWidget) -> None:
    """To the widget itself, or whomever it names, where that takes keys; else to the first field in it that
    can be typed into; else to its first button."""
    takes = widget.focusProxy() is not None or widget.focusPolicy() != Qt.FocusPolicy.NoFocus
    inner = None if takes else _first(widget)
    (widget if inner is None else inner).setFocus()


def _first(widget: QWidget) -> QWidget | None:
    """In the order of Tab."""
    order, one = list[QWidget](), widget.nextInFocusChain()
    while one is not None and one is not widget:
        if widget.isAncestorOf(one) and _can(one, widget):
            order.append(one)
        one = one.nextInFocusChain()
    written = next((one for one in order if _is_written_in(one)), None)
    return written or next((one for one in order if isinstance(one, QAbstractButton)), None)


def _can(one: QWidget, widget: QWidget) -> bool:
    by_tab = bool(one.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return by_tab and one.isEnabled() and one.isVisibleTo(widget)


def _is_written_in(one: QWidget) -> bool:
    return isinstance(one, QLineEdit | QTextEdit | QPlainTextEdit) and not one.isReadOnly()
