"""Which folder a process keeps its log in: the first below the root that no other process holds.

Each process of a user has a log of its own. What is in a log whose process has ended is found by whichever
process opens the channel next (`siblings.py`), so it does not matter which of them is started again.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Final

MOST_SLOTS: Final = 64


class NoFolderError(OSError):
    """More processes keep channels at one time than there may be logs."""


class FolderLock:
    """One folder, held until it is closed or the process ends."""

    def __init__(self, folder: Path, lock: int) -> None:
        self.folder = folder
        self._lock = lock

    def close(self) -> None:
        """Lets another process have it."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def hold(folder: Path) -> FolderLock | None:
    """Holds a folder; None when another process does, OSError when it cannot be made."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = os.open(folder / "lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return FolderLock(folder, lock)


def take_slot(root: Path) -> FolderLock:
    """Holds the first free folder; NoFolderError when there is none, OSError when none can be made."""
    for number in range(MOST_SLOTS):
        slot = hold(root / str(number))
        if slot is not None:
            return slot
    raise NoFolderError(f"{MOST_SLOTS} programs keep channels below {root} already; close one of them")
