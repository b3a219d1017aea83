"""Reading and restoring the position, panels and view settings of a window."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt

from liven.app.instance.spawn import on_a_screen
from liven.app.window.object_window import ObjectWindow
from liven.app.window.saved.saved_state import SavedState


def current_state(window: ObjectWindow) -> SavedState:
    """Return the current position, panels and view settings of a window."""
    area = window.normalGeometry() if window.isMaximized() else window.geometry()
    panels, layout = window.current_panels()
    return SavedState(_edges(area), window.isMaximized(), panels, layout, dict(window.outlook))


def apply_state(window: ObjectWindow, left: SavedState, *, place: bool, size: bool) -> None:
    """Apply saved settings to a window that is not visible yet: its position (`place`) or only its `size`.
    Panels and view settings are applied once the object is shown."""
    area = on_a_screen(left.area)
    if place:
        window.setGeometry(area)
        if left.maximized:
            window.setWindowState(window.windowState() | Qt.WindowState.WindowMaximized)
    elif size:
        window.resize(area.size())
    window.restore_view_state(left.outlook)
    window.restore_panels_later(left.panels, left.layout)


def _edges(area: QRect) -> tuple[int, int, int, int]:
    return area.x(), area.y(), area.width(), area.height()
