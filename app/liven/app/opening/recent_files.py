"""The list of recently opened files."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from liven.runtime.files import read_json, write_file

MOST = 12
LARGEST = 256 * 1024


class RecentFiles:
    """A list in a file of the user. A file that cannot be read counts as an empty list."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def files(self) -> tuple[Path, ...]:
        """Return the recent files that still exist, newest first."""
        try:
            names = [str(one) for one in read_json(self._path, LARGEST)][:MOST]
        except (OSError, ValueError, TypeError):
            return ()
        return tuple(path for path in map(Path, names) if path.is_file())

    def add(self, path: Path) -> None:
        """Put a file first in the list."""
        names = [str(path), *(str(one) for one in self.files() if one != path)][:MOST]
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_file(self._path, json.dumps(names).encode())

    def clear(self) -> None:
        """Empty the list."""
        self._path.unlink(missing_ok=True)
