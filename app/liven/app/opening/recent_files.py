"""The list of recently opened files."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from liven.runtime.files import PRIVATE, read_json, write_file

MOST = 12
LARGEST = 256 * 1024


class RecentFiles:
    """A list in a file of the user. A file that cannot be read counts as an empty list."""

    def __init__(self, path: Path, left_out: Path | None = None) -> None:
        """`left_out` is a folder whose files are not listed: nobody opened them by hand."""
        self._path = path
        self._left_out = left_out

    def files(self) -> tuple[Path, ...]:
        """Return the recent files that still exist, newest first."""
        try:
            names = [str(one) for one in read_json(self._path, LARGEST)][:MOST]
        except (OSError, ValueError, TypeError):
            return ()
        return tuple(path for path in map(Path, names) if path.parent != self._left_out and path.is_file())

    def add(self, path: Path) -> None:
        """Put a file first in the list."""
        if path.parent == self._left_out:
            return
        names = [str(path), *(str(one) for one in self.files() if one != path)][:MOST]
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_file(self._path, json.dumps(names).encode(), PRIVATE)

    def remove(self, path: Path) -> None:
        """Take a file off the list. Raise OSError if the list cannot be written."""
        names = [str(one) for one in self.files() if one != path]
        write_file(self._path, json.dumps(names).encode(), PRIVATE)

    def clear(self) -> None:
        """Empty the list."""
        self._path.unlink(missing_ok=True)
