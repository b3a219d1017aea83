"""Reading a log, also while another program appends to it, seals its files or deletes old ones.

A reader holds heads, one block at a time, and no open file between two calls. It reads up to the durable
mark.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import numpy as np

from liven.liveobjects.feeds.errors import DamagedError, GoneError, NoRecordError, UnknownFeedError
from liven.liveobjects.feeds.record import ASIDE, Record
from liven.liveobjects.feeds.segment import large_payloads
from liven.liveobjects.feeds.segment.block import BadBodyError, Block
from liven.liveobjects.feeds.segment.block_format import HOLE
from liven.liveobjects.feeds.segment.durable_mark import read_mark
from liven.liveobjects.feeds.segment.file_index import (
    FileIndex,
    StaleIndexError,
    index_of,
    load_index,
    read_block,
)
from liven.liveobjects.feeds.segment.recovery import end_of, log_number
from liven.liveobjects.feeds.segment.segment_files import (
    Damage,
    Placed,
    SegmentFile,
    opened,
    segment_files,
)

OnDamage = Callable[[DamagedError], None]


class Log:
    """The records of one recorder. It costs nothing to make one, and it may be sent to other processes."""

    def __init__(self, folder: Path) -> None:
        """Name a log; raise UnknownFeedError if there is no such folder."""
        if not folder.is_dir():
            raise UnknownFeedError(
                f"{folder}: there is no recording here; `liven feeds ls` lists those there are"
            )
        self.folder = folder
        self._log: int | None = None
        self._files: list[SegmentFile] = []
        self._indexes: dict[int, FileIndex] = {}

    def __reduce__(self) -> tuple[type[Log], tuple[Path]]:
        return Log, (self.folder,)

    @property
    def log(self) -> int | None:
        """The number of this log, which is in each of its blocks; None while it is empty."""
        if self._log is None:
            self._log = log_number(self.folder)
        return self._log

    @property
    def begin(self) -> int:
        """The sequence of the first record that is still there; equal to `end` if there is none."""
        files = segment_files(self.folder)
        return files[0].first if files else self.end

    @property
    def end(self) -> int:
        """The sequence before which all records are on the disk."""
        mark = read_mark(self.folder)
        return end_of(self.folder) if mark is None else mark.end

    @property
    def earliest(self) -> int | None:
        """The earliest time at which a record was received; None if there is none."""
        return min((at for index in self.indexes() if (at := index.earliest) is not None), default=None)

    @property
    def latest(self) -> int | None:
        """The latest such time."""
        return max((at for index in self.indexes() if (at := index.latest) is not None), default=None)

    def indexes(self) -> Iterator[FileIndex]:
        """Return the heads of each file in order; the last one may go beyond `end`."""
        self._list()
        for number in range(len(self._files)):
            index = self._index(number)
            if index is not None:
                yield index

    def blocks(
        self, low: int | None = None, high: int | None = None, on_damage: OnDamage | None = None
    ) -> Iterator[Block]:
        """Return the records from `low` to before `high` in blocks, in order, those of all if not given.

        Payloads beside the segments are in the blocks. Raises DamagedError where records cannot be read;
        given `on_damage`, calls that instead and goes on behind. Raises GoneError where they were deleted.
        """
        end = self.end if high is None else min(high, self.end)
        at = self.begin if low is None else low
        while at < end:
            at = yield from self._blocks_of_file(at, end, on_damage)

    def records(
        self, low: int | None = None, high: int | None = None, on_damage: OnDamage | None = None
    ) -> Iterator[tuple[int, Record]]:
        """Return the records from `low` to before `high` with their sequences, in order; as `blocks`."""
        for block in self.blocks(low, high, on_damage):
            yield from enumerate(block.records(), block.first)

    def record(self, sequence: int) -> Record:
        """Return one record; raise NoRecordError, DamagedError or GoneError."""
        for block in self.blocks(sequence, sequence + 1):
            return block.record(0)
        raise NoRecordError(f"{self.folder} has no record {sequence}; it has {self.begin} to {self.end - 1}")

    def sequence_at(self, time: int) -> int:
        """Return the sequence of the first record that was received at `time` (in microseconds) or later;
        `end` if there is none. Where the clock was set back, that is the first in the order of the log."""
        end = self.end
        for index in self.indexes():
            if index.latest is None or index.latest < time:
                continue
            number = index.first_since(time)
            while number is not None and number < len(index.blocks):
                head = index.blocks[number].head
                if head.kind != HOLE and head.latest >= time:
                    for block in self.blocks(head.first, head.end, lambda _: None):
                        rows = np.flatnonzero(block.received >= time)
                        if len(rows):
                            return min(block.first + int(rows[0]), end)
                number += 1
        return end

    def _list(self) -> None:
        """Read the names of the files again."""
        self._files = segment_files(self.folder)
        known = {file.first for file in self._files}
        for first in [first for first in self._indexes if first not in known]:
            del self._indexes[first]

    def _index(self, number: int) -> FileIndex | None:
        """Return the heads of a file; None if it was deleted."""
        file = self._files[number]
        index = self._indexes.get(file.first)
        try:
            if index is None:
                index = self._indexes[file.first] = load_index(file, self.log)
            elif number == len(self._files) - 1:
                index.go_on(self.log)
            elif index.end < self._files[number + 1].first:  # it was the last one, or has damage
                index = self._indexes[file.first] = load_index(file, self.log)
        except FileNotFoundError:
            return None
        return index

    def _blocks_of_file(self, at: int, end: int, on_damage: OnDamage | None) -> Generator[Block, None, int]:
        """Return the blocks of the file that holds `at`; the value of the generator is the sequence after
        them."""
        self._list()
        number = bisect_right([file.first for file in self._files], at) - 1
        if number < 0:
            begin = self.begin
            raise GoneError(self.folder, at, begin)
        stop = self._files[number + 1].first if number + 1 < len(self._files) else end
        stop = min(stop, end)
        file = self._files[number]
        is_last = number + 1 == len(self._files)
        try:
            with opened(file.path) as fd:
                for attempt in range(2):
                    try:
                        index = self._open_index(file, fd, is_fresh=attempt > 0, is_last=is_last)
                        for item in self._read(fd, index, at, stop, is_fresh=attempt > 0):
                            if isinstance(item, Damage):
                                _tell(item, file.path, on_damage)
                                at = item.end
                            else:
                                at = item.end
                                yield item
                        return stop
                    except StaleIndexError:
                        pass  # sealed since its heads were read: read those of the file that is open
        except FileNotFoundError:
            pass  # joined to its predecessor, or deleted by a limit
        return at

    def _open_index(self, file: SegmentFile, fd: int, *, is_fresh: bool, is_last: bool) -> FileIndex:
        """Return the heads of an open file, as they were read before unless they are to be fresh."""
        index = self._indexes.get(file.first)
        if index is None or is_fresh:
            index = self._indexes[file.first] = index_of(file, fd, self.log)
        elif is_last:
            index.go_on(self.log)
        return index

    def _read(
        self, fd: int, index: FileIndex, at: int, stop: int, *, is_fresh: bool
    ) -> Iterator[Block | Damage]:
        """Return the blocks of an open file between two sequences, and the damage between them."""
        for placed in index.blocks[index.place_of(at) :]:
            if placed.head.first >= stop:
                break
            if placed.head.first > at:
                yield _missing(index, at, placed.head.first, is_fresh=is_fresh)
            if placed.head.kind != HOLE:
                for item in self._read_block(fd, placed, is_fresh=is_fresh):
                    clipped = item.clip(at, stop) if isinstance(item, Block) else _clip(item, at, stop)
                    if clipped is not None and (isinstance(clipped, Damage) or len(clipped)):
                        yield clipped
            at = max(at, placed.head.end)
        if at < stop:
            yield _missing(index, at, stop, is_fresh=is_fresh)

    def _read_block(self, fd: int, placed: Placed, *, is_fresh: bool) -> Iterator[Block | Damage]:
        try:
            block = read_block(fd, placed)
        except (BadBodyError, StaleIndexError) as error:
            if isinstance(error, StaleIndexError) and not is_fresh:
                raise  # the file was replaced since its heads were read; else the head itself is damaged
            head = placed.head
            yield Damage(placed.offset, head.size, head.first, head.end, f"the block is damaged: {error}")
            return
        aside = np.flatnonzero(block.flags & np.uint32(ASIDE))
        if len(aside):
            yield from _with_payloads(block, aside.tolist(), self.folder, placed)
        else:
            yield block


def _with_payloads(block: Block, aside: list[int], folder: Path, placed: Placed) -> Iterator[Block | Damage]:
    """Return a block with the payloads that lie beside it; a row whose payload is missing is damage."""
    payloads = block.payloads()
    lost: list[Damage] = []
    for row in aside:
        sequence = block.first + row
        try:
            payloads[row] = large_payloads.get(folder, sequence, payloads[row])
        except large_payloads.MissingPayloadError as error:
            lost.append(Damage(placed.offset, 0, sequence, sequence + 1, str(error)))
    whole = block.with_payloads(payloads, ~ASIDE)
    at = block.first
    for damage in lost:
        if damage.first > at:
            yield whole.clip(at, damage.first)
        yield damage
        at = damage.end
    if at < block.end:
        yield whole.clip(at, block.end)


def _missing(index: FileIndex, first: int, end: int, *, is_fresh: bool) -> Damage:
    """Return the damage that explains missing records of a file; raise StaleIndexError if its heads may be
    old."""
    if not is_fresh:
        raise StaleIndexError
    for damage in index.damages:
        if damage.first <= first < damage.end:
            return Damage(damage.offset, damage.length, first, end, damage.what)
    if index.tail is not None:
        return Damage(index.tail.offset, index.tail.length, first, end, index.tail.what)
    return Damage(index.size, 0, first, end, "the file ends too early")


def _clip(damage: Damage, low: int, high: int) -> Damage | None:
    first, end = max(damage.first, low), min(damage.end, high)
    return damage._replace(first=first, end=end) if first < end else None


def _tell(damage: Damage, path: Path, on_damage: OnDamage | None) -> None:
    error = DamagedError(path, damage.offset, damage.first, damage.end, damage.what)
    if on_damage is None:
        raise error
    on_damage(error)
