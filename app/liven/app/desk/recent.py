"""The files that were opened last."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

MOST = 12


class Recent:
    """A list in a file of the user's own; one that cannot be read is empty."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def files(self) -> tuple[Path, ...]:
        """Those that are still there, the newest first."""
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
            names = [str(one) for one in found][:MOST]
        except (OSError, ValueError, TypeError):
            return ()
        return tuple(path for path in map(Path, names) if path.is_file())

    def add(self, path: Path) -> None:
        """It was opened just now."""
        names = [str(path), *(str(one) for one in self.files() if one != path)][:MOST]
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fresh = self._path.with_name(f"{self._path.name}.{os.getpid()}")
            fresh.write_text(json.dumps(names), encoding="utf-8")
            fresh.replace(self._path)

    def clear(self) -> None:
        """Forgets all."""
        self._path.unlink(missing_ok=True)
