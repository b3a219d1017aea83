"""Appending to a log: records gather in a block, blocks are written as they fill, and forced to the disk in
time.

A block is written whole or not at all: the part of one that a full disk took is cut off, the records stay
with the writer, and the next attempt begins at the same byte. A writer holds at most one block, so a disk
that stays full refuses records.
"""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import numpy as np

from liven.liveobjects.feeds.errors import BadRecordError
from liven.liveobjects.feeds.record import ASIDE, Record
from liven.liveobjects.feeds.segment import large_payloads
from liven.liveobjects.feeds.segment.block import Block, pack_block
from liven.liveobjects.feeds.segment.block_format import (
    LONG_PAYLOAD,
    MOST_BODY,
    MOST_BYTES,
    MOST_PAYLOAD,
    MOST_ROWS,
    parse_head,
)
from liven.liveobjects.feeds.segment.durable_mark import MarkFile
from liven.liveobjects.feeds.segment.file_index import pack_index
from liven.liveobjects.feeds.segment.log_lock import LogLock
from liven.liveobjects.feeds.segment.pending_block import PendingBlock
from liven.liveobjects.feeds.segment.recovery import Recovered, recover
from liven.liveobjects.feeds.segment.segment_files import Placed, segment_name, write_at
from liven.liveobjects.feeds.segment.upkeep.retention import MayGo, retain
from liven.liveobjects.feeds.segment.upkeep.sealing import seal
from liven.runtime.files import PRIVATE, size_and_limit, sync_folder

SEGMENT_BYTES: Final = 256 << 20
SEGMENT_BLOCKS: Final = 4096
"""A file of more blocks is closed, so that the heads of the file being written are soon read."""
SYNC_WITHIN: Final = 0.2
"""Seconds after which records are on the disk if `tick` is called in time."""
_FULL_ENOUGH: Final = 2
"""Blocks filled to a half on average are not worth merging."""


