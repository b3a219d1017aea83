"""The memory of a source between two starts: a small file of the state folder, written at once or not
at all."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path
from typing import Any, Final

from liven.runtime.errors import CallFailedError
from liven.runtime.files import PRIVATE, read_json, write_file
from liven.runtime.user_folders import UserFolders

MOST_BYTES: Final = 32 << 20
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,63}")
_EVERY: Final = 1.0
"""Seconds between two writes of what changes all the time."""


class Remembered:
    """One named memory. An empty name remembers nothing. Its methods block: call them in worker threads."""

    def __init__(self, name: str) -> None:
        """Raise CallFailedError for a name that cannot be one of a file."""
        if name and not _NAME.fullmatch(name):
            raise CallFailedError(
                f"remember={name[:60]!r} is no name of up to 64 letters, digits, dots and dashes"
            )
        self._name = name
        self._written_at = -_EVERY
        self._unwritten: Any = None

    @property
    def path(self) -> Path:
        """The file."""
        folder = UserFolders.of_user(os.environ).state / "sources"
        return folder / f"{self._name}.json"

    def read(self) -> Any:
        """Return what was written last; None if nothing was, or if it cannot be read."""
        if not self._name:
            return None
        try:
            return read_json(self.path, MOST_BYTES)
        except (OSError, ValueError):
            return None

    def write(self, value: Any, *, now: bool = False) -> None:
        """Write a value, or keep it for the next time if one was written a moment ago; raise OSError."""
        if not self._name:
            return
        self._unwritten = value
        if now or time.monotonic() - self._written_at >= _EVERY:
            self.flush()

    def flush(self) -> None:
        """Write what is not written yet; raise OSError."""
        if self._unwritten is None:
            return
        path = self.path
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, json.dumps(self._unwritten).encode(), PRIVATE, sync=False)
        self._written_at = time.monotonic()
        self._unwritten = None
