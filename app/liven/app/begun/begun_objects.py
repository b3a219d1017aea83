"""The objects that the user began, each with a file in the data folder until it is deleted.

A file `NAME.liveobject` holds the recipe, and a record `NAME.json` in another folder the title and the last
use. A record that cannot be read, or is missing, costs only those two. Each object has files of its own, so
that several programs may write at once. The contents of objects are elsewhere, in the logs of their channels:
deleting moves the two files into a folder of deleted objects, and undo moves them back.
"""

from __future__ import annotations

import contextlib
import errno
import json
import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from liven.app.filenames import plain_name
from liven.runtime.files import PRIVATE, create_file, read_json, read_regular, write_file
from liven.runtime.folder.item_files import SUFFIX

FILES, RECORDS, DELETED = "objects", "begun", "deleted-objects"
"""The folders of the files, of the records, and of both for deleted objects, below the data folder."""
MOST = 2000
"""Most objects that are listed, the latest ones."""
_LARGEST_RECORD, _LARGEST_FILE = 16 * 1024, 4 * 1024 * 1024
_LONGEST_TITLE = 200
_MOST_NUMBERS = 100_000


@dataclass(frozen=True, slots=True)
class Begun:
    """One object that was begun."""

    path: Path
    title: str
    used: float
    """The last use, in seconds since 1970."""


class BegunObjects:
    """The list of begun objects, newest first. Methods that write raise OSError and then change nothing."""

    def __init__(self, data: Path, now: Callable[[], float] = time.time) -> None:
        """Keep the objects in folders below `data`."""
        self._files = data / FILES
        self._records = data / RECORDS
        self._deleted = data / DELETED
        self._now = now

    def begin(self, name: str, make: Callable[[str], bytes]) -> Path:
        """Write the file of a new object and return its path. `make` returns the recipe of an object that has
        the given name: `name`, with a number if there is one of that name."""
        self._files.mkdir(parents=True, exist_ok=True)
        for path in _paths(self._files, name):
            try:
                create_file(path, make(path.stem), PRIVATE)
            except FileExistsError:
                continue
            self._note(path, path.stem)
            return path
        raise FileExistsError(errno.EEXIST, "there are too many objects of this name", name)

    def keep(self, name: str, recipe: bytes) -> Path:
        """Return the file with this recipe; write it if there is none."""
        for path in _paths(self._files, name):
            if not path.exists():
                break
            with contextlib.suppress(OSError):
                if read_regular(path, _LARGEST_FILE) == recipe:
                    return path
        return self.begin(name, lambda _: recipe)

    def holds(self, path: Path) -> bool:
        """Return True if a file belongs to an object that was begun and not deleted."""
        return path.parent == self._files and path.suffix == SUFFIX and path.is_file()

    def use(self, path: Path, title: str) -> None:
        """Note that an object is used now, under this title. Other files are not noted."""
        if self.holds(path):
            self._note(path, title or path.stem)

    def all(self) -> tuple[Begun, ...]:
        """Return all objects that are not deleted, the last used first."""
        return self._listed(self._files, self._records)

    def deleted(self) -> tuple[Begun, ...]:
        """Return the deleted objects."""
        return self._listed(self._deleted, self._deleted)

    def delete(self, path: Path) -> Path:
        """Take an object out of the list. Return the path of its file among the deleted ones."""
        return _moved(path, self._records, self._deleted, self._deleted)

    def restore(self, path: Path) -> Path:
        """Put a deleted object back into the list. Return the path of its file."""
        return _moved(path, self._deleted, self._files, self._records)

    def _note(self, path: Path, title: str) -> None:
        self._records.mkdir(parents=True, exist_ok=True)
        shown = "".join(one for one in title if one.isprintable())[:_LONGEST_TITLE]
        data = json.dumps({"title": shown, "used": self._now()}).encode()
        write_file(_record(self._records, path), data, PRIVATE)

    def _listed(self, files: Path, records: Path) -> tuple[Begun, ...]:
        try:
            with os.scandir(files) as entries:
                found = [Path(one.path) for one in entries if one.name.endswith(SUFFIX) and one.is_file()]
        except OSError:
            return ()
        dated = sorted(((_date(records, path), path) for path in found), reverse=True)[:MOST]
        return tuple(sorted((_begun(records, path) for _, path in dated), key=lambda one: -one.used))


def _paths(folder: Path, name: str) -> Iterator[Path]:
    """Yield the paths for a name, then for the name with a number."""
    plain = plain_name(name)
    yield folder / f"{plain}{SUFFIX}"
    for number in count(2):
        if number > _MOST_NUMBERS:
            return
        yield folder / f"{plain} {number}{SUFFIX}"


def _record(records: Path, path: Path) -> Path:
    return records / f"{path.stem}.json"


def _date(records: Path, path: Path) -> float:
    """Return when a record was written, or else the file: enough to choose the latest."""
    for one in (_record(records, path), path):
        with contextlib.suppress(OSError):
            return one.stat().st_mtime
    return 0.0


def _begun(records: Path, path: Path) -> Begun:
    title, used = path.stem, math.nan
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError, OverflowError):
        found = read_json(_record(records, path), _LARGEST_RECORD)
        title, used = str(found["title"])[:_LONGEST_TITLE] or title, float(found["used"])
    return Begun(path, title, used if math.isfinite(used) else _date(records, path))


def _moved(path: Path, records: Path, to: Path, to_records: Path) -> Path:
    """Move the file of an object and its record under a name that is free there."""
    to.mkdir(parents=True, exist_ok=True)
    to_records.mkdir(parents=True, exist_ok=True)
    recipe = read_regular(path, _LARGEST_FILE)
    for target in _paths(to, path.stem):
        try:
            create_file(target, recipe, PRIVATE)
        except FileExistsError:
            continue
        path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # without it, the title and the last use are those of the file
            _record(records, path).replace(_record(to_records, target))
        return target
    raise FileExistsError(errno.EEXIST, "there are too many objects of this name", str(path))


__all__ = ["Begun", "BegunObjects"]
