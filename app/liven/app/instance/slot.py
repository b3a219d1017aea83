"""A number for each of the programs that one user runs at the same time, so that others can tell them apart.

A program holds the lock of the first free number. The lock goes away with its program, however that ends.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

MOST = 64
"""Most numbers; all further programs share the last one."""


class InstanceSlot:
    """The number of this program, held until `close`."""

    def __init__(self, folder: Path, key: str) -> None:
        self._lock: int | None = None
        self.number = self._first_free(folder, key)

    def close(self) -> None:
        """Release the number for another program."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _first_free(self, folder: Path, key: str) -> int:
        """Lock the first free number and return it. Where locks do not work, every program is number 1."""
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for number in range(1, MOST + 1):
                if self._take(folder / f"{key}-{number}.lock"):
                    return number
        except OSError:
            return 1
        return MOST

    def _take(self, path: Path) -> bool:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return False
        except OSError:
            os.close(handle)
            raise
        self._lock = handle
        return True
