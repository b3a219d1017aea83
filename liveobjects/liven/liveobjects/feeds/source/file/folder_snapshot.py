"""Snapshots of a folder, and the files that differ between two of them.

A file that is being written appears when two looks have found it the same. It blocks, so it is for a worker.
"""

from __future__ import annotations

import fnmatch
import os
import stat
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from liven.liveobjects.feeds.source.file.remembered import Remembered
from liven.liveobjects.feeds.source.formats.decoded import Row

MOST_FILES: Final = 100_000
_DEEPEST: Final = 32
_Stamp = tuple[int, int]
"""Size, and time of the last change in ns."""


@dataclass(slots=True)
class Look:
    """The result of one look."""

    rows: list[Row] = field(default_factory=list)
    left_out: int = 0
    """Files beyond the limit, or with names that are no text."""


class FolderSnapshot:
    """The files of one folder that were told, with their stamps."""

    def __init__(self, path: Path, pattern: str, remembered: Remembered, *, deep: bool) -> None:
        self._path = path
        self._pattern = pattern
        self._remembered = remembered
        self._deep = deep
        self._told: dict[str, _Stamp] | None = None
        self._before: dict[str, _Stamp] = {}

    def look(self) -> Look:
        """Return the changes since the last look, whose rows have reached the client; raise OSError if the
        folder cannot be read."""
        if self._told is None:
            self._told = _stamps(self._remembered.read(), self._path)
        else:
            self._remembered.write(self._written())
        result = Look()
        now = self._files(result)
        settled = {name: one for name, one in now.items() if self._before.get(name) == one}
        self._before = now
        result.rows = list(_changes(self._told, now, settled))
        for row in result.rows:
            if row["change"] == "removed":
                del self._told[row["path"]]
            else:
                self._told[row["path"]] = now[row["path"]]
        return result

    def close(self) -> None:
        """Remember what was told; raise OSError."""
        if self._told is not None:
            self._remembered.write(self._written(), now=True)

    def _written(self) -> dict[str, Any]:
        assert self._told is not None
        return {"path": str(self._path), "files": {name: list(one) for name, one in self._told.items()}}

    def _files(self, result: Look) -> dict[str, _Stamp]:
        found: dict[str, _Stamp] = {}
        for name, facts in self._walk(str(self._path), "", 0):
            if not fnmatch.fnmatchcase(name.rpartition("/")[2], self._pattern):
                continue
            if len(found) >= MOST_FILES or not _is_text(name):
                result.left_out += 1
            else:
                found[name] = facts.st_size, facts.st_mtime_ns
        return found

    def _walk(self, folder: str, below: str, depth: int) -> Iterator[tuple[str, os.stat_result]]:
        """Yield the regular files; links are not followed, so that none leads out or in a circle."""
        with os.scandir(folder) as entries:
            for entry in entries:
                try:
                    facts = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(facts.st_mode):
                        yield below + entry.name, facts
                    elif self._deep and stat.S_ISDIR(facts.st_mode) and depth < _DEEPEST:
                        yield from self._walk(entry.path, f"{below}{entry.name}/", depth + 1)
                except (FileNotFoundError, PermissionError):
                    continue  # it went meanwhile, or is not ours to see


def _changes(
    told: Mapping[str, _Stamp], now: Mapping[str, _Stamp], settled: Mapping[str, _Stamp]
) -> Iterator[Row]:
    moment = time.time_ns() // 1000
    for name in sorted(told.keys() - now.keys()):
        size, modified = told[name]
        yield _row(moment, name, "removed", size, modified)
    for name in sorted(settled):
        if told.get(name) != settled[name]:
            yield _row(moment, name, "changed" if name in told else "added", *settled[name])


def _row(at: int, path: str, change: str, size: int, modified: int) -> Row:
    return {"at": at, "path": path, "change": change, "size": size, "modified": modified // 1000}


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _stamps(value: Any, path: Path) -> dict[str, _Stamp]:
    """Return a remembered snapshot; an empty one if it is damaged, or of another folder."""
    try:
        if value["path"] != str(path):
            return {}
        return {str(name): (int(size), int(modified)) for name, (size, modified) in value["files"].items()}
    except (TypeError, KeyError, ValueError, AttributeError):
        return {}
