"""How a desktop is shown and worked on: `make` gives its view."""

from liven.liveobjects.desktop.view.canvas.canvas import Canvas
from liven.liveobjects.desktop.view.desktop_view import DesktopView, make

__all__ = ["Canvas", "DesktopView", "make"]