class LogWriter:
    """The only writer of a log. It belongs to one thread, save the job of `sync_job`."""

    def __init__(
        self,
        folder: Path,
        *,
        segment_bytes: int = SEGMENT_BYTES,
        segment_blocks: int = SEGMENT_BLOCKS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open a log for appending, or make it; raise LockedError, OSError or FeedError."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.folder = folder
        self._most_bytes, self._most_blocks = segment_bytes, segment_blocks
        self._clock = clock
        self._lock = LogLock(folder)
        self._fd = -1
        try:
            found = recover(folder, secrets.randbits(64))
            self.log = found.log
            self.cut = found.cut
            """Bytes of an unfinished block that were cut off when the log was opened."""
            self._mark = MarkFile(folder, found.log)
            self._pending = PendingBlock()
            self._go_on(found)
        except BaseException:
            self.close_files()
            raise
        self._marking = threading.Lock()
        self._caring = threading.Lock()
        self._since: float | None = None
        self._failure: OSError | None = None

    def _go_on(self, found: Recovered) -> None:
        self._written = found.end
        self._blocks: list[Placed] = []
        self._size = 0
        if found.tail is not None:
            self._fd = os.open(found.tail.file.path, os.O_RDWR | os.O_CLOEXEC)
            self._blocks, self._size = list(found.tail.blocks), found.tail.size
            os.fdatasync(self._fd)  # a killed writer may have left blocks that are not on the disk
        self._mark.write(found.end)

    @property
    def end(self) -> int:
        """The sequence that the next record gets; records before it are taken, though perhaps not written."""
        return self._written + self._pending.rows

    @property
    def durable(self) -> int:
        """The sequence before which all records are on the disk."""
        return self._mark.end

    @property
    def due(self) -> float | None:
        """The time of the clock by which `tick` wants to be called; None while everything is on the disk."""
        return None if self._since is None else self._since + SYNC_WITHIN

    def tick(self) -> None:
        """Write and sync if that is due; raise OSError."""
        if self._since is not None and self._clock() >= self._since + SYNC_WITHIN:
            self.sync()

    def append(self, record: Record) -> None:
        """Take a record. Raises BadRecordError, or OSError from a full disk, and has not taken it then."""
        try:
            length = len(record[8])
        except (TypeError, IndexError, KeyError):
            length = 0  # the block says what is wrong with it
        if length > LONG_PAYLOAD:
            self._extend((record,))
            return
        if self._pending.is_full:
            self.flush()
        self._pending.append(record)
        self._begin_waiting()

    def extend(self, records: Iterable[Record]) -> None:
        """Take records in order. After an error `end` says how many were taken."""
        if isinstance(records, Sequence) and len(records) <= MOST_ROWS:
            self._extend(records)
            return
        rest = iter(records)
        while chunk := list(islice(rest, MOST_ROWS)):
            self._extend(chunk)

    def _extend(self, records: Sequence[Record]) -> None:
        try:
            lengths = [len(record[8]) for record in records]
        except (TypeError, IndexError, KeyError):
            lengths = [0] * len(records)  # the block says which record is bad
        longest = max(lengths, default=0)
        if longest > MOST_PAYLOAD:
            raise BadRecordError(f"a payload is {size_and_limit(longest, MOST_PAYLOAD)}; record it in parts")
        while lengths:
            if self._pending.is_full:
                self.flush()
            count = self._pending.fitting(lengths)
            if count == len(lengths):
                taken, records, size, lengths = records, (), sum(lengths), []
            else:
                taken, records = records[:count], records[count:]
                size, lengths = sum(lengths[:count]), lengths[count:]
            is_long = longest > LONG_PAYLOAD
            try:
                self._take(self._put_aside(taken) if is_long else taken, size, aside=is_long)
            except (OSError, BadRecordError):
                if is_long:  # a record with a short payload may get the number
                    with suppress(OSError):
                        large_payloads.remove_from(self.folder, self.end)
                raise
            self._begin_waiting()

    def _take(self, records: Sequence[Record], size: int, *, aside: bool) -> None:
        if not self._pending.extend(records, size, aside=aside):
            for record in records:  # their names are too long for one block
                if self._pending.is_full:
                    self.flush()
                self._pending.extend((record,), len(record[8]), aside=aside)
                self._begin_waiting()

    def _begin_waiting(self) -> None:
        if self._since is None:
            self._since = self._clock()

    def _put_aside(self, records: Sequence[Record]) -> Sequence[Record]:
        """Return the records with long payloads replaced by pointers to files, which are on the disk."""
        found = list(records)
        for number, record in enumerate(found):
            if record[7] & ASIDE:
                raise BadRecordError(f"record {number} of {len(found)} has the flag {ASIDE}; leave it out")
            if len(record[8]) > LONG_PAYLOAD:
                pointer = large_payloads.put(self.folder, self.end + number, record[8])
                found[number] = Record(*record[:7], record[7] | ASIDE, pointer)
        return found

    def extend_block(self, block: Block) -> None:
        """Write columns of records; their sequences are given anew. After an error `end` says how many were
        taken. The payloads may be as long as the columns can say; small blocks cost as much as large ones."""
        if (block.flags & np.uint32(ASIDE)).any():
            raise BadRecordError(f"a record has the flag {ASIDE}, which the writer sets; leave it out")
        self.flush()
        start, are_long = 0, sum(len(text) for names in block.names() for text in names.table) > MOST_BYTES
        while start < len(block):
            limit = int(block.ends[start]) + MOST_BYTES
            stop = int(block.ends.searchsorted(limit, side="left"))
            stop = max(min(stop, start + MOST_ROWS, len(block)), start + 1)
            part = block.slice(start, stop)
            lengths = part.ends[1:] - part.ends[:-1]
            if are_long or int(lengths.max()) > LONG_PAYLOAD:
                self._extend(list(part.records()))
                self.flush()
            else:
                self._write(part.numbered(self._written))
            start = stop

    def flush(self) -> None:
        """Write the records that were taken; raise OSError and keep them if that fails."""
        if self._pending.rows:
            self._write(self._pending.block(self._written))
            self._pending.clear()

    def _write(self, block: Block) -> None:
        self._demand_sound()
        if self._fd < 0 or self._size >= self._most_bytes or len(self._blocks) >= self._most_blocks:
            self._begin_file()
        pieces = pack_block(block, self.log)
        head = parse_head(bytes(pieces[0]))
        if head is None:
            raise BadRecordError(f"a block would be longer than {MOST_BODY >> 20} MiB; write smaller ones")
        write_at(self._fd, pieces, self._size, self._path)
        self._blocks.append(Placed(self._size, head))
        self._size += head.size
        self._written = head.end
        self._begin_waiting()

    @property
    def _path(self) -> Path:
        first = self._blocks[0].head.first if self._blocks else self._written
        return self.folder / segment_name(first)

    def _begin_file(self) -> None:
        if self._fd >= 0:
            self._finish_file()
        path = self.folder / segment_name(self._written)
        self._fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, PRIVATE)
        self._size = 0
        self._blocks = []
        sync_folder(self.folder)

    def _finish_file(self) -> None:
        """Force the file to the disk and close it, sealed if its blocks are worth no merging."""
        if (
            self._size * _FULL_ENOUGH >= len(self._blocks) * MOST_BYTES
            or (self._blocks[-1].head.end - self._blocks[0].head.first) * _FULL_ENOUGH
            >= len(self._blocks) * MOST_ROWS
        ):
            with suppress(OSError):  # a full disk: the file stays as good without
                index = pack_index(self._blocks, self._written, self._size, self.log)
                write_at(self._fd, index, self._size, self._path)
        self.sync_job()()
        os.close(self._fd)
        self._fd = -1

    def sync(self) -> None:
        """Write what was taken, force it to the disk, and tell readers; raise OSError."""
        self.flush()
        self.sync_job()()

    def sync_job(self) -> Callable[[], None]:
        """Return a function that forces to the disk everything written by now, and tells readers. Another
        thread may call it, once; it raises OSError there."""
        end = self._written
        if not self._pending.rows:
            self._since = None
        if self._fd < 0 or end <= self._mark.end:
            return lambda: None
        fd = os.dup(self._fd)

        def job() -> None:
            try:
                self._force(fd)
                with self._marking:
                    self._mark.write(end)
            finally:
                os.close(fd)

        return job

    def seal(self) -> int:
        """Merge the small blocks and files that are no longer written; return how many files were written
        anew.

        It takes seconds for a million records in small blocks, so another thread may do it while this one
        appends. Raises OSError and leaves all files whole.
        """
        with self._caring:
            return seal(self.folder, self.log, self._mark.end, self._most_bytes)

    def retain(
        self,
        *,
        most_bytes: int | None = None,
        oldest: int | None = None,
        may_go: MayGo = lambda _: True,
    ) -> int:
        """Delete the oldest files that are beyond a size in all, or whose records were all received before a
        time in microseconds, up to the first that may not go; return how many. The file being written is
        never deleted. Raises OSError."""
        with self._caring:
            return retain(self.folder, self.log, most_bytes=most_bytes, oldest=oldest, may_go=may_go)

    def begin_file(self) -> None:
        """Begin a new file with the next record, so that what is written by now can be deleted by its age."""
        self.flush()
        if self._fd >= 0 and self._blocks:
            self._finish_file()

    def _force(self, fd: int) -> None:
        """Force a file to the disk. After a failure the system may have dropped data, and the next attempt
        succeeds all the same (https://lwn.net/Articles/752063/), so this writer writes no more."""
        self._demand_sound()
        try:
            os.fdatasync(fd)
        except OSError as error:
            self._failure = error
            self._demand_sound()

    @property
    def has_failed(self) -> bool:
        """True if the system did not force records to the disk: the log must be opened again to go on."""
        return self._failure is not None

    def _demand_sound(self) -> None:
        if self._failure is not None:
            text = f"{self._failure.strerror} while forcing records to the disk; open the log again to go on"
            raise OSError(self._failure.errno, text, str(self.folder))

    def close(self) -> None:
        """Sync and close; raise OSError if records could not be written, and close all the same."""
        try:
            if self._lock.is_held:
                self.sync()
        finally:
            self.close_files()

    def close_files(self) -> None:
        """Close everything as it is, like a program that ends suddenly."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
        if hasattr(self, "_mark"):
            self._mark.close()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
