"""The registry's entries on disk: `KEY/NAME.liveobject`, one file for a key. No object is in here.

A key is a 128-bit id in any spelling, the name of a well-known key, or a short name. An entry that does not
parse, does not type-check, or is not of the class that its key stands for is refused, with the reason; it
does not fall back to the default, which might lead this node to other places than its owner chose.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from liven.runtime.checking import Checker
from liven.runtime.disk import replace
from liven.runtime.errors import ObjectRuntimeError
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import LIMITS, read, write
from liven.runtime.registry.keys import canonical_key, find_key

SUFFIX = ".liveobject"


class EntryError(ObjectRuntimeError):
    """An entry that the registry cannot take, or does not have."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What the registry has under one key."""

    key: str
    """In canonical spelling."""
    object: Object | None
    """None where the entry is refused."""
    refused: str = ""
    """Why, and what to do."""
    path: Path | None = None
    """The file; None for a default."""

    @property
    def usable(self) -> bool:
        """Whether it leads to an object; a null entry is one that somebody switched off."""
        return self.object is not None and not self.object.null


Stamp = tuple[tuple[str, int, int], ...]


class Book:
    """Reads and writes the entries below one folder. A file is checked again only when it changes."""

    def __init__(self, root: Path, checker: Checker, defaults: Mapping[str, Object] | None = None) -> None:
        self.root = root
        self._checker = checker
        self._defaults = {canonical_key(key): thing for key, thing in (defaults or {}).items()}
        self._read: dict[Path, tuple[Stamp, Entry]] = {}

    def entries(self) -> dict[str, Entry]:
        """Every entry by its key, those of files first; a default stands where there is no file."""
        found = {entry.key: entry for entry in self._files()}
        for key, thing in self._defaults.items():
            found.setdefault(key, Entry(key, thing))
        return found

    def find(self, key: str) -> Entry | None:
        """The entry under `key` in any spelling."""
        return self.entries().get(canonical_key(key))

    def put(self, key: str, thing: Object) -> Entry:
        """Writes an entry in the place of the one that was there; raises EntryError and changes nothing."""
        name = canonical_key(key)
        folder = self._folder(name) or self.root / _folder_name(name)
        reason = self._misfit(name, thing)
        if reason:
            raise EntryError(f"the registry cannot take this for {key!r}: {reason}")
        known = find_key(name)
        path = folder / f"{known.name if known else 'entry'}{SUFFIX}"
        folder.mkdir(parents=True, exist_ok=True)
        path.touch()
        replace(path, write(thing))
        for other in _items(folder):
            if other != path:
                other.unlink(missing_ok=True)
        return self._entry(folder)

    def remove(self, key: str) -> None:
        """Takes an entry's file away, so that the default stands again; raises EntryError."""
        folder = self._folder(canonical_key(key))
        if folder is None:
            default = canonical_key(key) in self._defaults
            what = "is a default; put a null reference there to switch it off" if default else "is not there"
            raise EntryError(f"the registry's entry {key!r} {what}")
        aside = Path(tempfile.mkdtemp(dir=self.root, prefix=".removed-"))
        folder.rename(aside / folder.name)
        shutil.rmtree(aside)

    def _files(self) -> Iterator[Entry]:
        for folder in self._folders():
            yield self._entry(folder)

    def _folders(self) -> list[Path]:
        try:
            found = sorted(self.root.iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return []
        return [path for path in found if not path.name.startswith(".") and path.is_dir()]

    def _folder(self, key: str) -> Path | None:
        return next((one for one in self._folders() if canonical_key(one.name) == key), None)

    def _entry(self, folder: Path) -> Entry:
        try:
            items = _items(folder)
            stamp = tuple(_stamp(path) for path in items)
        except OSError as error:
            return Entry(canonical_key(folder.name), None, f"{folder}: {error.strerror or error}", folder)
        known = self._read.get(folder)
        if known is None or known[0] != stamp:
            known = self._read[folder] = (stamp, self._judged(folder, items))
        return known[1]

    def _judged(self, folder: Path, items: list[Path]) -> Entry:
        key = canonical_key(folder.name)
        if len(items) != 1:
            reason = f"{folder} holds {len(items)} files; an entry is one .liveobject file"
            return Entry(key, None, reason, folder)
        (path,) = items
        try:
            thing = _read_file(path)
        except (OSError, ReadError) as error:
            return Entry(key, None, f"{path}: {error}", path)
        if thing is None:
            return Entry(key, None, f"{path} holds no object; a null reference switches an entry off", path)
        reason = self._misfit(key, thing)
        return Entry(key, None if reason else thing, f"{path}: {reason}" if reason else "", path)

    def _misfit(self, key: str, thing: Object) -> str:
        """Why `thing` cannot be the entry under `key`; empty if it can."""
        report = self._checker.check(thing)
        if report.faults:
            return str(report.faults[0]).partition("\n")[0]
        known = find_key(key)
        if known is None or not known.expects or report.type is None:
            return ""
        answer = self._checker.matcher.object_subtype(
            report.type, self._checker.catalogue.object(known.expects)
        )
        return "" if answer else f"{known.name} stands for {known.meaning}: it must be a {known.expects}"


def _folder_name(key: str) -> str:
    odd = (
        not key or key.startswith(".") or len(key) > 200 or set(key) & set("/\\:\0") or not key.isprintable()
    )
    if odd:
        raise EntryError(f"{key!r} cannot be a key; use an id, or letters, digits, spaces and dashes")
    return key


def _items(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix == SUFFIX and path.name[0] != ".")


def _stamp(path: Path) -> tuple[str, int, int]:
    status = path.stat()
    return path.name, status.st_mtime_ns, status.st_size


def _read_file(path: Path) -> Object | None:
    with path.open("rb") as stream:
        return read(stream.read(LIMITS.size + 1)).object
