"""How a folder is shown: `make` gives its view."""

from liven.liveobjects.folder_view.view.face import FolderFace, make
from liven.liveobjects.folder_view.view.panel import FolderPanel

__all__ = ["FolderFace", "FolderPanel", "make"]
