"""How a window stands: told, and had so again."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt

from liven.app.instance.spawn import on_a_screen
from liven.app.window.object_window import ObjectWindow
from liven.app.window.saved_state import Left


def left_as(window: ObjectWindow) -> Left:
    """How a window stands now."""
    area = window.normalGeometry() if window.isMaximized() else window.geometry()
    panels, layout = window.panels_now()
    return Left(_edges(area), window.isMaximized(), panels, layout, dict(window.outlook))


def stand_as(window: ObjectWindow, left: Left, *, place: bool, size: bool) -> None:
    """Has a window that is not shown yet stand so: in that `place`, or in that `size` alone. Its panels and
    its outlook wait for its object."""
    area = on_a_screen(left.area)
    if place:
        window.setGeometry(area)
        if left.maximized:
            window.setWindowState(window.windowState() | Qt.WindowState.WindowMaximized)
    elif size:
        window.resize(area.size())
    window.restore_view_state(left.outlook)
    window.wait_with_panels(left.panels, left.layout)


def _edges(area: QRect) -> tuple[int, int, int, int]:
    return area.x(), area.y(), area.width(), area.height()
