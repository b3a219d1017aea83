"""How a desktop is shown and worked on: `make` gives its view."""

from liven.liveobjects.desktop.view.canvas import Canvas
from liven.liveobjects.desktop.view.face import DesktopFace, make

__all__ = ["Canvas", "DesktopFace", "make"]
