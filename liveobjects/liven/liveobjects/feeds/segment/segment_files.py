"""The files of a log by the sequence of their first record, and reading blocks from them.

Bytes are read with pread and never mapped: a file that somebody cuts off would end a program that has it
mapped.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from liven.liveobjects.feeds.errors import ForeignSegmentError, FutureVersionError
from liven.liveobjects.feeds.segment.block_format import (
    ALIGNMENT,
    HEAD_SIZE,
    MAGIC,
    SUFFIX,
    Head,
    parse_head,
)

_NAME: Final = re.compile(rf"[0-9a-f]{{16}}{re.escape(SUFFIX)}")
_STRETCH: Final = 1 << 20


class SegmentFile(NamedTuple):
    """A file, and the sequence in its name."""

    first: int
    path: Path


class Damage(NamedTuple):
    """Bytes of a file that are no block of the log, and the records that are missing there."""

    offset: int
    length: int
    """0 if a file ends too early or blocks are missing between two."""
    first: int
    end: int
    what: str


class Placed(NamedTuple):
    """A whole block in a file, by its head."""

    offset: int
    head: Head


def segment_name(first: int) -> str:
    """Return the name of the file whose first record has this sequence."""
    return f"{first:016x}{SUFFIX}"


def segment_files(folder: Path) -> list[SegmentFile]:
    """Return the files of a log in order; raise OSError."""
    found = os.listdir(folder)  # noqa: PTH208 - names alone
    names = sorted(filter(_NAME.fullmatch, found))
    return [SegmentFile(int(name[:16], 16), folder / name) for name in names]


@contextmanager
def opened(path: Path) -> Iterator[int]:
    """Open a file for reading."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield fd
    finally:
        os.close(fd)


def read_at(fd: int, size: int, offset: int) -> bytes:
    """Return the bytes at a place of a file; fewer if it ends."""
    data = os.pread(fd, size, offset)
    while len(data) < size:
        more = os.pread(fd, size - len(data), offset + len(data))
        if not more:
            break
        data += more
    return data


def head_at(fd: int, offset: int, path: Path, log: int | None) -> Head | None:
    """Return the head at a place; None if there is none. Raises FutureVersionError and, if `log` is given,
    ForeignSegmentError."""
    head = parse_head(os.pread(fd, HEAD_SIZE, offset))
    if head is None:
        return None
    if not head.is_known:
        raise FutureVersionError(path, head.version)
    if log is not None and head.log != log:
        raise ForeignSegmentError(path)
    return head


def walk(
    file: SegmentFile, fd: int, size: int, log: int | None, at: int = 0, expected: int | None = None
) -> Iterator[Placed | Damage]:
    """Return the whole blocks of a file by their heads, and the damage between them; hop over bodies.

    The last item may be damage up to the end of the file, whose end of records is not known here: its `end`
    is its `first` then.
    """
    expected = file.first if expected is None else expected
    while at < size:
        head = head_at(fd, at, file.path, log) if at % ALIGNMENT == 0 else None
        if head is not None and at + HEAD_SIZE + head.body <= size and head.first >= expected:
            if head.first > expected:
                yield Damage(at, 0, expected, head.first, "blocks are missing")
            yield Placed(at, head)
            at, expected = at + head.size, head.end
            continue
        after = _next_head(fd, at + ALIGNMENT, size, expected, log)
        if after is None:
            yield Damage(at, size - at, expected, expected, "the end of the file is no whole block")
            return
        yield Damage(at, after.offset - at, expected, after.head.first, "a block is damaged")
        at, expected = after.offset, after.head.first


def _next_head(fd: int, at: int, size: int, expected: int, log: int | None) -> Placed | None:
    """Return the next place with the head of a later block of this log."""
    while at < size:
        stretch = read_at(fd, min(_STRETCH, size - at), at)
        found = stretch.find(MAGIC)
        while found >= 0:
            offset = at + found
            head = parse_head(os.pread(fd, HEAD_SIZE, offset)) if offset % ALIGNMENT == 0 else None
            if (
                head is not None
                and head.is_known
                and head.first >= expected
                and (log is None or head.log == log)
                and offset + HEAD_SIZE + head.body <= size
            ):
                return Placed(offset, head)
            found = stretch.find(MAGIC, found + 1)
        at += len(stretch) or size
    return None


def write_at(fd: int, pieces: Sequence[bytes | bytearray | memoryview], offset: int, path: Path) -> None:
    """Write all pieces or none; raise OSError."""
    whole = sum(map(len, pieces))
    try:
        done = os.pwritev(fd, pieces, offset)
        if done < whole:  # a full disk took a part; the next attempt says which error it is
            rest = memoryview(b"".join(pieces))
            while done < whole:
                done += os.pwrite(fd, rest[done:], offset + done)
    except OSError as error:
        with suppress(OSError):
            os.ftruncate(fd, offset)
        raise OSError(error.errno, error.strerror, str(path)) from None
