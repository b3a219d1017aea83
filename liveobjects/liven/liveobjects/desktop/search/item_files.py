"""Small files, one for each item, with what a later run of the program wants to know of it."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path
from typing import Final

from liven.runtime.files import read_start, write_file

_LOOK_AGAIN: Final = 500
"""Files written between two checks of their number."""


class ItemFiles:
    """A folder of such files. Failure to write one is ignored: it is only lost for the next run."""

    def __init__(self, folder: Path, largest: int, most: int) -> None:
        """Read at most the first `largest` bytes of each file, and keep the newest `most`."""
        self._folder = folder
        self._largest = largest
        self._most = most
        self._written = 0

    def read_bytes(self, name: str) -> bytes:
        """Return a stored file; empty if there is none."""
        try:
            return read_start(self._folder / name, self._largest, follow_links=False)
        except OSError:
            return b""

    def write_bytes(self, name: str, data: bytes) -> None:
        """Write a file completely or not at all."""
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_file(self._folder / name, data, 0o600, sync=False, follow_links=False)
        self._written += 1
        if self._written % _LOOK_AGAIN == 0:
            self.forget_oldest()

    def forget(self, name: str) -> None:
        """Delete a stored file."""
        with contextlib.suppress(OSError):
            (self._folder / name).unlink(missing_ok=True)

    def forget_oldest(self) -> None:
        """Delete the oldest files beyond the limit."""
        with contextlib.suppress(OSError):
            found = sorted((one.lstat().st_mtime, one) for one in self._folder.iterdir())
            for _, path in found[: max(0, len(found) - self._most)]:
                self.forget(path.name)


def file_name(recipe: str) -> str:
    """Return the name of the file of an item."""
    return hashlib.blake2b(recipe.encode(errors="replace"), digest_size=16).hexdigest()
