"""Opening a log after whatever happened: the end of the last whole block, and cutting off what follows.

Only bytes that no reader was promised (behind the durable mark) are cut off. Damage before the mark stays
where it is, for `verification` and `repair`; its numbers are not given again. Where the mark is lost, nobody
knows what was promised: damage stays if a whole block follows it.
"""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from liven.liveobjects.feeds.segment import large_payloads
from liven.liveobjects.feeds.segment.block_format import HEAD_SIZE, RECORDS
from liven.liveobjects.feeds.segment.durable_mark import read_mark
from liven.liveobjects.feeds.segment.file_index import load_index, sealed_index
from liven.liveobjects.feeds.segment.segment_files import (
    Placed,
    SegmentFile,
    opened,
    read_at,
    segment_files,
    walk,
)
from liven.runtime.files import sync_folder

DRAFT: str = ".liven-"
"""The beginning of the names of files that were never finished, as in liven.runtime.files."""


@dataclass(frozen=True, slots=True)
class Tail:
    """The last file of a log up to the first block that is not whole."""

    file: SegmentFile
    blocks: list[Placed]
    size: int
    """Bytes of the whole blocks."""
    end: int
    """The sequence after the last whole block of the file, also after those behind bytes that are none."""
    is_sealed: bool
    torn: int
    """Bytes behind them."""
    has_more: bool = False
    """True if whole blocks are among those bytes, and no mark says that nobody was promised them."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """Where a writer goes on."""

    log: int
    end: int
    tail: Tail | None
    """The file to go on with; None to begin a new one."""
    cut: int
    """Bytes that were cut off."""


def log_number(folder: Path) -> int | None:
    """Return the number of a log; None if nothing says it yet."""
    mark = read_mark(folder)
    if mark is not None:
        return mark.log
    for file in segment_files(folder):
        with opened(file.path) as fd:
            for item in walk(file, fd, os.fstat(fd).st_size, None):  # the first head may be damaged
                if isinstance(item, Placed):
                    return item.head.log
    return None


def end_of(folder: Path) -> int:
    """Return the sequence up to which a log has whole blocks, without changing it."""
    mark = read_mark(folder)
    files = segment_files(folder)
    while files:
        tail = read_tail(files.pop(), None if mark is None else mark.log, None if mark is None else mark.end)
        if tail.blocks or tail.is_sealed or tail.has_more:
            return max(tail.end, mark.end if mark else 0)
    return mark.end if mark else 0


def read_tail(file: SegmentFile, log: int | None, durable: int | None) -> Tail:
    """Return the whole blocks of a file up to the first that is not whole; raise OSError and FeedError.

    Bodies are checked from `durable` on, all without a mark: what is before it was forced to the disk when it
    was whole.
    """
    index = load_index(file, log)
    size = file.path.stat().st_size
    if index.is_sealed:
        return Tail(file, index.blocks, index.size, index.end, True, 0)
    good: list[Placed] = []
    end, after = file.first, 0
    is_broken = has_more = False
    with opened(file.path) as fd:
        for placed in index.blocks:
            is_next = placed.head.first == end and not is_broken
            is_whole = placed.head.end <= (durable or 0) or _is_whole(fd, placed)
            if is_next and is_whole:
                good.append(placed)
                end, after = placed.head.end, placed.offset + placed.head.size
                continue
            is_broken = True
            if durable is not None:
                break
            if is_whole and placed.head.kind == RECORDS:
                has_more, end = True, placed.head.end
    return Tail(file, good, after, end, False, size - min(after, size), has_more)


def recover(folder: Path, fresh_log: int) -> Recovered:
    """Make a log ready for appending; the caller holds its lock."""
    _remove_drafts(folder)
    mark = read_mark(folder)
    log = log_number(folder)
    durable = mark.end if mark else 0
    files = _without_merged(segment_files(folder), log)
    cut = 0
    found: Recovered | None = None
    while files and found is None:
        file = files.pop()
        tail = read_tail(file, log, mark.end if mark else None)
        if tail.is_sealed or tail.has_more or (tail.torn and tail.end < durable):
            # Sealed, or damaged before the mark or a whole block: it stays as it is, and a new file begins.
            found = Recovered(log or fresh_log, max(tail.end, durable), None, cut)
        elif tail.blocks:
            if tail.torn:
                os.truncate(file.path, tail.size)
                cut += tail.torn
            go_on = tail.end >= durable
            found = Recovered(log or fresh_log, max(tail.end, durable), tail if go_on else None, cut)
        else:
            cut += tail.torn
            file.path.unlink()
            durable = max(durable, file.first)  # files before it were whole when it was made
    found = found or Recovered(fresh_log if log is None else log, durable, None, cut)
    if cut:
        sync_folder(folder)
    large_payloads.remove_from(folder, found.end)
    return found


def _is_whole(fd: int, placed: Placed) -> bool:
    head = placed.head
    if head.kind != RECORDS:
        return True
    return zlib.crc32(read_at(fd, head.body, placed.offset + HEAD_SIZE)) == head.body_crc


def _without_merged(files: list[SegmentFile], log: int | None) -> list[SegmentFile]:
    """Delete files whose records a sealed file before them contains: a merge was interrupted."""
    kept: list[SegmentFile] = []
    end = -1
    for file in files:
        if file.first < end:
            file.path.unlink()
            continue
        index = sealed_index(file, log)
        end = index.end if index is not None else -1
        kept.append(file)
    return kept


def _remove_drafts(folder: Path) -> None:
    for name in os.listdir(folder):  # noqa: PTH208 - names alone
        if name.startswith(DRAFT):
            with suppress(FileNotFoundError):
                (folder / name).unlink()
