"""The link between windows and the list of begun objects: beginning one, finding it again, its last title."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from liven.app.begun.begun_objects import BegunObjects
from liven.app.opening.recent_files import RecentFiles
from liven.app.palette.new_objects import Kind
from liven.app.window.object_window import ObjectWindow
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import write


class BegunWindows:
    """Keeps the objects that windows begin. An object that came without a file, by a link or the clipboard,
    is kept once it is shown."""

    def __init__(
        self,
        begun: BegunObjects,
        recent: RecentFiles,
        open_file: Callable[[Path], ObjectWindow],
        open_recipe: Callable[[Object], ObjectWindow],
    ) -> None:
        self._begun = begun
        self._recent = recent
        self._open_file = open_file
        self._open_recipe = open_recipe
        self._windows: list[ObjectWindow] = []
        self._without_file: set[ObjectWindow] = set()

    def watch(self, window: ObjectWindow) -> None:
        """Serve a new window."""
        self._windows.append(window)
        window.begin_requested.connect(self.begin)
        window.about_to_close.connect(lambda: self._note(window))
        window.closed.connect(lambda: self._forget(window))

    def begin(self, kind: Kind) -> ObjectWindow:
        """Begin an object: write its file, and open it, even if the file cannot be written."""
        try:
            path = self._begun.begin(kind.name, lambda name: write(kind.make(name)))
        except OSError as error:
            window = self._open_recipe(kind.make(kind.name))
            window.show_message(_not_kept(kind.name, error))
            return window
        return self._open_file(path)

    def keep_when_shown(self, window: ObjectWindow) -> None:
        """Keep the object of a window, which has no file, as soon as it is shown."""
        self._without_file.add(window)

    def shown(self, window: ObjectWindow) -> None:
        """Note that the object of a window is shown."""
        if window in self._without_file and window.recipe is not None:
            self._without_file.discard(window)
            try:
                window.file = self._begun.keep(window.name, write(window.recipe))
            except OSError as error:
                window.show_message(_not_kept(window.name, error))
                return
            self._recent.add(window.file)
        self._note(window)

    def _forget(self, window: ObjectWindow) -> None:
        self._windows.remove(window)
        self._without_file.discard(window)

    def _note(self, window: ObjectWindow) -> None:
        """Note the title of an object, and that it is used."""
        if window.file is not None and window.view is not None:
            with suppress(OSError):  # only the last use is lost
                self._begun.use(window.file, window.object_title())

    def note_open_ones(self) -> None:
        """Note the titles of all objects that are open, and that they are used."""
        for one in self._windows:
            self._note(one)


def _not_kept(name: str, error: OSError) -> str:
    why = error.strerror or error
    return f"“{name}” is not among your objects: {why}. File › Save as a file… puts it elsewhere."
