"""F6: moving the keyboard focus from one part of a window to the next. Tab does not do this, because text
pages and desktops use it themselves."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QToolBar, QWidget


def parts(window: QMainWindow) -> list[QWidget]:
    """Return the visible parts of a window that can take the focus: the centre, docks, toolbars, status
    bar."""
    docks = sorted(window.findChildren(QDockWidget), key=lambda one: (one.pos().y(), one.pos().x()))
    found = [window.centralWidget(), *docks, *window.findChildren(QToolBar), window.statusBar()]
    return [one for one in found if one is not None and one.isVisible() and stops(one)]


def stops(part: QWidget) -> list[QWidget]:
    """Return the widgets of a part at which Tab can stop, in the order in which they were made."""
    return [one for one in (part, *part.findChildren(QWidget)) if _stops(one, part)]


def go(window: QMainWindow, step: int) -> None:
    """Move the focus to the next part of the window (`step` 1) or the previous one (-1)."""
    ring = parts(window)
    if not ring:
        return
    here = window.focusWidget()
    held = (one is here or one.isAncestorOf(here) for one in ring)
    at = next((at for at, holds in enumerate(held) if holds), -step)
    reason = Qt.FocusReason.TabFocusReason if step > 0 else Qt.FocusReason.BacktabFocusReason
    stops(ring[(at + step) % len(ring)])[0].setFocus(reason)


def _stops(widget: QWidget, part: QWidget) -> bool:
    tabs = bool(widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value)
    seen = widget.isVisible() and widget.isEnabled() and widget.window() is part.window()
    return tabs and seen and widget.focusProxy() is None
