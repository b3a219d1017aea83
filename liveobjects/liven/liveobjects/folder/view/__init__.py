"""How a folder is shown: `make` gives its view."""

from liven.liveobjects.folder.view.folder_view import FolderView, make
from liven.liveobjects.folder.view.panel import FolderPanel

__all__ = ["FolderPanel", "FolderView", "make"]
