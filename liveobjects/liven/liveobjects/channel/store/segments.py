"""The segment files of a log: written at the end of the last one, read anywhere, removed whole.

Files are opened to be read and closed again, so that a log takes one descriptor however much it holds.
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

_SUFFIX: Final = ".log"
_DIGITS: Final = 8
_NAME: Final = re.compile(rf"[0-9a-f]{{{_DIGITS}}}{re.escape(_SUFFIX)}")


class Segments:
    """The files, by number. Appending either succeeds or leaves everything as it was."""

    def __init__(self, folder: Path, most: int) -> None:
        self._folder = folder
        self._most = most
        self._fd = -1
        self._end = 0
        self._unsynced: list[int] = []
        self._made = True  # the folder itself is new to the disk, for all we know
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.sizes: dict[int, int] = {
            int(name[:_DIGITS], 16): told.st_size for name, told in segment_files(folder)
        }
        self._inherited = list(self.sizes)
        """What an earlier process wrote: one that was killed may not have forced it to the disk."""

    @property
    def current(self) -> int:
        """The number of the segment that is written."""
        return max(self.sizes, default=0)

    @property
    def total(self) -> int:
        """Bytes of all segments."""
        return sum(self.sizes.values())

    def append(self, records: Sequence[Record]) -> list[Place]:
        """Writes a frame; OSError, and nothing changed, when it cannot be done."""
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
            # What was written of it would only be skipped by readers, but it may be what fills the disk.
            with suppress(OSError):
                os.ftruncate(self._fd, start)
            raise
        self._end = self.sizes[number] = start + len(data)
        return [
            Place(number, start + offset, RECORD_HEAD + len(record.payload))
            for offset, record in zip(offsets, records, strict=True)
        ]

    def begin(self) -> None:
        """Begins a new segment."""
        number, fd = self._begun()
        if self._fd >= 0:
            self._unsynced.append(self._fd)
        self._fd, self._end, self._made = fd, 0, True
        self.sizes[number] = 0

    def read(self, number: int) -> bytes:
        """All of a segment."""
        return self._path(number).read_bytes()

    def records(self, places: Sequence[Place]) -> Iterator[Record | None]:
        """The records at these places; None for one that is damaged or gone."""
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
        """What forces to the disk all that was written so far; for a worker, raises OSError."""
        closing, self._unsynced = self._unsynced, []
        own = [os.dup(self._fd)] if self._fd >= 0 else []
        inherited = [self._path(number) for number in self._inherited]
        folder = self._folder if self._made else None
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
        """Removes a segment in which nothing lives."""
        self._path(number).unlink(missing_ok=True)
        self.sizes.pop(number, None)

    def close(self) -> None:
        """Closes what is open; nothing is forced to the disk."""
        for fd in (*self._unsynced, self._fd):
            if fd >= 0:
                os.close(fd)
        self._unsynced, self._fd = [], -1

    def _begun(self) -> tuple[int, int]:
        """A new file, under the first number whose name nothing else has."""
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
        return self._folder / f"{number:0{_DIGITS}x}{_SUFFIX}"


def segment_files(folder: Path) -> list[tuple[str, os.stat_result]]:
    """The names of the segments in a folder, in order. What a person or another program put beside them, and
    what is no file though it is named as one, is not looked at."""
    with os.scandir(folder) as entries:
        found = [
            (each.name, each.stat()) for each in entries if _NAME.fullmatch(each.name) and each.is_file()
        ]
    return sorted(found, key=lambda each: each[0])


def sync_file(path: Path) -> None:
    """Forces a file that others wrote to the disk; one that is gone is needed no more."""
    with suppress(FileNotFoundError):
        _sync(path)


def sync_folder(folder: Path) -> None:
    """Forces the names in a folder to the disk."""
    _sync(folder)


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
