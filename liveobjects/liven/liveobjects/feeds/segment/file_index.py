"""The blocks of one file by their heads: read from its end if it is sealed, else by hopping from head to
head."""

from __future__ import annotations

import os
import zlib
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from liven.liveobjects.feeds.segment.block import PAD, Block, Buffer, unpack_block
from liven.liveobjects.feeds.segment.block_format import (
    ALIGNMENT,
    HEAD_SIZE,
    HOLE,
    INDEX,
    RECORDS,
    TAIL,
    Head,
    pack_head,
    padding,
    parse_head,
)
from liven.liveobjects.feeds.segment.segment_files import (
    Damage,
    Placed,
    SegmentFile,
    head_at,
    opened,
    read_at,
    walk,
)

_ENTRY: Final = np.dtype(
    [
        ("offset", "<u8"),
        ("first", "<u8"),
        ("earliest", "<i8"),
        ("latest", "<i8"),
        ("rows", "<u4"),
        ("kind", "<u4"),
    ]
)


class StaleIndexError(Exception):
    """The file was replaced since its heads were read."""


class FileIndex:
    """The blocks of a file in order, the holes that a repair left among them, and the damage between them."""

    def __init__(self, file: SegmentFile) -> None:
        self.file = file
        self.blocks: list[Placed] = []
        self.damages: list[Damage] = []
        self.tail: Damage | None = None
        """The end of the file that is no whole block. It may be a block that is being written."""
        self.size = 0
        """Bytes of the whole blocks."""
        self.end = file.first
        self.is_sealed = False
        self._firsts: list[int] = []
        self._times: tuple[npt.NDArray[np.int64], int | None, int | None] | None = None

    def add(self, item: Placed | Damage, file_size: int) -> None:
        """Add what follows in the file."""
        if isinstance(item, Placed):
            self.size = item.offset + item.head.size
            if item.head.kind in (RECORDS, HOLE):
                self.blocks.append(item)
                self._firsts.append(item.head.first)
                self.end = item.head.end
                self._times = None
        elif item.offset + item.length >= file_size and item.length:
            self.tail = item
        else:
            self.damages.append(item)

    def go_on(self, log: int | None) -> None:
        """Add the blocks that were written since."""
        if self.is_sealed:
            return
        with opened(self.file.path) as fd:
            size = os.fstat(fd).st_size
            if size <= self.size:
                return
            self.tail = None
            for item in walk(self.file, fd, size, log, self.size, self.end):
                self.add(item, size)

    @property
    def rows(self) -> int:
        """The number of records in the whole blocks."""
        return sum(placed.head.rows for placed in self.blocks if placed.head.kind == RECORDS)

    def place_of(self, sequence: int) -> int:
        """Return the number of the block that holds a sequence, or of the next one."""
        number = bisect_right(self._firsts, sequence) - 1
        if number < 0 or self.blocks[number].head.end <= sequence:
            number += 1
        return number

    @property
    def earliest(self) -> int | None:
        """The earliest time at which a record was received; None if there are no records."""
        return self._spans()[1]

    @property
    def latest(self) -> int | None:
        """The latest such time."""
        return self._spans()[2]

    def first_since(self, time: int) -> int | None:
        """Return the number of the first block with a record received at `time` or after; None if there is
        none."""
        latest = self._spans()[0]
        number = int(np.searchsorted(latest, time, side="left"))
        return number if number < len(self.blocks) else None

    def _spans(self) -> tuple[npt.NDArray[np.int64], int | None, int | None]:
        """Return the latest time up to each block, the earliest and the latest of the file. Clocks jump back,
        so a later block may be of an earlier time."""
        if self._times is None:
            heads = [placed.head for placed in self.blocks]
            least = np.iinfo(np.int64).min
            latest = np.array([head.latest if head.kind == RECORDS else least for head in heads], np.int64)
            real = [head for head in heads if head.kind == RECORDS]
            self._times = (
                np.maximum.accumulate(latest) if len(heads) else latest,
                min((head.earliest for head in real), default=None),
                max((head.latest for head in real), default=None),
            )
        return self._times


