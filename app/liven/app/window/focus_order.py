"""F6: moving the keyboard focus from one part of a window to the next. Tab does not do this, because text
pages and desktops use it themselves."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QToolBar, QWidget

from liven.liveobjects.look.view.island import Island


def parts(window: QMainWindow) -> list[QWidget]:
    """Return the visible parts of a window that can take the focus: the centre, islands over it,
    docks, toolbars and
    the signs in the menu bar."""
    docks = sorted(window.findChildren(QDockWidget), key=lambda one: (one.pos().y(), one.pos().x()))
    islands = sorted(window.findChildren(Island), key=_place)
    signs = window.menuBar().cornerWidget()
    found = [window.centralWidget(), *islands, *docks, *window.findChildren(QToolBar), signs]
    return [one for one in found if one is not None and one.isVisible() and stops(one)]


def stops(part: QWidget) -> list[QWidget]:
    """Return the widgets of a part at which Tab can stop, in the order in which they were made."""
    inside = [one for one in part.findChildren(QWidget) if _island_of(one, part) is None]
    return [one for one in (part, *inside) if _stops(one, part)]


def go(window: QMainWindow, step: int) -> None:
    """Move the focus to the next part of the window (`step` 1) or the previous one (-1)."""
    ring = parts(window)
    if not ring:
        return
    here = window.focusWidget()
    held = [at for at, one in enumerate(ring) if one is here or one.isAncestorOf(here)]
    at = held[-1] if held else -step  # islands come after what they float over, and are inside it
    reason = Qt.FocusReason.TabFocusReason if step > 0 else Qt.FocusReason.BacktabFocusReason
    stops(ring[(at + step) % len(ring)])[0].setFocus(reason)


def _island_of(widget: QWidget, part: QWidget) -> Island | None:
    """Return the island between a widget and the part of the window that it is in."""
    above: QWidget | None = widget
    while above is not None and above is not part:
        if isinstance(above, Island):
            return above
        above = above.parentWidget()
    return None


def _place(island: Island) -> tuple[bool, int]:
    """Return the place of an island in the order: the upper ones first, each from the left."""
    below = island.parentWidget()
    return below is not None and island.y() > below.height() / 2, island.x()


def _stops(widget: QWidget, part: QWidget) -> bool:
    tabs = bool(widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value)
    seen = widget.isVisible() and widget.isEnabled() and widget.window() is part.window()
    return tabs and seen and widget.focusProxy() is None
