"""The program that the demo drives, which also saves a picture of its window with the structure beside it.

More commands on its standard input: `ready` waits for a desktop, `shoot FILE` saves `FILE.png` and
`FILE.json`, `light day`, `light dusk` and `light high` choose how it looks, and `trust` asks a question
about new code.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QTimer

from liven.app.appearance.theme import Theme
from liven.app.demo.scripted_user import ScriptedUser
from liven.app.network.cli import config_of
from liven.app.network.settings import add_arguments
from liven.app.program import desktop_program
from liven.app.qt_application import application
from liven.app.trust.dialog import TrustQuestion
from liven.app.trust.question_row import code_row
from liven.liveobjects.channel.composition import Channels
from liven.liveobjects.look.tokens import DAY, DUSK
from liven.runtime.library.placement import Placement
from liven.runtime.user_folders import UserFolders
from tools.pictures.screens.reading import read_screen
from tools.pictures.screens.structure import write
from tools.pictures.trust_example import ANN, QUESTION, REACH

HIGH = "high"
_REST_MS = 500
_AGAIN_MS = 50


class Photographer(ScriptedUser):
    """The simulated user, with a camera."""

    def do_shoot(self, file: str) -> None:
        """Save the picture and the structure once animations have ended."""
        QTimer.singleShot(_REST_MS, lambda: self._shoot(Path(file)))

    def do_ready(self, _: str) -> None:
        """Answer when the window shows a desktop."""
        canvas = self._canvas()
        if canvas is None or not canvas.model.ready:
            QTimer.singleShot(_AGAIN_MS, lambda: self.do_ready(""))
        else:
            self._say("there")

    def do_light(self, name: str) -> None:
        """Choose a light without a message, and for this run."""
        theme = Theme.of(application(), os.environ)
        light = DAY.name if name == HIGH else name
        assert light in (DAY.name, DUSK.name)
        contrast = "high" if name == HIGH else "normal"
        theme.choose(replace(theme.chosen, light=light, contrast=contrast))

    def do_trust(self, _: str) -> None:
        """Ask whether new code may run."""
        TrustQuestion(self._window(), {QUESTION: code_row(QUESTION, REACH, ANN)}).open()

    def _shoot(self, file: Path) -> None:
        window = self.shown()
        picture = window.grab().toImage()
        if not picture.save(f"{file}.png", "PNG"):  # type: ignore[call-overload]  # its stub wants bytes
            raise OSError(f"{file}.png cannot be written")
        write(read_screen(window, picture), Path(f"{file}.json"))
        self._say("saved")


def main() -> int:
    """Open the file named on the command line."""
    application()
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    add_arguments(parser)
    arguments = parser.parse_args()
    channels = Channels(config_of(arguments), UserFolders.of_user(os.environ))
    user = Photographer()
    try:
        return desktop_program.run([arguments.file], channels, Placement(), alone=True)
    finally:
        del user


if __name__ == "__main__":
    sys.exit(main())
