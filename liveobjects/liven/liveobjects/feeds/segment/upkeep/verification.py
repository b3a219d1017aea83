"""A log examined byte by byte: each head, each body, each number, each file beside it.

It changes nothing and may run while a program records. Memory holds one block.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import numpy as np

from liven.liveobjects.feeds.errors import ForeignSegmentError, FutureVersionError
from liven.liveobjects.feeds.record import ASIDE
from liven.liveobjects.feeds.segment import large_payloads
from liven.liveobjects.feeds.segment.block import BadBodyError, Block
from liven.liveobjects.feeds.segment.block_format import HOLE, INDEX, RECORDS, TAIL
from liven.liveobjects.feeds.segment.durable_mark import read_mark
from liven.liveobjects.feeds.segment.file_index import StaleIndexError, read_block, sealed_index
from liven.liveobjects.feeds.segment.recovery import end_of, log_number
from liven.liveobjects.feeds.segment.segment_files import (
    Damage,
    Placed,
    SegmentFile,
    opened,
    segment_files,
    walk,
)

Progress = Callable[[int, int], None]


class Kind(Enum):
    """The kinds of findings."""

    DAMAGED = "damaged"
    """Bytes changed: the records in them cannot be read."""
    MISSING = "missing"
    """Records are neither here nor were they set aside."""
    FOREIGN = "foreign"
    """A file of another log, or no segment at all."""
    FUTURE = "future"
    """A file of a later version."""
    REPAIRED = "repaired"
    """Numbers whose records a repair set aside."""
    UNFINISHED = "unfinished"
    """A block that a program was stopped in; nobody was promised it. The next recording cuts it off."""

    @property
    def is_damage(self) -> bool:
        """True if something is wrong that a person must know."""
        return self not in (Kind.REPAIRED, Kind.UNFINISHED)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be."""

    kind: Kind
    file: Path
    offset: int
    length: int
    first: int
    """The sequence of the first record that is concerned, and after the last."""
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class GoodRows:
    """Consecutive records of a block that can be read, as they are stored."""

    block: Block


def verify(folder: Path, progress: Progress | None = None) -> Iterator[Finding]:
    """Return all that is wrong with a log, in order. `progress` is called with bytes done and in all."""
    log = log_number(folder)
    mark = read_mark(folder)
    durable = end_of(folder) if mark is None else mark.end
    files = segment_files(folder)
    whole = sum(file.path.stat().st_size for file in files)
    done = 0
    at: int | None = None
    for number, file in enumerate(files):
        stop = files[number + 1].first if number + 1 < len(files) else max(durable, file.first)
        if at is not None and file.first > at:
            yield Finding(
                Kind.MISSING, file.path, 0, 0, at, file.first, "records before this file are missing"
            )
        for part in examine(file, stop, log, folder, is_last=number + 1 == len(files)):
            if isinstance(part, Finding):
                yield part
                done += part.length
            elif progress is not None:
                done += part.block.size
                progress(min(done, whole), whole)
        at = max(at or 0, stop)
    if progress is not None:
        progress(whole, whole)


def examine(
    file: SegmentFile, stop: int, log: int | None, folder: Path, *, is_last: bool
) -> Iterator[GoodRows | Finding]:
    """Return the readable records of a file, and what is wrong between them, in order up to the sequence
    `stop`.

    Records of the last file behind `stop` are not promised to anybody and not examined.
    """
    at = file.first
    is_damaged = False
    try:
        with opened(file.path) as fd:
            size = os.fstat(fd).st_size
            for item in walk(file, fd, size, log):
                if isinstance(item, Damage):
                    finding = _damage(file, item, stop, is_last=is_last)
                    at = max(at, finding.end)
                    is_damaged = True
                    yield finding
                    continue
                head = item.head
                if head.kind in (RECORDS, HOLE) and head.first >= stop:
                    break  # in the next file, too, or not promised yet
                yield from _block(file, fd, item, folder)
                at = max(at, head.end)
            if not is_damaged and sealed_index(file, log) is None and _claims_index(file, fd, size, log):
                yield Finding(
                    Kind.DAMAGED, file.path, size, 0, at, at, "its index is damaged; no record is concerned"
                )
    except ForeignSegmentError as error:
        yield Finding(Kind.FOREIGN, file.path, 0, file.path.stat().st_size, file.first, stop, str(error))
        return
    except FutureVersionError as error:
        yield Finding(Kind.FUTURE, file.path, 0, file.path.stat().st_size, file.first, stop, str(error))
        return
    if at < stop:
        yield Finding(Kind.MISSING, file.path, size, 0, at, stop, "the file ends too early")


def _damage(file: SegmentFile, damage: Damage, stop: int, *, is_last: bool) -> Finding:
    size = file.path.stat().st_size
    at_the_end = damage.length > 0 and damage.offset + damage.length >= size and damage.end == damage.first
    if not at_the_end:
        kind = Kind.DAMAGED if damage.length else Kind.MISSING
        return Finding(kind, file.path, *damage)
    if is_last and damage.first >= stop:
        text = "an unfinished block, which the next recording cuts off"
        return Finding(
            Kind.UNFINISHED, file.path, damage.offset, damage.length, damage.first, damage.first, text
        )
    end = max(stop, damage.first)
    return Finding(Kind.DAMAGED, file.path, damage.offset, damage.length, damage.first, end, damage.what)


def _block(file: SegmentFile, fd: int, placed: Placed, folder: Path) -> Iterator[GoodRows | Finding]:
    head = placed.head
    if head.kind == HOLE:
        text = "a repair set these records aside"
        yield Finding(Kind.REPAIRED, file.path, placed.offset, head.size, head.first, head.end, text)
    if head.kind != RECORDS:
        return
    try:
        block = read_block(fd, placed)
    except (BadBodyError, StaleIndexError) as error:
        text = f"a block is damaged: {error}"
        yield Finding(Kind.DAMAGED, file.path, placed.offset, head.size, head.first, head.end, text)
        return
    at = 0
    for row in np.flatnonzero(block.flags & np.uint32(ASIDE)).tolist():
        sequence = block.first + row
        try:
            large_payloads.get(folder, sequence, block.payload_of(row))
        except large_payloads.MissingPayloadError as error:
            if row > at:
                yield GoodRows(block.slice(at, row))
            at = row + 1
            yield Finding(Kind.DAMAGED, file.path, placed.offset, 0, sequence, sequence + 1, str(error))
    if at < len(block):
        yield GoodRows(block.slice(at, len(block)))


def _claims_index(file: SegmentFile, fd: int, size: int, log: int | None) -> bool:
    """Return True if a file was sealed, by any head of an index in it."""
    kinds = [item.head.kind for item in walk(file, fd, size, log) if isinstance(item, Placed)]
    return INDEX in kinds or TAIL in kinds
