"""The program that the demo drives, which also records the files that a gesture passes.

Two more commands on its standard input: `begin` starts a record, `end FILE` writes it there as JSON.
With `--hand-over RECORD FILE` it is a second start of Liven, which hands `FILE` to the first.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from liven.app.demo import scripted_user
from liven.app.main import main as start
from liven.app.network.cli import config_of
from liven.app.network.settings import add_arguments
from liven.app.program import desktop_program
from liven.app.qt_application import application
from liven.liveobjects.channel.composition import Channels
from liven.runtime.library.placement import Placement
from liven.runtime.user_folders import UserFolders

ROOT = Path(__file__).resolve().parents[2]
HOMES = tuple(str(path) for path in ROOT.glob("*/liven"))


class Record:
    """The files that are on the call stack when one of the marks is reached, in their order."""

    def __init__(self, marks: Sequence[str]) -> None:
        self.files: dict[str, None] = {}
        self._marks = tuple(str(ROOT / mark) for mark in marks)

    def begin(self) -> None:
        self.files.clear()
        sys.setprofile(self._called)

    def end(self, target: Path) -> None:
        sys.setprofile(None)
        target.write_text(json.dumps(list(self.files)), encoding="utf-8")

    def _called(self, frame: FrameType, event: str, _: object) -> None:
        # The body of a module is its import, which happens once; the walk is of what happens each time.
        if event == "call" and frame.f_code.co_filename.startswith(self._marks) and not _imports(frame):
            for file in reversed(list(_stack(frame))):
                self.files.setdefault(str(Path(file).relative_to(ROOT)))


def _imports(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_code.co_filename.startswith(HOMES):
            return True
        frame = frame.f_back
    return False


def _stack(frame: FrameType | None) -> Iterator[str]:
    while frame is not None:
        if frame.f_code.co_filename.startswith(HOMES):
            yield frame.f_code.co_filename
        frame = frame.f_back


def hand_over(record: Record, target: Path, file: str) -> int:
    """Start Liven a second time, with `file`."""
    sys.argv = ["liven", "open", file]
    record.begin()
    try:
        return start()
    finally:
        record.end(target)


def drive(record: Record, file: str) -> int:
    """Be the program that the demo drives."""

    class Recorded(scripted_user.ScriptedUser):
        def do_begin(self, _: str) -> None:
            record.begin()

        def do_end(self, file: str) -> None:
            record.end(Path(file))
            self._say("written")

        def do_key(self, key: str) -> None:
            typed_into = QApplication.focusWidget()
            assert typed_into is not None
            QTest.keyClick(typed_into, Qt.Key(ord(key)))

        def do_windows(self, _: str) -> None:
            shown = [one for one in self._windows() if one.view is not None and not one.view.is_loading()]
            self._say(str(len(shown)))

    application()
    folders = UserFolders.of_user(os.environ)
    options = argparse.ArgumentParser()
    add_arguments(options)
    channels = Channels(config_of(options.parse_args([])), folders)
    user = Recorded()
    try:
        return desktop_program.run([file], channels, Placement(), alone=False)
    finally:
        del user


def main() -> int:
    """Drive, or hand over."""
    record = Record(os.environ["LIVEN_WALK_MARKS"].split())
    if sys.argv[1:2] == ["--hand-over"]:
        return hand_over(record, Path(sys.argv[2]), sys.argv[3])
    return drive(record, sys.argv[1])


if __name__ == "__main__":
    sys.exit(main())
