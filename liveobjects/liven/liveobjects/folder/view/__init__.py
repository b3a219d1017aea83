"""How a folder is shown: `make` gives its view."""

from liven.liveobjects.folder.view.folder_view import FolderFace, make
from liven.liveobjects.folder.view.panel import FolderPanel

__all__ = ["FolderFace", "FolderPanel", "make"]
