"""The demo without a screen: the steps a person would take, and a picture of what they would see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QPushButton

from liven.app.doctor import Finding
from liven.app.shell import application
from liven.app.welcome import WelcomeWindow

_PATIENCE = 60_000  # milliseconds; a machine that is still busy with a round by then is in trouble


class RehearsalError(RuntimeError):
    """A step of the demo did not lead where it should."""


def rehearse(target: Path, examination: Callable[[], Iterator[Finding]]) -> Path:
    """Opens the window, lets it check, presses `Check again`, and saves what is to be seen then."""
    qt = application()
    window = WelcomeWindow(examination)
    window.show()
    _wait_for_round(window, window.check)
    first = [finding.subject for finding in window.findings]
    again = next(button for button in window.findChildren(QPushButton) if "again" in button.text())
    _wait_for_round(window, again.click)
    if [finding.subject for finding in window.findings] != first:
        raise RehearsalError("the second check looked at other things than the first")
    qt.processEvents()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        saved = window.grab().save(str(target), "PNG")
    except OSError as error:
        raise RehearsalError(f"the picture cannot be saved as {target}: {error.strerror}") from error
    finally:
        window.close()
    if not saved:
        raise RehearsalError(f"the picture cannot be saved as {target}; name a file that can be written")
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
