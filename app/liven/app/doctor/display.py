"""The check whether a window can open. It runs in a child process, because Qt aborts its process if it
cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping

from liven.app.doctor.finding import Finding, State
from liven.runtime.user_folders import UserFolders

_TRY = (
    "from PySide6.QtWidgets import QApplication, QWidget\n"
    "import PySide6\n"
    "application = QApplication([])\n"
    "window = QWidget(); window.show(); application.processEvents()\n"
    "print(application.platformName(), PySide6.__version__)\n"
)
QT_PACKAGES = (
    "libegl1 libgl1 libfontconfig1 libglib2.0-0 libdbus-1-3 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 "
    "libxcb-keysyms1 libxcb-shape0 libwayland-cursor0 libwayland-egl1"
)
"""Debian packages that Qt's platform plugins link: X11, Wayland and no screen at all. Found with `ldd` on a
Debian 12 that had nothing but its base system; the README names the same."""
_WITHIN = 30.0
NO_DISPLAY = "no display here"
TO_HAVE_ONE = "log in to a desktop, or set DISPLAY"


def has_display(environment: Mapping[str, str]) -> bool:
    """Return True if there is a display."""
    if sys.platform != "linux":
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def try_window(environment: Mapping[str, str]) -> tuple[bool, str]:
    """Open and close a window with Qt in the given environment; return success and Qt's messages."""
    try:
        answer = subprocess.run(
            [sys.executable, "-P", "-c", _TRY],  # -P: do not import modules from the current folder
            capture_output=True,
            text=True,
            timeout=_WITHIN,
            env=dict(environment),
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False, f"Qt did not answer within {_WITHIN:.0f} s"
    if answer.returncode == 0:
        return True, answer.stdout.strip()
    lines = [line for line in answer.stderr.splitlines() if line.strip()]
    if not lines:
        return False, f"Qt ended with code {answer.returncode}"
    return False, lines[-1] if lines[0].startswith("Traceback") else lines[0]


def remedy(words: str) -> str:
    """Return advice for a message with which Qt failed."""
    if "could not connect to display" in words:
        return "check that DISPLAY names a running display"
    if "Could not find the Qt platform plugin" in words:
        return "unset QT_QPA_PLATFORM, or set it to xcb, wayland or offscreen"
    return f"apt install {QT_PACKAGES}"


def examine_display(environment: Mapping[str, str], _folders: UserFolders) -> Finding:
    """Check if windows open, on a display or at least without one."""
    wish = environment.get("QT_QPA_PLATFORM")
    if has_display(environment) or wish:
        good, words = try_window(environment)
        if good:
            return Finding("Window", State.OK, f"opens: Qt platform {words}")
        return Finding("Window", State.BROKEN, f"does not open: {words}", remedy(words))
    good, words = try_window({**os.environ, **environment, "QT_QPA_PLATFORM": "offscreen"})
    if good:
        return Finding(
            "Window",
            State.MISSING,
            f"{NO_DISPLAY}; Qt works without one ({words})",
            TO_HAVE_ONE,
        )
    return Finding(
        "Window",
        State.BROKEN,
        f"{NO_DISPLAY}, and Qt does not work without one: {words}",
        f"apt install {QT_PACKAGES}",
    )
