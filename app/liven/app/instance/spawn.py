"""Another program beside this one, as a second person would have it."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from liven.app.filenames import plain_name, write_whole
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import write
from liven.runtime.user_folders import UserFolders

_SMALLEST = QSize(200, 120)


def another(file: Path, *arguments: str) -> subprocess.Popen[bytes] | None:
    """Starts a program of its own on a file; None where none can be started."""
    command = [sys.executable, "-m", "liven.app.main", "open", "--new-process", *arguments, str(file)]
    try:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    except OSError:
        return None


def handed_over(folders: UserFolders, recipe: Object, name: str) -> Path:
    """A file that holds a recipe, for another program to open."""
    data = write(recipe)
    place = folders.cache / "handed"
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"{plain_name(name)} {hashlib.sha256(data).hexdigest()[:16]}.liveobject"
    if not path.exists():
        write_whole(path, data)
    return path


def on_a_screen(area: tuple[int, int, int, int]) -> QRect:
    """Where a window was, or on the first screen where that is seen on none: screens are unplugged."""
    wanted = QRect(*area)
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    seen = next((one for one in screens if _is_enough(one.intersected(wanted))), None)
    whole = seen or screens[0]
    size = wanted.size().expandedTo(_SMALLEST).boundedTo(whole.size())
    return QRect(wanted.topLeft() if seen is not None else whole.topLeft(), size)


def _is_enough(part: QRect) -> bool:
    """Whether so much of a window can be taken hold of."""
    return part.width() >= _SMALLEST.width() // 2 and part.height() >= _SMALLEST.height() // 2


def other_half(window: QWidget) -> str:
    """The half of the screen in which a window stands less, so that another is seen beside it."""
    whole = QGuiApplication.primaryScreen().availableGeometry()
    return "left" if window.geometry().center().x() > whole.center().x() else "right"


def half_of_screen(place: str) -> QRect:
    """The left or the right half of what the screen has for windows, the titles left room for."""
    whole = QGuiApplication.primaryScreen().availableGeometry()
    width = whole.width() // 2
    left = whole.left() if place != "right" else whole.left() + width
    return QRect(left + 4, whole.top() + 32, width - 8, whole.height() - 40)
