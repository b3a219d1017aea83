"""Starting a second program beside this one, as a second person would have it."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from liven.app.filenames import plain_name
from liven.runtime.files import PRIVATE, users_umask, write_file
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import write
from liven.runtime.user_folders import UserFolders

_SMALLEST = QSize(200, 120)


def spawn(file: Path, *arguments: str) -> subprocess.Popen[bytes] | None:
    """Start another program that opens a file; return None if it cannot be started."""
    command = [sys.executable, "-m", "liven.app.main", "open", "--new-process", *arguments, str(file)]
    try:
        with users_umask():  # it saves documents, too
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    except OSError:
        return None


def handed_folder(folders: UserFolders) -> Path:
    """Return the folder of the recipes that other programs open."""
    return folders.cache / "handed"


def file_for_program(folders: UserFolders, recipe: Object, name: str) -> Path:
    """Write a recipe to a file for another program, and return its path."""
    data = write(recipe)
    place = handed_folder(folders)
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"{plain_name(name)} {hashlib.sha256(data).hexdigest()[:16]}.liveobject"
    if not path.exists():
        write_file(path, data, PRIVATE)
    return path


def on_a_screen(area: tuple[int, int, int, int]) -> QRect:
    """Return a window's area, moved to the first screen if it is not visible on any: screens get
    unplugged."""
    wanted = QRect(*area)
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    seen = next((one for one in screens if _is_reachable(one.intersected(wanted))), None)
    whole = seen or screens[0]
    size = wanted.size().expandedTo(_SMALLEST).boundedTo(whole.size())
    return QRect(wanted.topLeft() if seen is not None else whole.topLeft(), size)


def _is_reachable(part: QRect) -> bool:
    """Return True if enough of a window is visible to drag it."""
    return part.width() >= _SMALLEST.width() // 2 and part.height() >= _SMALLEST.height() // 2


def other_half(window: QWidget) -> str:
    """Return the half of the screen that a window covers less, "left" or "right"."""
    whole = QGuiApplication.primaryScreen().availableGeometry()
    return "left" if window.geometry().center().x() > whole.center().x() else "right"


def half_of_screen(place: str) -> QRect:
    """Return the area of one half of the screen, with room for the title bar."""
    whole = QGuiApplication.primaryScreen().availableGeometry()
    width = whole.width() // 2
    left = whole.left() if place != "right" else whole.left() + width
    return QRect(left + 4, whole.top() + 32, width - 8, whole.height() - 40)
