"""The list of open windows, kept on disk so that they can be offered again after a crash.

Each program keeps one file and a lock on it. A program that ends normally removes its file, so a file whose
lock is free belongs to a program that crashed.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from liven.runtime.files import read_json, write_file

FOLDER = "windows"
"""The folder of the lists, below the one for state."""
MOST = 64
"""Most windows to reopen, and most files of crashed programs to read."""
LARGEST = 16 * 1024 * 1024
_FAR = 100_000


@dataclass(frozen=True, slots=True)
class OpenWindow:
    """One window in the list."""

    name: str
    recipe: str
    """XML text."""
    area: tuple[int, int, int, int]
    """Left, top, width and height on the screen."""


class OpenWindows:
    """The file with the windows of this program. Errors while writing are ignored: the list is a
    convenience."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / f"{os.getpid()}-{secrets.token_hex(4)}.json"
        self._lock: int | None = None

    def write(self, windows: Sequence[OpenWindow]) -> None:
        """Write the list of the windows that are open now."""
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._lock is None:
                self._lock = _taken(_lock_of(self._path))
            write_file(self._path, json.dumps([asdict(one) for one in windows]).encode(), 0o600)

    def close(self) -> None:
        """Remove the file: the program ends normally."""
        if self._lock is not None:
            _gone(self._path)
            os.close(self._lock)
            self._lock = None


class CrashedWindows:
    """The windows of programs that crashed.

    While this object is open, no other program sees them. If they are neither restored nor dropped, the next
    program to start sees them again. Files that cannot be read are dropped.
    """

    def __init__(self, folder: Path) -> None:
        self._held: list[tuple[Path, int]] = []
        found: list[OpenWindow] = []
        for path in sorted(folder.glob("*.json"))[:MOST]:
            lock = _taken(_lock_of(path))
            if lock is not None:
                self._held.append((path, lock))
                found += _windows(path)
        self.windows = found[:MOST]
        if not found:
            self.drop()

    def drop(self) -> None:
        """Forget these windows for good."""
        for path, _ in self._held:
            with contextlib.suppress(OSError):
                _gone(path)
        self.close()

    def close(self) -> None:
        """Leave these windows to the next program that starts."""
        for _, lock in self._held:
            os.close(lock)
        self._held.clear()


def _windows(path: Path) -> list[OpenWindow]:
    try:
        return [_window(one) for one in read_json(path, LARGEST)]
    except (OSError, ValueError, TypeError, KeyError, OverflowError):
        return []


def _window(found: dict[str, object]) -> OpenWindow:
    area = found["area"]
    if not isinstance(area, list):
        raise ValueError("no area")
    left, top, width, height = (max(-_FAR, min(int(number), _FAR)) for number in area)
    recipe = str(found["recipe"]).encode(errors="replace").decode()
    return OpenWindow(str(found["name"]), recipe, (left, top, width, height))


def _lock_of(path: Path) -> Path:
    return path.with_suffix(".lock")


def _taken(path: Path) -> int | None:
    """Take a lock and return its descriptor, or None if a running program holds it."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def _gone(path: Path) -> None:
    for one in (path, _lock_of(path)):
        one.unlink(missing_ok=True)
