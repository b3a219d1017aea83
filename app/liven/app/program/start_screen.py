"""The start window of a program: when it is shown, what it opens, and the looks of boards that it shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from liven.app.begun.begun_objects import BegunObjects
from liven.app.identity.rename_dialog import ask_for_name
from liven.app.opening.recent_files import RecentFiles
from liven.app.palette.sections import SAMPLES, find_samples
from liven.app.program.composition import Composition
from liven.app.start.gallery import Board, Gallery
from liven.app.start.last_looks import FOLDER, LastLooks
from liven.app.window.object_window import ObjectWindow
from liven.liveobjects.channel.api.encryption import is_unencrypted
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.view.contract import part_recipes_of
from liven.runtime.files import read_regular
from liven.runtime.folder.item_files import SUFFIX
from liven.runtime.reference.xml import write

if TYPE_CHECKING:
    from liven.app.start.patterns import Pattern
    from liven.app.start.start_window import Here, StartWindow

UNTITLED = "Untitled"
REFRESH_MS = 4000
"""Milliseconds between two pictures of an open board while the gallery is seen."""
_LARGEST = 4 * 1024 * 1024


class StartScreen:
    """The start window of one program, made when it is first shown."""

    def __init__(
        self,
        program: Composition,
        begun: BegunObjects,
        recent: RecentFiles,
        open_file: Callable[[Path], ObjectWindow],
        windows: Callable[[], Sequence[ObjectWindow]],
    ) -> None:
        self._program = program
        self._begun = begun
        self._recent = recent
        self._open_file = open_file
        self._windows = windows
        self._looks = LastLooks(program.folders.cache / FOLDER)
        self.window: StartWindow | None = None
        self.on_closed: Callable[[], object] = lambda: None
        self.quit: Callable[[], object] = lambda: None
        self.note_open_ones: Callable[[], object] = lambda: None
        """Notes the titles of the objects that are open."""
        self._turn = 0
        self._refresh = QTimer(interval=REFRESH_MS)
        self._refresh.timeout.connect(self._look_again)

    @property
    def is_shown(self) -> bool:
        """True while the start window is open."""
        return self.window is not None and self.window.isVisible()

    def show(self, *, search: bool = False) -> None:
        """Show the window; with `search`, the caret is in its search field."""
        window = self.window or self._made()
        self._keep_open_ones()
        window.refresh()
        window.show()
        window.activateWindow()
        self._refresh.start()
        if search:
            window.search()

    def welcome(self, path: Path) -> None:
        """Give the welcome desktop a look before it is first opened."""
        try:
            recipe = read_regular(path, _LARGEST)
        except OSError:
            return
        light = current_look().name
        if self._looks.picture(recipe, light) is None:
            from liven.app.program import board_looks  # loads the views of desktops

            picture = board_looks.welcome_picture(board_looks.WIDTH, board_looks.HEIGHT)
            self._looks.keep(recipe, light, picture, board_looks.welcome_words())

    def close(self) -> None:
        """Close the window."""
        if self.window is not None:
            self.window.close()

    def say(self, words: str) -> None:
        """Show a message in the window."""
        if self.window is not None:
            self.window.show_message(words)

    def keep_look(self, window: ObjectWindow) -> None:
        """Keep the last look of the object of a window, unless something in it is encrypted."""
        view, file = window.view, window.file
        if view is None or file is None or window.recipe is None or not window.contents_complete():
            return
        try:
            recipe = read_regular(file, _LARGEST)
        except OSError:
            return
        recipes = {write(window.recipe).decode(), *part_recipes_of(view)}
        if not all(is_unencrypted(one) for one in recipes):
            self._looks.forget(recipe)
            return
        from liven.app.program import board_looks  # loads the views of desktops

        try:
            picture, words = board_looks.thumbnail(view), board_looks.words_of(window)
            self._looks.keep(recipe, current_look().name, picture, words)
        except Exception:  # code of the views' authors; only a picture is lost
            return

    def changed(self) -> None:
        """Show the list again: an object was opened, closed or renamed."""
        if self.window is not None and self.is_shown:
            self.note_open_ones()
            self.window.refresh()

    def _made(self) -> StartWindow:
        from liven.app.start.start_window import StartWindow
        from liven.app.window.appearance_choice import choose_appearance

        samples = samples_of(find_samples(Path(__file__)))
        gallery = Gallery(self._program.folders.data, self._begun, self._recent)
        window = self.window = StartWindow(gallery, self._looks, samples, self._people, self._me)
        window.open_wanted.connect(self._open_file)
        window.begin_wanted.connect(self.begin)
        window.rename_wanted.connect(lambda: ask_for_name(self._program, window, self._renamed))
        window.settings_wanted.connect(lambda: choose_appearance(window))
        window.quit_wanted.connect(lambda: self.quit())
        window.closed.connect(self._closed)
        window.activated.connect(self.changed)
        return window

    def begin(self, pattern: Pattern) -> None:
        """Begin a desktop of a pattern, and open it."""
        name = pattern.name if pattern.sheets else UNTITLED
        try:
            path = self._begun.begin(name, lambda called: write(pattern.make(called)))
        except OSError as error:
            if self.window is not None:
                self.window.show_message(
                    f"No board can be begun: {error.strerror or error}. Free some disk space."
                )
            return
        self._open_file(path)

    def _closed(self) -> None:
        self._refresh.stop()
        self.on_closed()

    def _renamed(self, words: str) -> None:
        if self.window is not None:
            self.window.refresh()
            self.window.show_message(words)

    def _look_again(self) -> None:
        """Take a new picture of one open board, in turn."""
        there = [(one, one.file) for one in self._windows() if one.file is not None and one.view is not None]
        if there and self.window is not None and self.window.isActiveWindow():
            self._turn = (self._turn + 1) % len(there)
            shown, file = there[self._turn]
            self.keep_look(shown)
            self.window.grid.reload(file)

    def _keep_open_ones(self) -> None:
        for window in self._windows():
            self.keep_look(window)

    def _me(self) -> Here:
        from liven.app.start.start_window import Here

        return Here(self._program.person.known_as, self._program.person.colour)

    def _people(self) -> dict[Path, tuple[Here, ...]]:
        """Return the other people in the boards that are open here, by file."""
        from liven.app.program.board_looks import people_in

        found: dict[Path, tuple[Here, ...]] = {}
        for window in self._windows():
            here = people_in(window)
            if window.file is not None and here:
                found[window.file] = here
        return found


def samples_of(folder: Path | None) -> list[Board]:
    """Return the samples of the source checkout that can be seen, as entries of the gallery."""
    if folder is None:
        return []
    paths = [path for name in SAMPLES[:2] for path in sorted((folder / name).glob(f"*{SUFFIX}"))]
    return [
        Board(path, path.stem.replace("_", " ").capitalize(), path.stat().st_mtime, begun=False)
        for path in paths
    ]
