"""The desktop program under measurement: `liven open` as it is, which also says when it did what.

Lines on its standard output are `EVENT NUMBER`: seconds on the clock that all processes of a machine share.
Lines on its standard input make it do something: `type`, `watch`, `zoom`, `ready N`, `pan N`, `close`.
"""

import sys
import time

STARTED = time.monotonic()


def say(event: str, at: float) -> None:
    """One line."""
    sys.stdout.write(f"{event} {at:.6f}\n")
    sys.stdout.flush()


say("interpreter", STARTED)

import argparse  # noqa: E402
import os  # noqa: E402
import resource  # noqa: E402

from PySide6.QtCore import QEvent, QObject, QPointF, QSocketNotifier, QTimer  # noqa: E402
from PySide6.QtTest import QTest  # noqa: E402
from PySide6.QtWidgets import QApplication, QWidget  # noqa: E402

from liven.app.desk import program  # noqa: E402
from liven.app.desk.object_window import ObjectWindow  # noqa: E402
from liven.app.network.command import config_of  # noqa: E402
from liven.app.network.settings import add_arguments  # noqa: E402
from liven.app.shell import application  # noqa: E402
from liven.liveobjects.channel.process import Channels  # noqa: E402
from liven.liveobjects.desktop.view import Canvas  # noqa: E402
from liven.liveobjects.text.view import NoteView  # noqa: E402
from liven.runtime.folders import Folders  # noqa: E402

say("imports", time.monotonic())
_STEP = QPointF(-37, -11)


class Eye(QObject):
    """Sees what is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: set[int] = set()
        self.text: str | None = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and isinstance(watched, QWidget):
            self._painted(watched)
        return False

    def _painted(self, widget: QWidget) -> None:
        window = widget.window()
        if isinstance(window, ObjectWindow) and window.view is not None and id(window) not in self.shown:
            self.shown.add(id(window))
            say("painted", time.monotonic())
        if self.text is not None:
            page = widget.parent()
            if isinstance(page, NoteView) and page.toPlainText() != self.text:
                self.text = page.toPlainText()
                say("seen", time.monotonic())


def windows() -> list[ObjectWindow]:
    """All of the program's."""
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, ObjectWindow)]


class Hand(QObject):
    """Does what it is told."""

    def __init__(self, eye: Eye) -> None:
        super().__init__()
        self._eye = eye
        self._heard = bytearray()
        self._ear = QSocketNotifier(0, QSocketNotifier.Type.Read)
        self._ear.activated.connect(lambda *_: self._hear())

    def _hear(self) -> None:
        came = os.read(0, 65536)
        self._heard += came or b"close\n"
        while b"\n" in self._heard:
            line, _, rest = bytes(self._heard).partition(b"\n")
            self._heard[:] = rest
            word, _, number = line.decode().partition(" ")
            getattr(self, f"do_{word}")(int(number or 0))

    def do_type(self, _: int) -> None:
        [page] = [one.centralWidget() for one in windows() if isinstance(one.centralWidget(), NoteView)]
        assert page is not None
        say("typed", time.monotonic())
        QTest.keyClick(page, "x")  # type: ignore[call-overload]  # its stub wants a key

    def do_watch(self, _: int) -> None:
        self._eye.text = ""
        say("watching", time.monotonic())

    def do_ready(self, count: int) -> None:
        """Says when so many things run and show something."""
        canvas = self._canvas()
        if canvas is not None:
            shown = sum(canvas.actors.view(key) is not None for key in canvas.state.items)
            if len(canvas.state.items) >= count and shown >= 40 and shown == canvas.actors.stage.running:
                canvas.repaint()
                say("ready", time.monotonic())
                say("running", shown)
                return
        QTimer.singleShot(20, lambda: self.do_ready(count))

    def do_pan(self, count: int) -> None:
        """Pans along a path, and says how long the frame at nine in ten and a half took, in milliseconds."""
        canvas = self._canvas()
        assert canvas is not None
        frames, spent = [], []
        for _ in range(count):
            begin, used = time.perf_counter(), time.thread_time()
            canvas.camera.pan(_STEP)
            canvas._moved()
            canvas.repaint()
            frames.append(time.perf_counter() - begin)
            spent.append(time.thread_time() - used)
            end = time.monotonic() + 0.02
            while time.monotonic() < end:
                QApplication.processEvents()
        for event, times in (("frame", frames), ("spent", spent)):
            say(event, sorted(times)[int(len(times) * 0.95)] * 1000)
        say("memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)

    def do_zoom(self, _: int) -> None:
        """Shows the things as they are, so that some dozens are in view."""
        for window in windows():
            window.resize(1600, 1000)
        canvas = self._canvas()
        if canvas is None or not canvas.state.items:
            QTimer.singleShot(20, lambda: self.do_zoom(0))
            return
        canvas.camera.zoom, canvas.camera.corner = 1.0, QPointF(0, 0)
        canvas._moved()
        say("zoomed", time.monotonic())

    def do_close(self, _: int) -> None:
        for window in windows():
            window.close()

    def _canvas(self) -> Canvas | None:
        widgets = [window.centralWidget() for window in windows()]
        return next((one for one in widgets if isinstance(one, Canvas)), None)


def main() -> int:
    """Runs it."""
    qt = application()
    parser = argparse.ArgumentParser()
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("files", nargs="+")
    add_arguments(parser)
    arguments = parser.parse_args()
    eye = Eye()
    qt.installEventFilter(eye)
    hand = Hand(eye)
    channels = Channels(config_of(arguments), Folders.of_user(os.environ))
    try:
        return program.run(arguments.files, channels, alone=arguments.alone)
    finally:
        del hand


if __name__ == "__main__":
    sys.exit(main())
