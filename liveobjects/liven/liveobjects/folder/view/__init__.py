"""The view of a folder, shared or on a disk. `folder_view` is the view, `folder_face` paints it, and
`panel` is its widget."""

from liven.liveobjects.folder.view.folder_view import FolderView, make
from liven.liveobjects.folder.view.panel import FolderPanel

__all__ = ["FolderPanel", "FolderView", "make"]
