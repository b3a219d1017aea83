"""One of the programs that the demo without a screen drives: it opens a file as `liven open` does, and does
what its standard input says, a word and what follows it on each line.

`wait TITLE`: until a thing of that name is shown · `write TITLE: WORDS`: a double-click on it, and typing ·
`lay NAME`: puts a note on the desktop · `tell TITLE`: prints its text · `picture FILE` · `close`.
"""

from __future__ import annotations

import argparse
import os
import sys

from PySide6.QtCore import QPointF, QSize, QSocketNotifier, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from liven.app.desk import program
from liven.app.desk.object_window import ObjectWindow
from liven.app.desk.recipes import note
from liven.app.network.command import config_of
from liven.app.network.settings import add_arguments
from liven.app.shell import application
from liven.liveobjects.channel.process import Channels
from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view import Canvas
from liven.runtime.folders import Folders
from liven.runtime.reference.xml import write

SIZE = QSize(760, 700)
_AGAIN_MS = 50


class Guest:
    """Whoever sits at this program."""

    def __init__(self) -> None:
        self._heard = bytearray()
        self._size = SIZE
        self._ear = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
        self._ear.activated.connect(lambda *_: self._hear())

    def _hear(self) -> None:
        """Whole lines only; what came together is all obeyed."""
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
        """Says so when a thing is there and can be seen."""
        if self._windows():
            self._window()
        canvas = self._canvas()
        item = None if canvas is None else self._named(canvas, title)
        if canvas is None or item is None or canvas.actors.view(item.key) is None:
            QTimer.singleShot(_AGAIN_MS, lambda: self.do_wait(title))
        else:
            self._say("there")

    def do_write(self, what: str) -> None:
        """Double-clicks a note, goes to its end, and types."""
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

    def do_lay(self, name: str) -> None:
        view = self._window().view
        assert view is not None
        view.take_in(write(note(name)).decode(), name)

    def do_tell(self, title: str) -> None:
        canvas = self._canvas()
        item = None if canvas is None else self._named(canvas, title)
        view = None if canvas is None or item is None else canvas.actors.view(item.key)
        self._say("" if view is None else view.summary())

    def do_picture(self, file: str) -> None:
        self._say("saved" if self._window().grab().save(file, "PNG") else "not saved")

    def do_size(self, size: str) -> None:
        """Makes the window so large from now on: its width and height in pixels."""
        width, height = map(int, size.split())
        self._size = QSize(width, height)
        self._window()

    def do_show(self, panel: str) -> None:
        """Shows a panel beside the object, by its name."""
        window = self._window()
        {"palette": window.palette_dock.show, "inspector": window.show_inspector}[panel]()

    def do_close(self, _: str) -> None:
        for window in self._windows():
            window.close()

    def _say(self, words: str) -> None:
        sys.stdout.write(words.replace("\n", "|") + "\n")
        sys.stdout.flush()

    def _windows(self) -> list[ObjectWindow]:
        return [one for one in QApplication.topLevelWidgets() if isinstance(one, ObjectWindow)]

    def _window(self) -> ObjectWindow:
        window = self._windows()[0]
        window.resize(self._size)
        return window

    def _canvas(self) -> Canvas | None:
        windows = self._windows()
        widget = windows[0].centralWidget() if windows else None
        return widget if isinstance(widget, Canvas) else None

    def _named(self, canvas: Canvas, title: str) -> Item | None:
        return next((item for item in canvas.state.items.values() if item.label == title), None)


def main() -> int:
    """Opens the file that the command line names."""
    application()
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    add_arguments(parser)
    arguments = parser.parse_args()
    channels = Channels(config_of(arguments), Folders.of_user(os.environ))
    guest = Guest()
    try:
        return program.run([arguments.file], channels, alone=True)
    finally:
        del guest


if __name__ == "__main__":
    sys.exit(main())
