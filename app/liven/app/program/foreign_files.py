"""Files of other programs that are opened by name: each becomes a new desktop with its contents."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMimeData, QUrl

from liven.app.filenames import plain_name
from liven.app.palette.new_objects import Kind, desktop
from liven.app.window.object_window import ObjectWindow


class ForeignFiles:
    """The files that wait for their new desktops."""

    def __init__(self, begin: Callable[[Kind], ObjectWindow]) -> None:
        self._begin = begin
        self._waiting: dict[ObjectWindow, Path] = {}

    def open(self, path: Path) -> ObjectWindow:
        """Begin a desktop that is named like a file, and put the file's contents on it."""
        name = plain_name(path.name.partition(".")[0])
        window = self._begin(Kind(name, "a desktop with the contents of a file", desktop))
        self._waiting[window] = path
        window.closed.connect(lambda: self._waiting.pop(window, None))
        self.shown(window)
        return window

    def shown(self, window: ObjectWindow) -> None:
        """Put a file on its desktop as soon as that has begun."""
        if window in self._waiting and window.view is not None:
            window.view.changed.connect(partial(self._put, window))
            self._put(window)

    def _put(self, window: ObjectWindow) -> None:
        from liven.liveobjects.desktop.view import Canvas  # loaded by now; at the start it is slow

        canvas = window.centralWidget()
        if window not in self._waiting or not isinstance(canvas, Canvas) or not canvas.model.ready:
            return
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(self._waiting.pop(window)))])
        canvas.drop_and_paste.add_files(data)
