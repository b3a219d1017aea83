"""The folder for one run's temporary files: shuffles, and whatever else Java would leave in /tmp.

A folder is locked by its process and by Java. A killed process deletes nothing, so the next one deletes the
folders that nobody has locked."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_PREFIX: Final = "run-"


@dataclass(frozen=True, slots=True)
class Scratch:
    """One run's folder, and the descriptor of its lock."""

    folder: Path
    descriptor: int

    @classmethod
    def make(cls, cache: Path) -> Scratch:
        """Create a folder in `cache` and delete abandoned ones; raise OSError."""
        cache.mkdir(parents=True, exist_ok=True, mode=0o700)
        for abandoned in cache.glob(f"{_PREFIX}*"):
            _delete_unlocked(abandoned)
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=cache))
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return cls(folder, descriptor)

    def close(self) -> None:
        """Delete the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.close(self.descriptor)


def _delete_unlocked(folder: Path) -> None:
    with suppress(OSError):  # somebody else was first, or still works there
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(descriptor)
