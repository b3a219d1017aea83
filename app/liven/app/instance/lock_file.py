"""A locked file that comes back when somebody deletes it.

Its lock tells later starts that this program runs, and a lock of a deleted file tells them nothing. So the
holder looks after it, as the membership service does after its own files.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

LOOK_AFTER: Final = 1.0
"""Seconds between two looks at the files of a running program."""


class LockFile:
    """A lock, held until `close`."""

    def __init__(self, path: Path) -> None:
        """Take the lock. Raises BlockingIOError if another program holds it, or OSError if locks do not work
        there."""
        self._path = path
        self._handle = _locked(path)

    def keep(self) -> bool:
        """Return True if the file is there and locked, made again if it is missing. After False, another
        program has taken it, or the folder cannot be written; a later call may succeed."""
        if is_file_of(self._path, os.fstat(self._handle)):
            return True
        with suppress(OSError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = _locked(self._path)
            os.close(self._handle)
            self._handle = handle
            return True
        return False

    def close(self) -> None:
        """Release the lock."""
        os.close(self._handle)


def is_file_of(path: Path, made: os.stat_result) -> bool:
    """Return True if the file at a path is the one that was made, and no later one."""
    try:
        return os.path.samestat(path.lstat(), made)
    except OSError:
        return False


def _locked(path: Path) -> int:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not is_file_of(path, os.fstat(handle)):
            raise BlockingIOError(f"{path} was deleted meanwhile")
    except OSError:
        os.close(handle)
        raise
    return handle
