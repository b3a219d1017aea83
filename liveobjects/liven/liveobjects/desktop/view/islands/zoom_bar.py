"""The islands at the lower left: zoom, and the list of keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.view.islands.canvas_protocol import IslandCanvas
from liven.liveobjects.look.view.buttons import ToolButton
from liven.liveobjects.look.view.island import RULE, Island
from liven.liveobjects.look.view.signs import Sign

_TOOL: Final = 32
_GLYPH: Final = 16
_RADIUS: Final = 11


class ZoomBar(Island):
    """Smaller, how large, larger, and all."""

    def __init__(self, canvas: IslandCanvas, parent: QWidget) -> None:
        super().__init__(parent, "Zoom", pad=4, gap=0, radius=_RADIUS)
        self._canvas = canvas
        zoom = canvas.zoom_and_view
        self.smaller = _tool("Zoom out", Sign.DASH, "Ctrl+-")
        self.percent = ToolButton("Zoom to 100 %", key="Ctrl+0", size=_TOOL, label="100 %")
        self.percent.setFixedWidth(max(self.percent.width(), 62))
        self.larger = _tool("Zoom in", Sign.PLUS, "Ctrl++")
        self.all = _tool("Zoom to fit", Sign.FIT, "Shift+1")
        self.smaller.clicked.connect(lambda: zoom.zoom_out())
        self.percent.clicked.connect(lambda: zoom.zoom_to_100())
        self.larger.clicked.connect(lambda: zoom.zoom_in())
        self.all.clicked.connect(lambda: zoom.zoom_to_fit())
        self.add(self.smaller, self.percent, self.larger, RULE, self.all)
        self.adjustSize()

    def refresh(self) -> None:
        """Show the present zoom."""
        shown = f"{round(100 * self._canvas.camera.zoom)} %"
        if shown != self.percent.text():
            self.percent.setText(shown)
            self.percent.setAccessibleDescription(shown)
            self.percent.update()


def help_island(parent: QWidget, show_keys: Callable[[], object]) -> Island:
    """Return the island that shows the list of keys."""
    made = Island(parent, "Help", pad=4, gap=0, radius=_RADIUS)
    button = ToolButton("Keys", Sign.HELP, key="?", size=_TOOL, glyph=17)
    button.clicked.connect(lambda: show_keys())
    made.add(button)
    made.adjustSize()
    return made


def _tool(name: str, sign: Sign, key: str) -> ToolButton:
    return ToolButton(name, sign, key=key, size=_TOOL, glyph=_GLYPH)
