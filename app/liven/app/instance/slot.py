"""A number for each of the programs that one user runs at the same time, so that others can tell them apart.

A program holds the lock of the first free number. The lock goes away with its program, however that ends, and
comes back if its file is deleted.
"""

from __future__ import annotations

from pathlib import Path

from liven.app.instance.lock_file import LockFile

SEATS = "seats"
"""The folder of the locks, below the folder for sockets."""
MOST = 64
"""Most numbers; all further programs share the last one."""


class InstanceSlot:
    """The number of this program, held until `close`."""

    def __init__(self, folder: Path, key: str) -> None:
        self._lock: LockFile | None = None
        self.number = self._first_free(folder, key)

    def keep(self) -> None:
        """Make the file of the lock again if somebody deleted it, so that nobody else gets the number."""
        if self._lock is not None:
            self._lock.keep()

    def close(self) -> None:
        """Release the number for another program."""
        if self._lock is not None:
            self._lock.close()
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
        try:
            self._lock = LockFile(path)
        except BlockingIOError:
            return False
        return True
