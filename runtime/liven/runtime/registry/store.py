"""The registry's entries on disk: `KEY/NAME.liveobject`, one file for each key.

The object is `registry_folder`.

A key is a 128-bit id in any spelling, the name of a well-known key, or a short name. An entry is refused,
with the reason, if it does not parse, does not type-check, or is not of the class that its key requires. It
does not fall back to the default, which might lead this node elsewhere than its owner chose.

Methods that read or write the disk may be called in any thread; those that judge an entry only in the
dispatcher's.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from liven.runtime.checking import Checker, Provided
from liven.runtime.errors import ObjectRuntimeError
from liven.runtime.files import PRIVATE, read_start, write_file
from liven.runtime.library.resolution import OfferedCode, Resolution
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Object
from liven.runtime.reference.well_known_keys import canonical_key, find_key
from liven.runtime.reference.xml import LIMITS, read, write

SUFFIX = ".liveobject"


class EntryError(ObjectRuntimeError):
    """An entry that the registry refuses or does not have."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The registry's entry under one key."""

    key: str
    """In canonical spelling."""
    object: Object | None
    """None if the entry is refused."""
    refused: str = ""
    """The reason, and what to do."""
    path: Path | None = None
    """The file; None for a default."""

    @property
    def usable(self) -> bool:
        """True if it leads to an object; a null entry is one that somebody switched off."""
        return self.object is not None and not self.object.null


Stamp = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """One folder of the registry as read from disk, not judged yet."""

    folder: Path
    stamp: Stamp
    entry: Entry
    """Refused already if it cannot be read."""
    offered: OfferedCode | None = None
    """The code that is installed for it."""


class RegistryStore:
    """Reads and writes the entries below one folder.

    A file is read again only when it changes. It is judged again then, and also if it was refused: the
    library it needs may be installed by now.
    """

    def __init__(
        self,
        root: Path,
        checker: Checker,
        defaults: Mapping[str, Object] | None = None,
        resolution: Resolution | None = None,
    ) -> None:
        self.root = root
        self._checker = checker
        self._resolution = resolution
        self._defaults = {canonical_key(key): thing for key, thing in (defaults or {}).items()}
        self._seen: dict[Path, StoredEntry] = {}
        self._judged: dict[Path, tuple[StoredEntry, Entry]] = {}
        self._writing = Lock()

    def look(self) -> tuple[StoredEntry, ...]:
        """Return the folders on the disk as they are now. In any thread."""
        seen = {folder: self._found(folder) for folder in self._folders()}
        self._seen = seen
        return tuple(seen.values())

    def judged(self, found: tuple[StoredEntry, ...]) -> dict[str, Entry]:
        """Return every entry by its key, files before defaults."""
        before = self._judged
        self._judged = {one.folder: self._judge(one, before.get(one.folder)) for one in found}
        entries = {entry.key: entry for _, entry in self._judged.values()}
        for key, thing in self._defaults.items():
            entries.setdefault(key, Entry(key, thing))
        return entries

    def entries(self) -> dict[str, Entry]:
        """Read the disk and judge; for callers that may block."""
        return self.judged(self.look())

    def find(self, key: str) -> Entry | None:
        """Return the entry under `key` in any spelling; blocks."""
        return self.entries().get(canonical_key(key))

    def put(self, key: str, thing: Object) -> Entry:
        """Write an entry, replacing an older one; raise EntryError and change nothing if it is refused.

        Blocks.
        """
        self.admit(key, thing, self.offered(thing))
        self.write(key, thing, over=True)
        return self.entries()[canonical_key(key)]

    def offered(self, thing: Object) -> OfferedCode | None:
        """Return the installed code for a reference. In any thread."""
        return self._resolution.offered(thing) if self._resolution is not None else None

    def admit(self, key: str, thing: Object, offered: OfferedCode | None) -> None:
        """Raise EntryError unless `thing` may be the entry under `key`."""
        name = canonical_key(key)
        _folder_name(name)
        reason = self._misfit(name, thing, offered)
        if reason:
            raise EntryError(f"the registry cannot take this for {key!r}: {reason}")

    def write(self, key: str, thing: Object, *, over: bool = False) -> None:
        """Write an admitted entry.

        Unless `over`, raise EntryError if there is one already. In any thread.
        """
        name = canonical_key(key)
        known = find_key(name)
        with self._writing:
            folder = self._folder(name)
            if folder is not None and not over:
                raise EntryError(f"the registry has {key!r} already; remove it first")
            folder = folder or self.root / _folder_name(name)
            path = folder / f"{known.name if known else 'entry'}{SUFFIX}"
            folder.mkdir(parents=True, exist_ok=True)
            write_file(path, write(thing), PRIVATE)
            for other in _items(folder):
                if other != path:
                    other.unlink(missing_ok=True)

    def remove(self, key: str) -> None:
        """Remove an entry's file, so that the default applies again; raise EntryError. In any thread."""
        with self._writing:
            folder = self._folder(canonical_key(key))
            if folder is None:
                default = canonical_key(key) in self._defaults
                what = (
                    "is a default; put a null reference there to switch it off"
                    if default
                    else "does not exist"
                )
                raise EntryError(f"the registry's entry {key!r} {what}")
            aside = Path(tempfile.mkdtemp(dir=self.root, prefix=".removed-"))
            folder.rename(aside / folder.name)
            shutil.rmtree(aside)

    def _folders(self) -> list[Path]:
        try:
            found = sorted(self.root.iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return []
        return [path for path in found if not path.name.startswith(".") and path.is_dir()]

    def _folder(self, key: str) -> Path | None:
        return next((one for one in self._folders() if canonical_key(one.name) == key), None)

    def _found(self, folder: Path) -> StoredEntry:
        try:
            items = _items(folder)
            stamp = tuple(_stamp(path) for path in items)
        except OSError as error:
            refused = f"{folder}: {error.strerror or error}"
            return StoredEntry(folder, (), Entry(canonical_key(folder.name), None, refused, folder))
        known = self._seen.get(folder)
        if known is not None and known.stamp == stamp and not self._was_refused(known):
            return known
        entry = _read_entry(folder, items)
        return StoredEntry(
            folder, stamp, entry, self.offered(entry.object) if entry.object is not None else None
        )

    def _was_refused(self, found: StoredEntry) -> bool:
        """True if it was judged and refused, so that it may be judged differently now."""
        before = self._judged.get(found.folder)
        return before is not None and before[0] is found and bool(before[1].refused)

    def _judge(
        self, found: StoredEntry, before: tuple[StoredEntry, Entry] | None
    ) -> tuple[StoredEntry, Entry]:
        if before is not None and before[0] is found:
            return before
        entry = found.entry
        if entry.object is not None:
            reason = self._misfit(entry.key, entry.object, found.offered)
            if reason:
                entry = Entry(entry.key, None, f"{entry.path}: {reason}", entry.path)
        return found, entry

    def _misfit(self, key: str, thing: Object, offered: OfferedCode | None) -> str:
        """Return why `thing` cannot be the entry under `key`; empty if it can."""
        code = Provided(thing)
        if self._resolution is not None and offered is not None:
            code = self._resolution.provided(offered)
        if code.problems:
            return str(code.problems[0]).partition("\n")[0]
        report = self._checker.check(code.thing, code.choices)
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


def _read_entry(folder: Path, items: list[Path]) -> Entry:
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
    return Entry(key, thing, "", path)


def _read_file(path: Path) -> Object | None:
    return read(read_start(path, LIMITS.size + 1)).object
