"""Space on the disk that is kept for the moment when it is full.

A replica whose disk is full stops voting, and has to record that: otherwise it would return, when everybody
is gone, with the rights that it had before. That note needs a few hundred bytes, which are taken in advance.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

RESERVE_BYTES: Final = 1024 * 1024
"""Enough for the notes of some thousand channels."""
_NAME: Final = "reserve"


class Reserve:
    """The reserved space of one log: a file of nothing."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _NAME

    def fill(self) -> bool:
        """Take the space, and return False if the disk has no room for it."""
        try:
            fd = os.open(self._path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            try:
                os.posix_fallocate(fd, 0, RESERVE_BYTES)
            finally:
                os.close(fd)
        except OSError:
            self.release()
            return False
        return True

    def release(self) -> None:
        """Give the space back to the file system."""
        with suppress(OSError):
            self._path.unlink()