def load_index(file: SegmentFile, log: int | None) -> FileIndex:
    """Return the index of a file; raise OSError, FutureVersionError or ForeignSegmentError."""
    with opened(file.path) as fd:
        return index_of(file, fd, log)


def index_of(file: SegmentFile, fd: int, log: int | None) -> FileIndex:
    """Return the index of an open file; raise as `load_index`."""
    size = os.fstat(fd).st_size
    sealed = _sealed(file, fd, size, log)
    if sealed is not None:
        return sealed
    index = FileIndex(file)
    for item in walk(file, fd, size, log):
        index.add(item, size)
    return index


def sealed_index(file: SegmentFile, log: int | None) -> FileIndex | None:
    """Return the index of a sealed file; None if it is not sealed."""
    with opened(file.path) as fd:
        return _sealed(file, fd, os.fstat(fd).st_size, log)


def read_block(fd: int, placed: Placed) -> Block:
    """Return a block of an open file as it is stored; raise BadBodyError, or StaleIndexError if another
    block is at its place."""
    data = read_at(fd, HEAD_SIZE + placed.head.body, placed.offset)
    head = parse_head(data)
    # The index of a sealed file knows only the padded size of a body.
    if head is None or _identity(head) != _identity(placed.head):
        raise StaleIndexError("its head is wrong")
    return unpack_block(head, memoryview(data)[HEAD_SIZE : HEAD_SIZE + head.body])


def _identity(head: Head) -> tuple[int, int, int]:
    return head.kind, head.first, head.rows


def pack_index(blocks: Sequence[Placed], end: int, at: int, log: int) -> list[Buffer]:
    """Return the pieces that seal a file whose blocks end at byte `at`."""
    entries = np.array(
        [(offset, head.first, head.earliest, head.latest, head.rows, head.kind) for offset, head in blocks],
        _ENTRY,
    )
    body = entries.tobytes()
    index = Head(INDEX, len(entries), len(body), zlib.crc32(body), end, 0, 0, log)
    tail = Head(TAIL, len(entries), 0, 0, end, at, 0, log)
    return [pack_head(index), body, PAD[: padding(len(body), ALIGNMENT)], pack_head(tail)]


def _sealed(file: SegmentFile, fd: int, size: int, log: int | None) -> FileIndex | None:
    """Return the index at the end of a sealed file; None if it is not sealed or that index is damaged."""
    if size < 2 * HEAD_SIZE or size % ALIGNMENT:
        return None
    tail = head_at(fd, size - HEAD_SIZE, file.path, log)
    if tail is None or tail.kind != TAIL or not 0 <= tail.earliest <= size - 2 * HEAD_SIZE:
        return None
    head = head_at(fd, tail.earliest, file.path, log)
    if head is None or head.kind != INDEX or head.body != head.rows * _ENTRY.itemsize:
        return None
    body = read_at(fd, head.body, tail.earliest + HEAD_SIZE)
    if zlib.crc32(body) != head.body_crc or head.first != tail.first or len(body) != head.body:
        return None
    return _of_entries(file, np.frombuffer(body, _ENTRY), tail, size)


def _of_entries(file: SegmentFile, entries: npt.NDArray[np.void], tail: Head, size: int) -> FileIndex:
    index = FileIndex(file)
    expected = file.first
    places = [*entries["offset"].tolist(), tail.earliest]
    for entry, start, stop in zip(entries.tolist(), places, places[1:], strict=False):
        _offset, first, earliest, latest, rows, kind = entry
        # The padded size of the body; its head says the size itself.
        head = Head(kind, rows, stop - start - HEAD_SIZE, 0, first, earliest, latest, tail.log)
        if first > expected:
            index.damages.append(Damage(start, 0, expected, first, "blocks are missing"))
        index.add(Placed(start, head), size)
        expected = head.end
    index.size, index.end, index.is_sealed = size, max(index.end, tail.first), True
    return index
