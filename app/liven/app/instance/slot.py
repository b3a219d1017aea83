"""Seats: which of one person's programs this one is, so that others can tell them apart.

Each program that runs holds the lock of the first seat that is free. A lock goes with its program, however
that ends, and the seat is the next one's.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

MOST = 64
"""So many programs of one person are told apart; all further ones sit in the last seat."""


class Seat:
    """One program's, in a folder of this machine's own."""

    def __init__(self, folder: Path, key: str) -> None:
        self._lock: int | None = None
        self.number = self._first_free(folder, key)

    def close(self) -> None:
        """The next program may sit here."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _first_free(self, folder: Path, key: str) -> int:
        """A machine that cannot lock has one seat for all; nobody is stopped by that."""
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
