"""The folder of a process's log: the first below the root that no other process has locked.

Each process of a user has its own log. Whichever process opens a channel next finds what is in the log of an
ended process (`other_processes.py`), so it does not matter which process is started again.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Final

from liven.liveobjects.channel.store.log_format import other_format

MOST_SLOTS: Final = 64
"""Processes of one user that may use channels at the same time."""


class NoFolderError(OSError):
    """More processes use channels at the same time than there may be logs."""


class FolderLock:
    """One folder, locked until it is closed or the process ends."""

    def __init__(self, folder: Path, lock: int) -> None:
        self.folder = folder
        self._lock = lock

    def close(self) -> None:
        """Release the folder."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def lock_folder(folder: Path) -> FolderLock | None:
    """Lock a folder. Returns None if another process has it; raises OSError if it cannot be created."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = os.open(folder / "lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return FolderLock(folder, lock)


def lock_first_free(root: Path) -> FolderLock:
    """Lock the first free folder whose log this version can read. Raises NoFolderError if there is none,
    OSError if none can be created."""
    for number in range(MOST_SLOTS):
        folder = root / str(number)
        slot = None if other_format(folder) is not None else lock_folder(folder)
        if slot is not None:
            return slot
    raise NoFolderError(f"{MOST_SLOTS} programs already use channels below {root}; close one of them")
