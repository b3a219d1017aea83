"""The demo without a screen: the steps a person would take, and a picture of what they would see."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QPushButton

from liven.app.shell import application
from liven.app.welcome import WelcomeWindow
from liven.runtime.folders import Folders

_PATIENCE = 60_000  # milliseconds; a machine that is still busy with a round by then is in trouble


class RehearsalError(RuntimeError):
    """A step of the demo did not lead where it should."""


def rehearse(picture: Path | None) -> Path:
    """Opens the window, lets it check, presses `Check again`, and saves what is to be seen then."""
    qt = application()
    folders = Folders.of_user(os.environ)
    window = WelcomeWindow(folders)
    window.show()
    _wait_for_round(window, window.check)
    first = [finding.subject for finding in window.findings]
    again = next(button for button in window.findChildren(QPushButton) if "again" in button.text())
    _wait_for_round(window, again.click)
    if [finding.subject for finding in window.findings] != first:
        raise RehearsalError("the second check looked at other things than the first")
    target = picture or folders.cache / "demo.png"
    target.parent.mkdir(parents=True, exist_ok=True)
    qt.processEvents()
    if not window.grab().save(str(target), "PNG"):
        raise RehearsalError(f"the picture could not be saved as {target}")
    window.close()
    return target


def _wait_for_round(window: WelcomeWindow, begin: Callable[[], object]) -> None:
    loop = QEventLoop()
    window.finished.connect(loop.quit)
    timer = QTimer()
    timer.setSingleShot(True)
    timer.timeout.connect(lambda: loop.exit(1))
    timer.start(_PATIENCE)
    begin()
    if loop.exec() != 0:
        raise RehearsalError(f"the check did not end within {_PATIENCE // 1000} s")
