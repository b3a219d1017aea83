"""A folder that is deleted with its process, or by the next one if the process was killed.

A lock shows that the process lives. Its process id does not: ids are reused, and programs of other machines
or containers that share a home have ids of their own.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

_LOCK: Final = ".lock"
STALE: Final = 3600.0
"""Seconds after which a folder without a lock is from a crash: its process had no time to make one."""


class TemporaryFolder:
    """One folder below another, which is created if it does not exist."""

    def __init__(self, below: Path, prefix: str) -> None:
        below.mkdir(mode=0o700, parents=True, exist_ok=True)
        for old in below.glob(f"{prefix}*"):
            with suppress(OSError):  # it belongs to another user, or the disk has no locks: leave it
                _sweep(old)
        # The next program deletes what cannot be deleted now.
        self._folder = TemporaryDirectory(prefix=prefix, dir=below, ignore_cleanup_errors=True)
        self.path = Path(self._folder.name)
        self._lock = os.open(self.path / f"{_LOCK}ing", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        with suppress(OSError):  # on a disk without locks, nobody deletes it
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        (self.path / f"{_LOCK}ing").rename(self.path / _LOCK)  # it gets its name once it is locked

    def close(self) -> None:
        """Delete the folder."""
        os.close(self._lock)
        self._folder.cleanup()


def _sweep(folder: Path) -> None:
    """Delete a folder whose process has ended; raise OSError if it lives."""
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        if time.time() - folder.stat().st_mtime > STALE:
            shutil.rmtree(folder, ignore_errors=True)
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)
