"""The archive of a backup: a zip file whose last entry lists every file with its size and checksum.

A zip file ends with its directory, so one that was cut is recognized at once. Files are read and written in
pieces, so memory does not grow with them.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final, NamedTuple

from liven.app.backup.home_files import ROOTS, HomeFile, is_key
from liven.runtime.files import open_regular

FORMAT: Final = 1
LIST: Final = "liven-backup.json"
_PIECE: Final = 1 << 20
_LIST_MOST: Final = 64 << 20
_NAME_MOST: Final = 4000
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
Progress = Callable[[int, int], object]
"""Called with the bytes done, and all of them."""


class BadArchiveError(Exception):
    """A file that is no whole, undamaged backup."""


class ListedFile(NamedTuple):
    """One file in the list of an archive."""

    name: str
    size: int
    digest: str
    mode: int


def write_archive(stream: IO[bytes], files: Iterable[HomeFile], told: Progress) -> list[ListedFile]:
    """Write an archive, and return what is in it. A file that disappeared meanwhile is left out; whoever
    deletes it could have done so earlier."""
    chosen = list(files)
    whole, done, listed = sum(_size(each.path) for each in chosen), 0, list[ListedFile]()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for each in chosen:
            one = _add(archive, each)
            if one is not None:
                listed.append(one)
                done += one.size
                told(min(done, whole), whole)
        content = {"format": FORMAT, "made": int(time.time()), "files": listed}
        archive.writestr(zipfile.ZipInfo(LIST, _EPOCH), json.dumps(content))
    told(whole, whole)
    return listed


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _add(archive: zipfile.ZipFile, each: HomeFile) -> ListedFile | None:
    try:
        source = open_regular(each.path, follow_links=False)
    except FileNotFoundError:
        if each.is_log:
            raise
        return None
    with source:
        mode = stat.S_IMODE(os.fstat(source.fileno()).st_mode)
        digest, size = hashlib.sha256(), 0
        with archive.open(zipfile.ZipInfo(each.name, _EPOCH), "w", force_zip64=True) as target:
            while piece := source.read(_PIECE):
                target.write(piece)
                digest.update(piece)
                size += len(piece)
    return ListedFile(each.name, size, digest.hexdigest(), mode)


class Archive:
    """An archive that is open for reading. Raises BadArchiveError if it is none."""

    def __init__(self, path: Path) -> None:
        self._file = open_regular(path)
        try:
            self._zip = zipfile.ZipFile(self._file)
            self.files = self._listed()
        except (zipfile.BadZipFile, NotImplementedError, EOFError) as error:
            self._file.close()
            raise BadArchiveError(f"{path} is not a whole backup: {error}") from None
        except (ValueError, KeyError, TypeError) as error:
            self._file.close()
            raise BadArchiveError(f"{path} is not a backup of liven: {error}") from None
        except BaseException:
            self._file.close()
            raise

    @property
    def size(self) -> int:
        """Bytes of all files in it."""
        return sum(each.size for each in self.files)

    @property
    def keys(self) -> bool:
        """True if it holds secret keys."""
        return any(is_key(each.name) for each in self.files)

    def extract(self, roots: Mapping[str, Path], told: Progress) -> None:
        """Write all files below new folders, each checked. Raises BadArchiveError or OSError."""
        done = 0
        for each in self.files:
            root, _, rest = each.name.partition("/")
            self._extract(each, roots[root] / rest)
            done += each.size
            told(done, self.size)

    def check(self, told: Progress) -> None:
        """Read and check all files. Raises BadArchiveError."""
        done = 0
        with Path(os.devnull).open("wb") as nowhere:
            for each in self.files:
                self._copy(each, nowhere)
                done += each.size
                told(done, self.size)

    def close(self) -> None:
        """Close the file."""
        self._zip.close()
        self._file.close()

    def _extract(self, each: ListedFile, path: Path) -> None:
        _make_folders(path.parent)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        mode = 0o600 | (each.mode & stat.S_IXUSR)
        with os.fdopen(os.open(path, flags, mode), "wb") as made:
            self._copy(each, made)
            made.flush()
            os.fsync(made.fileno())

    def _copy(self, each: ListedFile, made: IO[bytes]) -> None:
        """Copy a file out of the archive, and check it. It never becomes longer than its list says."""
        digest, size = hashlib.sha256(), 0
        try:
            with self._zip.open(each.name) as source:
                while (piece := source.read(_PIECE)) and size <= each.size:
                    made.write(piece)
                    digest.update(piece)
                    size += len(piece)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            KeyError,
            NotImplementedError,
            RuntimeError,
        ) as error:
            raise BadArchiveError(f"{each.name} in it is damaged: {error}") from None
        if (size, digest.hexdigest()) != (each.size, each.digest):
            raise BadArchiveError(f"{each.name} in it is damaged: its checksum differs")

    def _listed(self) -> list[ListedFile]:
        if self._zip.getinfo(LIST).file_size > _LIST_MOST:
            raise ValueError("its list of files is too long")
        content: Any = json.loads(self._zip.read(LIST))
        if content["format"] != FORMAT:
            raise ValueError(f"its format is {content['format']!r:.20}, and this program reads {FORMAT}")
        listed = [_checked(*each) for each in content["files"]]
        if len({each.name for each in listed}) != len(listed):
            raise ValueError("it lists a file twice")
        return listed


def _make_folders(folder: Path) -> None:
    """Create a folder and those above it, for this user alone."""
    for each in reversed((folder, *folder.parents)):
        if not each.is_dir():
            each.mkdir(mode=0o700)


def _checked(name: object, size: object, digest: object, mode: object) -> ListedFile:
    if not (
        isinstance(name, str) and isinstance(size, int) and isinstance(digest, str) and isinstance(mode, int)
    ):
        raise ValueError("its list of files is invalid")
    parts = PurePosixPath(name).parts
    plain = name == "/".join(parts) and len(parts) > 1 and parts[0] in ROOTS and ".." not in parts
    if not plain or "\0" in name or len(name) > _NAME_MOST or size < 0:
        raise ValueError(f"it names a file where none belongs: {name!r:.80}")
    return ListedFile(name, size, digest, mode)
