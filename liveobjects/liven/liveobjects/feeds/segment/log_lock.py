"""The lock of a log: one program writes it. The system frees it when that program ends, however it ends.

A program that only looks takes it shared, for a moment, and a writer waits for that moment.
"""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from liven.liveobjects.feeds.errors import LockedError
from liven.runtime.files import PRIVATE

NAME: Final = "lock"
_LOOKS: Final = 50
_LOOK_SECONDS: Final = 0.02
"""A look takes microseconds; a program that was stopped in one does not stop a writer for long."""


class LogLock:
    """The lock, held from its making until it is closed."""

    def __init__(self, folder: Path) -> None:
        """Take the lock; raise LockedError if another program has it."""
        self._fd = os.open(folder / NAME, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, PRIVATE)
        try:
            self._take()
        except BlockingIOError:
            owner = os.pread(self._fd, 20, 0)
            self.close()
            raise LockedError(folder, int(owner) if owner.isdigit() else None) from None
        except BaseException:
            self.close()
            raise
        with suppress(OSError):  # a full disk: only the error of others knows less
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, str(os.getpid()).encode(), 0)

    def _take(self) -> None:
        """Take the lock; raise BlockingIOError if a writer has it, or others look for too long."""
        for _ in range(_LOOKS):
            with suppress(BlockingIOError):
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            fcntl.flock(self._fd, fcntl.LOCK_SH | fcntl.LOCK_NB)  # refused while a writer has it
            fcntl.flock(self._fd, fcntl.LOCK_UN)
            time.sleep(_LOOK_SECONDS)
        fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)

    @property
    def is_held(self) -> bool:
        """True until the lock is freed."""
        return self._fd >= 0

    def close(self) -> None:
        """Free the lock."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def is_locked(folder: Path) -> bool:
    """Return True if a program is writing the log. Nothing in its folder changes."""
    try:
        fd = os.open(folder / NAME, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False  # nobody ever wrote it, or it is of another account
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(fd)
    return False
