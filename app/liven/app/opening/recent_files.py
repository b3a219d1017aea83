"""The files that were opened last."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from liven.app.filenames import write_whole
from liven.app.opening.regular_file import noted

MOST = 12
LARGEST = 256 * 1024


class Recent:
    """A list in a file of the user's own; one that cannot be read is empty."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def files(self) -> tuple[Path, ...]:
        """Those that are still there, the newest first."""
        try:
            names = [str(one) for one in noted(self._path, LARGEST)][:MOST]
        except (OSError, ValueError, TypeError):
            return ()
        return tuple(path for path in map(Path, names) if path.is_file())

    def add(self, path: Path) -> None:
        """It was opened just now."""
        names = [str(path), *(str(one) for one in self.files() if one != path)][:MOST]
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, json.dumps(names).encode())

    def clear(self) -> None:
        """Forgets all."""
        self._path.unlink(missing_ok=True)
