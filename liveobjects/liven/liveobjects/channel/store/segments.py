"""The segment files of a log: appended at the end of the last one, read anywhere, removed as a whole.

Files are opened for each read, so that a log uses one descriptor whatever its size.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Final

from liven.liveobjects.channel.store.frames import RECORD_HEAD, DamagedError, pack_frame, unpack_record
from liven.liveobjects.channel.store.index import Place
from liven.liveobjects.channel.store.records import Record
from liven.runtime.files import sync_folder

_SUFFIX: Final = ".log"
_DIGITS: Final = 8
_NAME: Final = re.compile(rf"[0-9a-f]{{{_DIGITS}}}{re.escape(_SUFFIX)}")


class Segments:
    """The files by number. An append succeeds or changes nothing."""

    def __init__(self, folder: Path, most: int) -> None:
        self.folder = folder
        self._most = most
        self._fd = -1
        self._end = 0
        self._unsynced: list[int] = []
        self._made = True  # the folder itself may be new to the disk
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.sizes: dict[int, int] = {
            int(name[:_DIGITS], 16): told.st_size for name, told in segment_files(folder)
        }
        self._inherited = list(self.sizes)
        """Segments of an earlier process, which may have been killed before it forced them to disk."""

    @property
    def current(self) -> int:
        """The number of the segment being written."""
        return max(self.sizes, default=0)

    @property
    def end(self) -> tuple[int, int]:
        """The number of the last segment, and its size."""
        return self.current, self.sizes.get(self.current, 0)

    @property
    def total(self) -> int:
        """Bytes of all segments."""
        return sum(self.sizes.values())

    def append(self, records: Sequence[Record]) -> list[Place]:
        """Write a frame. Raises OSError and changes nothing if that fails."""
        if self._fd < 0 or self._end >= self._most:
            self.begin()
        number = self.current
        data, offsets = pack_frame(records, number)
        start = self._end
        try:
            view = memoryview(data)
            while view:
                view = view[os.pwrite(self._fd, view, start + len(data) - len(view)) :]
        except OSError:
            # Readers would skip a partial frame, but it may be what fills the disk.
            with suppress(OSError):
                os.ftruncate(self._fd, start)
            raise
        self._end = self.sizes[number] = start + len(data)
        return [
            Place(number, start + offset, RECORD_HEAD + len(record.payload))
            for offset, record in zip(offsets, records, strict=True)
        ]

    def begin(self) -> None:
        """Begin a new segment."""
        number, fd = self._begun()
        if self._fd >= 0:
            self._unsynced.append(self._fd)
        self._fd, self._end, self._made = fd, 0, True
        self.sizes[number] = 0

    def read(self, number: int) -> bytes:
        """Return the whole segment."""
        return self._path(number).read_bytes()

    def records(self, places: Sequence[Place]) -> Iterator[Record | None]:
        """Return the records at these places; None for a damaged or missing one."""
        number = -1
        file: FileIO | None = None
        try:
            for place in places:
                if place.segment != number:
                    if file is not None:
                        file.close()
                    number, file = place.segment, self._open(place.segment)
                if file is None:
                    yield None
                    continue
                file.seek(place.offset)
                yield _record(file.read(place.size), place.segment)
        finally:
            if file is not None:
                file.close()

    def sync_job(self) -> Callable[[], None]:
        """Return a job for a worker that forces everything written so far to disk. It raises OSError."""
        closing, self._unsynced = self._unsynced, []
        own = [os.dup(self._fd)] if self._fd >= 0 else []
        inherited = [self._path(number) for number in self._inherited]
        folder = self.folder if self._made else None
        self._made = False

        def job() -> None:
            try:
                for path in inherited:
                    sync_file(path)
                self._inherited.clear()
                for fd in (*closing, *own):
                    os.fsync(fd)
                if folder is not None:
                    sync_folder(folder)
            finally:
                for fd in (*closing, *own):
                    os.close(fd)

        return job

    def remove(self, number: int) -> None:
        """Delete a segment without live records."""
        self._path(number).unlink(missing_ok=True)
        self.sizes.pop(number, None)

    def close(self) -> None:
        """Close open files without forcing anything to disk."""
        for fd in (*self._unsynced, self._fd):
            if fd >= 0:
                os.close(fd)
        self._unsynced, self._fd = [], -1

    def _begun(self) -> tuple[int, int]:
        """Create a file under the first unused number."""
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC
        number = self.current + 1
        while True:
            try:
                return number, os.open(self._path(number), flags, 0o600)
            except FileExistsError:
                number += 1

    def _open(self, number: int) -> FileIO | None:
        try:
            return FileIO(self._path(number))
        except OSError:
            return None

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:0{_DIGITS}x}{_SUFFIX}"


def segment_files(folder: Path) -> list[tuple[str, os.stat_result]]:
    """Return the names of the segments in a folder, in order. Foreign files, and anything that is not a
    regular file, are ignored."""
    with os.scandir(folder) as entries:
        found = [
            (each.name, each.stat()) for each in entries if _NAME.fullmatch(each.name) and each.is_file()
        ]
    return sorted(found, key=lambda each: each[0])


def sync_file(path: Path) -> None:
    """Force a file to disk. A missing file is ignored, as it is no longer needed."""
    with suppress(FileNotFoundError):
        _sync(path)


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _record(data: bytes, salt: int) -> Record | None:
    try:
        return unpack_record(data, 0, salt)
    except DamagedError:
        return None
