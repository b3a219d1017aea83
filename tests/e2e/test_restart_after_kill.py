"""After a program is killed or closed, its contents are there, can be undone, and its windows are offered."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
NOTE = ROOT / "samples" / "desk" / "note.liveobject"
PATIENCE = 40.0

PROGRAM = """
import json, os, sys, argparse
from PySide6.QtCore import QSocketNotifier, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from liven.app.program import desktop_program
from liven.app.window.object_window import ObjectWindow
from liven.app.window.pages.prompt_bar import PromptBar
from liven.app.network.cli import config_of
from liven.app.network.settings import add_arguments
from liven.app.qt_application import application
from liven.liveobjects.channel.composition import Channels
from liven.liveobjects.text.view import NoteEditor
from liven.runtime.library.placement import Placement
from liven.runtime.user_folders import UserFolders

application()
parser = argparse.ArgumentParser()
add_arguments(parser)

def windows():
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, ObjectWindow)]

def bars():
    return [bar for one in QApplication.topLevelWidgets() for bar in one.findChildren(PromptBar)]

def page():
    return next((w.centralWidget() for w in windows() if isinstance(w.centralWidget(), NoteEditor)), None)

def obey(line):
    word, _, rest = line.partition(" ")
    if word == "type":
        QTest.keyClicks(page(), rest)
    elif word == "undo":
        QTest.keyClick(page(), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    elif word == "accept":
        [bar] = bars()
        QTest.mouseClick(bar.findChildren(QPushButton)[0], Qt.MouseButton.LeftButton)
    elif word == "close":
        for one in [one for one in QApplication.topLevelWidgets() if one.isVisible()]:
            one.close()
    if word == "tell":
        text = None if page() is None else page().toPlainText()
        pending = None if page() is None else page().note.pending
        names = sorted(w.name for w in windows())
        print(json.dumps({"text": text, "windows": names, "offers": len(bars()), "pending": pending}),
              flush=True)

heard = bytearray()
def hear():
    heard.extend(os.read(0, 65536))
    while b"\\n" in heard:
        line, _, rest = bytes(heard).partition(b"\\n")
        heard[:] = rest
        obey(line.decode())

ear = QSocketNotifier(0, QSocketNotifier.Type.Read)
ear.activated.connect(lambda *_: hear())
channels = Channels(config_of(parser.parse_args([])), UserFolders.of_user(os.environ))
sys.exit(desktop_program.run(sys.argv[1:], channels, Placement(), alone=False))
"""


class Program:
    def __init__(self, home: Path, *files: Path) -> None:
        environment = {**os.environ, "LIVEN_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *map(str, files)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def shown(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        self.tell("tell")
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def wait_for(self, good: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        until = time.monotonic() + PATIENCE
        while not good(now := self.shown()):
            assert time.monotonic() < until, now
            time.sleep(0.1)
        return now

    def close(self) -> int:
        self.tell("close")
        return self.process.wait(PATIENCE)


@pytest.fixture
def start(tmp_path: Path, ends: Callable[[subprocess.Popen[Any]], None]) -> Callable[..., Program]:
    def make(*files: Path) -> Program:
        made = Program(tmp_path, *files)
        ends(made.process)
        return made

    return make


def begun(program: Program, text: str = "") -> None:
    program.wait_for(lambda now: now["text"] == text)


def test_after_a_kill_the_text_is_there_and_the_windows_are_offered(
    start: Callable[..., Program],
) -> None:
    first = start(NOTE)
    begun(first)
    first.tell("type all of this")
    begun(first, "all of this")
    first.wait_for(lambda now: now["pending"] == 0)  # ordered, and so in the log
    first.process.kill()
    first.process.wait(PATIENCE)
    again = start()
    assert again.wait_for(lambda now: now["offers"] == 1)["windows"] == []  # in the gallery
    again.tell("accept")
    again.wait_for(lambda now: "Shopping list" in now["windows"] and now["text"] == "all of this")
    assert again.close() == 0
    third = start(NOTE)
    third.wait_for(lambda now: now["text"] == "all of this" and now["offers"] == 0)
    assert third.close() == 0


def test_an_edit_of_an_earlier_run_can_be_undone(start: Callable[..., Program]) -> None:
    first = start(NOTE)
    begun(first)
    first.tell("type one")
    begun(first, "one")
    assert first.close() == 0
    again = start(NOTE)
    begun(again, "one")
    again.tell("undo")
    begun(again, "")
    assert again.close() == 0
