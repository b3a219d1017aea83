"""Each sample of the desktop is valid, and shows something in a window."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SAMPLES = sorted((ROOT / "samples" / "desk").glob("*.liveobject"))

pytestmark = pytest.mark.slow

SHOW = """
import argparse, os, sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from liven.app.program import desktop_program
from liven.app.window.object_window import ObjectWindow
from liven.app.network.cli import config_of
from liven.app.network.settings import add_arguments
from liven.app.qt_application import application
from liven.liveobjects.channel.composition import Channels
from liven.runtime.library.placement import Placement
from liven.runtime.user_folders import UserFolders

qt = application()
parser = argparse.ArgumentParser()
add_arguments(parser)

def look():
    for window in QApplication.topLevelWidgets():
        if isinstance(window, ObjectWindow) and window.view is not None:
            print(type(window.centralWidget()).__name__, window.grab().width() > 100, flush=True)
            window.close()

watch = QTimer(interval=100)
watch.timeout.connect(look)
watch.start()
channels = Channels(config_of(parser.parse_args([])), UserFolders.of_user(os.environ))
sys.exit(desktop_program.run(sys.argv[1:], channels, Placement(), alone=True))
"""


def test_there_are_samples_of_a_note_and_of_desktops() -> None:
    assert {"note", "desktop", "welcome"} <= {path.stem for path in SAMPLES}


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_each_sample_is_valid_and_shows_something(path: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "LIVEN_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}

    def python(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    checked = python("-m", "liven.app.main", "check", str(path))
    assert checked.returncode == 0, checked.stdout + checked.stderr
    shown = python("-c", SHOW, str(path))
    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert "True" in shown.stdout
    assert shown.stderr == ""
