"""The lock of the tables: one process writes at a time, and its Java counts as part of it.

Java outlives a killed driver by up to a second and may still write in it. It therefore inherits the
descriptor: the lock is free when both are gone."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.errors import FeedError
from liven.runtime.files import PRIVATE

_RETRY_AFTER: Final = 0.05
_LONGEST_OWNER: Final = 200


class TablesLockedError(FeedError):
    """Another process writes the tables."""

    def __init__(self, path: Path, owner: str) -> None:
        super().__init__(
            f"{path.parent}: {owner or 'another process'} is writing these tables; wait until it ends"
        )
        self.owner = owner


@contextmanager
def locked(
    path: Path, owner: str, *, patience: float = 15.0, waiting: Callable[[str], None] = lambda _owner: None
) -> Iterator[int]:
    """Hold the lock, and yield its descriptor for Java; raise TablesLockedError or OSError.

    `waiting` hears once who holds it. A killed process still holds it for a moment, hence the patience.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
    try:
        _lock(descriptor, path, patience, waiting)
        os.truncate(descriptor, 0)
        os.pwrite(descriptor, owner.encode()[:_LONGEST_OWNER], 0)
        yield descriptor
    finally:
        os.close(descriptor)


def _lock(descriptor: int, path: Path, patience: float, waiting: Callable[[str], None]) -> None:
    limit = time.monotonic() + patience
    told = False
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(descriptor, _LONGEST_OWNER, 0).decode(errors="replace")
            if time.monotonic() >= limit:
                raise TablesLockedError(path, owner) from None
            if not told:
                waiting(owner or "another process")
                told = True
            time.sleep(_RETRY_AFTER)
        else:
            return
