"""Marks of objects that are being opened. A mark that outlives its program says that the program crashed, or
hung and was killed, while it opened the object.

A mark is a file with a lock, as for `crash_restore`: while the program lives, its marks count for nothing.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
from pathlib import Path

FOLDER = "openings"
"""The folder of the marks, below the one for state."""
MOST = 500
"""Most marks that are kept; the oldest are removed."""


class OpeningMarks:
    """The marks of one program below a folder. Errors of the disk are ignored: opening matters more."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._own: dict[str, tuple[Path, int]] = {}

    def begin(self, key: str) -> int:
        """Mark an object as being opened; return how often in a row opening it ended in a crash so far."""
        self.end(key)
        crashes = len(self._left(key))
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = self._folder / f"{key}-{secrets.token_hex(4)}"
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._own[key] = (path, handle)
        self._drop_oldest()
        return crashes

    def end(self, key: str) -> None:
        """Remove the mark of an object that was closed in order: that says nothing about the next time."""
        path, handle = self._own.pop(key, (None, -1))
        if path is not None:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
            os.close(handle)

    def lived(self, key: str) -> None:
        """Remove all marks of an object that has run for a while: earlier crashes no longer count."""
        self.end(key)
        self.forget(key)

    def forget(self, key: str) -> None:
        """Forget the crashes of an object."""
        for path in self._left(key):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Remove the marks of this program, which ends in order."""
        for key in tuple(self._own):
            self.end(key)

    def _left(self, key: str) -> list[Path]:
        """Return the marks of programs that have ended."""
        return [path for path in self._folder.glob(f"{key}-*") if not _is_held(path)]

    def _drop_oldest(self) -> None:
        with contextlib.suppress(OSError):
            found = sorted(self._folder.iterdir(), key=lambda path: path.lstat().st_mtime)
            for path in found[:-MOST]:
                path.unlink(missing_ok=True)


def _is_held(path: Path) -> bool:
    """True while the program that made a mark lives."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    else:
        return False
    finally:
        os.close(handle)
