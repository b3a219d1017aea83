"""The durable mark: the sequence before which all records are on the disk, in a file of 32 bytes.

Readers read up to it, so that nothing that they have seen can vanish with a power cut. A mark that cannot be
read is as good as none: then the last file is examined. It also names the log, so that a segment of another
one is noticed.
"""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path
from typing import Final, NamedTuple

from liven.liveobjects.feeds.errors import FutureVersionError
from liven.runtime.files import PRIVATE, read_start

NAME: Final = "durable"
_MAGIC: Final = b"\xa7LFD"
_VERSION: Final = 1
_MARK: Final = struct.Struct("<4sIQQ")
_CRC: Final = struct.Struct("<I4x")
SIZE: Final = _MARK.size + _CRC.size


class Mark(NamedTuple):
    """The content of the file."""

    log: int
    end: int


def read_mark(folder: Path) -> Mark | None:
    """Return the mark of a log, or None; raise OSError if it cannot be read, FutureVersionError if it is of a
    later version."""
    try:
        data = read_start(folder / NAME, SIZE)
    except FileNotFoundError:
        return None
    if len(data) < SIZE:
        return None
    magic, version, log, end = _MARK.unpack_from(data)
    if magic != _MAGIC or _CRC.unpack_from(data, _MARK.size)[0] != zlib.crc32(data[: _MARK.size]):
        return None
    if version != _VERSION:
        raise FutureVersionError(folder / NAME, version)
    return Mark(log, end)


class MarkFile:
    """The file, open for writing. A mark never goes back."""

    def __init__(self, folder: Path, log: int) -> None:
        self._log = log
        self._fd = os.open(folder / NAME, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, PRIVATE)
        self.end = -1

    def write(self, end: int) -> None:
        """Tell readers that all records before `end` are on the disk."""
        if end <= self.end:
            return
        mark = _MARK.pack(_MAGIC, _VERSION, self._log, end)
        os.pwrite(self._fd, mark + _CRC.pack(zlib.crc32(mark)), 0)  # within a sector: whole or not at all
        self.end = end

    def close(self) -> None:
        """Close the file."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
