"""The view of a desktop: everything that needs Qt.

`make` returns a DesktopView. It paints a closed desktop as cards; its widget is the Canvas. Layers, top to
bottom: canvas; tools, transfer and people; items; viewport; geometry. Data and rules are outside, in
desktop/. Start in canvas/canvas.py."""

from liven.liveobjects.desktop.view.canvas.canvas import Canvas
from liven.liveobjects.desktop.view.desktop_view import DesktopView, make

__all__ = ["Canvas", "DesktopView", "make"]
