"""The confined process with a screen that nobody sees: objects of one library, and their views in shared
pictures. See `liven.runtime.process.confined_program` for the arguments."""

from __future__ import annotations

import os
import socket
import sys

from PySide6.QtWidgets import QApplication

from liven.app.qt_dispatcher import QtDispatcher
from liven.liveobjects.confined.view.screen import Screen
from liven.runtime.process.confined_program import Arguments, ConfinedProgram


def main(words: list[str]) -> None:
    """Run until the starter closes the link."""
    arguments = Arguments.read(words)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    arguments.confine()
    qt = QApplication(["liven"])
    qt.setQuitOnLastWindowClosed(False)
    dispatcher = QtDispatcher(lambda _: None)
    program = ConfinedProgram(arguments, dispatcher, qt.quit)
    pictures = socket.socket(fileno=arguments.pictures)
    program.screen = Screen(qt, program.objects, program.link, pictures)
    qt.exec()
    os._exit(0)  # without waiting for threads of the library


if __name__ == "__main__":
    main(sys.argv[1:])
