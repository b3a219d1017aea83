"""Opens a file as `liven open --new-process` does, and does what it is told on its standard input: `type
WORDS`, `lay` (puts a note on the desktop), `tell` (prints what the window shows), `close`."""

from __future__ import annotations

import argparse
import os
import sys

from PySide6.QtCore import QSocketNotifier
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from liven.app.desk import program
from liven.app.desk.object_window import ObjectWindow
from liven.app.desk.recipes import note
from liven.app.network.command import config_of
from liven.app.network.settings import add_arguments
from liven.app.shell import application
from liven.liveobjects.channel.process import Channels
from liven.liveobjects.desktop.view import Canvas
from liven.liveobjects.text.view import NoteView
from liven.runtime.folders import Folders
from liven.runtime.reference.xml import write

_heard = bytearray()


def window() -> ObjectWindow:
    [found] = [one for one in QApplication.topLevelWidgets() if isinstance(one, ObjectWindow)]
    return found


def shown() -> str:
    widget = window().centralWidget()
    if isinstance(widget, NoteView):
        return widget.toPlainText()
    if isinstance(widget, Canvas):
        return ",".join(sorted(item.label for item in widget.state.items.values()))
    return "…"


def obey(line: str) -> None:
    word, _, rest = line.partition(" ")
    widget = window().centralWidget()
    if word == "type":
        assert widget is not None
        QTest.keyClicks(widget, rest)
    elif word == "lay":
        view = window().view
        assert view is not None
        view.take_in(write(note(rest)).decode(), rest)
    elif word == "tell":
        sys.stdout.write(shown().replace("\n", "|") + "\n")
        sys.stdout.flush()
    elif word == "close":
        window().close()


def hear() -> None:
    """Whole lines only; what came together is all obeyed."""
    _heard.extend(os.read(sys.stdin.fileno(), 65536))
    while b"\n" in _heard:
        line, _, rest = bytes(_heard).partition(b"\n")
        _heard[:] = rest
        obey(line.decode())


def main() -> int:
    application()
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    channels = Channels(config_of(parser.parse_args([])), Folders.of_user(os.environ))
    ear = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    ear.activated.connect(lambda *_: hear())
    return program.run(sys.argv[1:], channels, alone=True)


if __name__ == "__main__":
    sys.exit(main())
