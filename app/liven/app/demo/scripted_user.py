"""A program that the demo without a display drives: it opens a file as `liven open` does, and obeys the
commands on its standard input, one on each line.

`wait TITLE`: wait until an item of that name is shown · `write TITLE: WORDS`: double-click it and type · `lay
NAME at X Y`: put a note on the desktop · `drop X Y FILE`: drop a file on it · `tell TITLE`: print its text ·
`lacks`: print what is not displayed completely yet · `point TITLE`: move the mouse there · `choose TITLE` ·
`press WORDS`: run a menu entry · `past`: wait until a recording is shown · `find WORDS`: type into the
focused field · `put X Y RECIPE`: add an item that does not fit here, as a newer program might · `show PANEL`
· `gallery PATTERNS`: begin boards and show
the gallery · `size W H` · `dark`: let it be dusk · `picture FILE` · `close`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QMimeData, QPointF, QSize, QSizeF, QSocketNotifier, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QWidget

from liven.app.appearance.theme import Theme
from liven.app.network.cli import config_of
from liven.app.network.settings import add_arguments
from liven.app.palette.new_objects import note
from liven.app.program import desktop_program
from liven.app.qt_application import application
from liven.app.start.patterns import PATTERNS
from liven.app.start.start_window import StartWindow
from liven.app.window.menus.menu_bar import GALLERY
from liven.app.window.object_window import ObjectWindow
from liven.liveobjects.channel.composition import Channels
from liven.liveobjects.desktop.commands import add
from liven.liveobjects.desktop.state import Item, Place
from liven.liveobjects.desktop.view import Canvas
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.view.transfer.drop_contents import NewItem
from liven.liveobjects.image.view import ImageView
from liven.liveobjects.look.tokens import DUSK
from liven.liveobjects.view.contract import View, summary_of
from liven.runtime.library.placement import Placement
from liven.runtime.reference.xml import write
from liven.runtime.user_folders import UserFolders

SIZE = QSize(760, 700)
_AGAIN_MS = 50
_REST_MS = 400


class ScriptedUser:
    """The simulated user of this program."""

    def __init__(self) -> None:
        self._heard = bytearray()
        self._size = SIZE
        self._gallery: StartWindow | None = None
        self._ear = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
        self._ear.activated.connect(lambda *_: self._hear())

    def _hear(self) -> None:
        """Obey all complete lines that have arrived."""
        came = os.read(sys.stdin.fileno(), 65536)
        self._heard += came
        while b"\n" in self._heard:
            line, _, rest = bytes(self._heard).partition(b"\n")
            self._heard[:] = rest
            word, _, what = line.decode().partition(" ")
            getattr(self, f"do_{word}")(what)
        if not came:
            self._ear.setEnabled(False)
            self.do_close("")

    def do_wait(self, title: str) -> None:
        """Answer when an item is visible."""
        if self._windows():
            self._window()
        canvas = self._canvas()
        item = None if canvas is None else self._named(canvas, title)
        if canvas is None or item is None or canvas.item_views.view(item.key) is None:
            QTimer.singleShot(_AGAIN_MS, lambda: self.do_wait(title))
        else:
            self._say("there")

    def do_write(self, what: str) -> None:
        """Double-click a note, move to its end, and type."""
        title, _, words = what.partition(": ")
        canvas = self._canvas()
        assert canvas is not None
        item = self._named(canvas, title)
        assert item is not None
        middle = QPointF(item.place.x + item.place.width / 2, item.place.y + item.place.height - 20)
        at = canvas.camera.to_window(middle).toPoint()
        QTest.mouseDClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
        page = QApplication.focusWidget() or canvas
        QTest.keyClick(page, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(page, words)

    def do_lay(self, what: str) -> None:
        name, _, place = what.partition(" at ")
        x, y = map(float, place.split())
        self._plane().drop_and_paste.add([NewItem(write(note(name)).decode(), name)], QPointF(x, y))

    def do_drop(self, what: str) -> None:
        """Drop a file, as a file manager would."""
        x, y, file = what.split(" ", 2)
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(file)])
        canvas, left = self._plane(), Qt.MouseButton.LeftButton
        at = canvas.camera.to_window(QPointF(float(x), float(y)))
        copy, none = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(canvas, QDragEnterEvent(at.toPoint(), copy, data, left, none))
        QApplication.sendEvent(canvas, QDropEvent(at, copy, data, left, none))

    def do_put(self, what: str) -> None:
        """Add an item without checking that it fits, as a change from the channel would."""
        x, y, recipe = what.split(" ", 2)
        canvas = self._plane()
        place = Place(float(x), float(y), 240, 120)
        _, command = add(canvas.state, recipe, "From somebody else", place)
        canvas.editor.edit(command.name, *command.changes)

    def do_lacks(self, _: str) -> None:
        """Answer with the names of items that are not displayed completely."""
        canvas = self._plane()
        seen = canvas.camera.seen(QSizeF(canvas.size()))
        items = [one for one in canvas.state.items.values() if rect(one.place).intersects(seen)]
        self._say(", ".join(one.label for one in items if not is_whole(canvas.item_views.view(one.key))))

    def do_point(self, title: str) -> None:
        canvas = self._plane()
        item = self._named(canvas, title)
        assert item is not None
        middle = QPointF(item.place.x + item.place.width * 0.6, item.place.y + item.place.height * 0.6)
        QTest.mouseMove(canvas, canvas.camera.to_window(middle).toPoint())

    def do_choose(self, title: str) -> None:
        canvas = self._plane()
        item = self._named(canvas, title)
        canvas.select([] if item is None else [item.key])

    def do_press(self, words: str) -> None:
        [action] = [one for one in self._window().menus.actions if one.words == words]
        action.run()

    def do_past(self, _: str) -> None:
        """Answer when the window shows a recording."""
        view = self._window().past.view
        if view is not None and view.show is not None:
            self._say("there")
        else:
            QTimer.singleShot(_AGAIN_MS, lambda: self.do_past(""))

    def do_find(self, words: str) -> None:
        found = [one.findChild(QLineEdit) for one in QApplication.topLevelWidgets() if _is_dialog(one)]
        QTest.keyClicks(next(iter(found), None) or QApplication.focusWidget() or self._window(), words)

    def do_dark(self, _: str) -> None:
        """Let it be dusk, without a message and for this run; the offscreen platform has no colour scheme."""
        theme = Theme.of(application(), os.environ)
        theme.choose(replace(theme.chosen, light=DUSK.name))

    def do_tell(self, title: str) -> None:
        canvas = self._canvas()
        item = None if canvas is None else self._named(canvas, title)
        view = None if canvas is None or item is None else canvas.item_views.view(item.key)
        self._say("" if view is None else summary_of(view))

    def do_picture(self, file: str) -> None:
        """Save a picture of what is shown, once animations have ended."""
        shown = self.shown()
        QTimer.singleShot(
            _REST_MS, lambda: self._say("saved" if shown.grab().save(file, "PNG") else "not saved")
        )

    def shown(self) -> QWidget:
        """Return the open dialog, else the gallery, else the window."""
        dialog = next((one for one in QApplication.topLevelWidgets() if _is_dialog(one)), None)
        return dialog or self._gallery or self._window()

    def do_gallery(self, names: str) -> None:
        """Show the gallery with boards of these patterns, whose windows are closed again."""
        [show] = [one for one in self._window().menus.actions if one.words == GALLERY]
        show.run()
        found = [one for one in QApplication.topLevelWidgets() if isinstance(one, StartWindow)]
        self._gallery = found[0]
        self._gallery.resize(self._size)
        wanted = [one for one in PATTERNS if one.name in names.split(", ")]
        for pattern in wanted:
            self._gallery.begin_wanted.emit(pattern)
        self._close_when_shown([one.name for one in wanted])

    def _close_when_shown(self, names: list[str]) -> None:
        """Close the windows of these names, one after the other, once they show everything, so that their
        looks are kept."""
        there = [one for one in self._windows() if one.name == names[0]]
        if any(not one.contents_complete() for one in there):
            QTimer.singleShot(_AGAIN_MS, lambda: self._close_when_shown(names))
            return
        for window in there:
            window.close()
        if names[1:]:
            QTimer.singleShot(_AGAIN_MS, lambda: self._close_when_shown(names[1:]))

    def do_size(self, size: str) -> None:
        """Resize the window to a width and height in pixels."""
        width, height = map(int, size.split())
        self._size = QSize(width, height)
        self._window()

    def do_show(self, panel: str) -> None:
        """Show a panel by its name."""
        window = self._window()
        panels: dict[str, Callable[[], object]] = {
            "palette": window.insertion.open,
            "inspector": window.show_inspector,
            "network": window.show_network,
            "feeds": window.show_feeds,
            "problems": lambda: window.show_problems_of("From somebody else"),
        }
        panels[panel]()

    def do_close(self, _: str) -> None:
        for window in self._windows():
            window.close()
        if self._gallery is not None:
            self._gallery.close()

    def _say(self, words: str) -> None:
        sys.stdout.write(words.replace("\n", "|") + "\n")
        sys.stdout.flush()

    def _windows(self) -> list[ObjectWindow]:
        return [one for one in QApplication.topLevelWidgets() if isinstance(one, ObjectWindow)]

    def _window(self) -> ObjectWindow:
        window = self._windows()[0]
        window.resize(self._size)
        return window

    def _plane(self) -> Canvas:
        canvas = self._canvas()
        assert canvas is not None
        return canvas

    def _canvas(self) -> Canvas | None:
        windows = self._windows()
        widget = windows[0].centralWidget() if windows else None
        return widget if isinstance(widget, Canvas) else None

    def _named(self, canvas: Canvas, title: str) -> Item | None:
        return next((item for item in canvas.state.items.values() if item.label == title), None)


def is_whole(view: View | None) -> bool:
    """Return True if a view shows its object completely: it has its state, and pictures are loaded and
    decoded."""
    if view is None or view.is_loading():
        return False
    return not isinstance(view, ImageView) or view.image is not None


def _is_dialog(widget: QWidget) -> bool:
    return isinstance(widget, QDialog) and widget.isVisible()


def main() -> int:
    """Open the file named on the command line."""
    application()
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    add_arguments(parser)
    arguments = parser.parse_args()
    channels = Channels(config_of(arguments), UserFolders.of_user(os.environ))
    guest = ScriptedUser()
    try:
        return desktop_program.run([arguments.file], channels, Placement(), alone=True)
    finally:
        del guest


if __name__ == "__main__":
    sys.exit(main())
