"""The thread that writes a log: it takes rows from the hand-over, and lives with disks that are full.

A disk that takes nothing pauses the recording: the thread says so, keeps what waits, and tries again every
second. Nothing here waits for the thread of the objects, nor that one for this.
"""

from __future__ import annotations

import enum
import os
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.errors import BadRecordError, FeedError, LockedError
from liven.liveobjects.feeds.record import FORK, Record
from liven.liveobjects.feeds.recorder.log.hand_over import HandOver, Numbered, Position, Rows
from liven.liveobjects.feeds.recorder.log.limits import Limits
from liven.liveobjects.feeds.recorder.log.log_upkeep import FILES_KEPT, LogUpkeep
from liven.liveobjects.feeds.recorder.log.marks import gap_record
from liven.liveobjects.feeds.recorder.log.positions import read_positions, write_positions
from liven.liveobjects.feeds.segment.segment_files import segment_files
from liven.liveobjects.feeds.segment.statistics import size_of
from liven.liveobjects.feeds.segment.writer import SEGMENT_BYTES, LogWriter
from liven.runtime.files import readable_size
from liven.runtime.os_error_text import explain_os_error

_TICK: Final = 0.1
_LOOK_EVERY: Final = 1.0
"""Seconds between two looks at the disk, and between two attempts to write to a full one."""
_POSITIONS_EVERY: Final = 5.0
_QUIET_AFTER: Final = 10.0
"""Seconds without a record after which the thread wakes rarely: most objects rest most of the time."""
_QUIET_TICK, _QUIET_LOOK_EVERY = 1.0, 10.0
_SEGMENT_LEAST: Final = 1 << 16
_SERIES_MOST: Final = 65_536
"""Series whose last numbers are remembered: channels, and the authors of those without an order."""
_NOT_FORCED: Final = "the disk did not keep these records"
_ENDS_WITHIN: Final = 10.0
"""Seconds that the thread may take to write the rest."""


class Condition(enum.Enum):
    """The condition of a recording."""

    RECORDS = "recording"
    PAUSED = "paused"
    """The disk takes nothing; it goes on by itself."""
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class LogStatus:
    """The state of a log being written."""

    condition: Condition = Condition.RECORDS
    why: str = ""
    records: int = 0
    """Records written by this process."""
    size: int = 0
    """Bytes of the log on the disk."""
    lost: int = 0
    """Records that found no room while the disk was slow or full."""


class LogThread:
    """One log, its writer and its thread. `changed` is called in that thread with each new condition, `warn`
    with what went wrong beside the records: that ends no recording."""

    def __init__(
        self,
        folder: Path,
        hand_over: HandOver,
        limits: Limits,
        changed: Callable[[LogStatus], object],
        *,
        by_author: Collection[str] = (),
        warn: Callable[[str], object] = lambda _: None,
        want_states: Callable[[frozenset[str]], object] = lambda _: None,
        free: Callable[[Path], int] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open the log; raise LockedError, OSError or FeedError. The channels in `by_author` have no order:
        their authors number what they say."""
        self.folder = folder
        self._writer = LogWriter(folder, segment_bytes=_segment_bytes(limits))
        self.resumed = read_positions(folder, by_author)
        """The last number of each series that an earlier process recorded."""
        self.status = LogStatus(size=size_of(folder))
        self._hand_over = hand_over
        self._limits = limits
        self._changed = changed
        self._warn = warn
        self._warned = ""
        self._want_states = want_states
        self._free = free or free_bytes
        self._clock = clock
        self._by_author = by_author
        self._objects: dict[Numbered, str] = {}
        """The object of each series."""
        self._positions = dict(self.resumed)
        self._noted = self._positions.copy()
        self._rest: list[Record] = []
        self._forks: dict[Numbered, tuple[int, Record]] = {}
        """The last fork of each series that is not known to be on the disk, and its sequence."""
        self._begun_at = self._writer.end
        self._look_at = self._note_at = 0.0
        self._took_at = self._clock()
        """The time at which records came last."""
        self._sealed = 0
        """The sequence before which files are sealed."""
        self._upkeep = LogUpkeep(folder, limits, self._clock)
        self.channels: frozenset[str] = frozenset()
        """The channels that can be asked for a state."""
        self._describing: Callable[[], object] | None = None
        self._thread = threading.Thread(target=self._run, name=f"recorder {folder.name}", daemon=True)

    @property
    def durable(self) -> int:
        """The sequence before which all records are on the disk."""
        return self._writer.durable

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def describe(self, job: Callable[[], object]) -> None:
        """Let the thread write the description within a second; only the last such job counts."""
        self._describing = job

    def close(self) -> None:
        """Write the rest and end."""
        self._hand_over.close()
        if self._thread.is_alive():
            self._thread.join(_ENDS_WITHIN)
        else:
            self._finish()

    # In the thread

    def _run(self) -> None:
        try:
            while not (self._hand_over.is_closed and not self._hand_over.waiting):
                self._turn(self._hand_over.take(_QUIET_TICK if self._is_quiet else _TICK))
            self._turn(self._hand_over.take(0))
        except Exception as error:  # a fault of ours must not look like a recording that goes on
            self._become(Condition.ENDED, f"{type(error).__name__}: {error}")
            raise
        finally:
            self._finish()

    def _finish(self) -> None:
        try:
            self._in_care(self._describe)
            self._put(self._hand_over.take(0))  # what waited when a fault of ours ended the thread
            self._writer.sync()
            self._in_care(self._note)
            self._in_care(self._count)
        except OSError as error:
            lost = self._writer.end - self._writer.durable + self._hand_over.waiting
            if lost:
                why = explain_os_error(error, self.folder)
                self._become(Condition.ENDED, f"the last {lost:,} records are lost: {why}")
        finally:
            with suppress(OSError):
                self._writer.close()

    def _in_care(self, job: Callable[[], object]) -> None:
        """Do what only keeps the log in order. A failure costs no record, and `warn` gets it once."""
        try:
            job()
        except (OSError, FeedError) as error:
            text = explain_os_error(error, self.folder) if isinstance(error, OSError) else str(error)
            if text != self._warned:
                self._warned = text
                self._warn(text)

    def _turn(self, taken: list[Rows]) -> None:
        if self.status.condition is Condition.ENDED:
            return  # the limit is reached, and what comes is not wanted
        if taken:
            self._took_at = self._clock()
            self._look_at = min(self._look_at, self._took_at + _LOOK_EVERY)
        try:
            self._describe_first(taken)
            self._put(taken)
            self._writer.tick()
            if self._clock() >= self._look_at:
                self._look_at = self._clock() + (_QUIET_LOOK_EVERY if self._is_quiet else _LOOK_EVERY)
                self._look()
        except OSError as error:
            why = explain_os_error(error, self.folder)
            if self._hand_over.is_closed:
                self._become(Condition.ENDED, f"the last {self._hand_over.waiting:,} records are lost: {why}")
            else:
                self._pause(why)

    @property
    def _is_quiet(self) -> bool:
        return self._clock() - self._took_at > _QUIET_AFTER

    def _describe_first(self, taken: list[Rows]) -> None:
        """Write a new description before the records that it describes; raise OSError and give them back.
        They are written without one that cannot be made, since a later one may describe them, too."""
        try:
            self._describe()
        except FeedError as error:
            self._in_care(partial(_raise, error))
        except OSError:
            self._hand_over.give_back(taken)
            raise

    def _put(self, taken: list[Rows]) -> None:
        """Write rows; raise OSError and give back what the disk did not take."""
        for place, rows in enumerate(taken):
            records = list(rows.records())
            self._rest, before = records.copy(), self._writer.end
            try:
                self._write_rest()
            except OSError:
                rest = rows._replace(records=partial(_same, self._rest), amount=len(self._rest))
                self._hand_over.give_back([rest, *taken[place + 1 :]])
                raise
            self._upkeep.written(before, records)
            self._take_note(rows)
            try:
                self._force_fork(rows, self._writer.end - len(records), records)
            except OSError:
                self._hand_over.give_back(taken[place + 1 :])
                raise

    def _force_fork(self, rows: Rows, first: int, records: list[Record]) -> None:
        """Force a fork to the disk: without it, a later process could take what lies in a branch for the
        order. Raises OSError; if the system did not keep it, it is written again with the next log."""
        if not any(flags & FORK for *_, flags, _ in records):
            return
        made = enumerate(map(Record._make, records), first)
        self._forks[rows.series] = [(at, record) for at, record in made if record.flags & FORK][-1]
        self._writer.sync()
        self._forks.clear()

    def _take_note(self, rows: Rows) -> None:
        """Note the last number of a series. The series that were used last stay."""
        series = rows.series
        self._positions.pop(series, None)
        self._positions[series], self._objects[series] = rows.position, rows.object
        if len(self._positions) > _SERIES_MOST:
            oldest = next((each for each in self._positions if each.author), None)
            if oldest is not None:
                del self._positions[oldest]
                self._objects.pop(oldest, None)

    def _write_rest(self) -> None:
        while self._rest:
            before = self._writer.end
            try:
                self._writer.extend(self._rest)
            except BadRecordError:
                self._rest = self._rest[self._writer.end - before :]
                self._write_singly()
            except OSError:
                self._rest = self._rest[self._writer.end - before :]
                raise
            else:
                self._rest = []

    def _write_singly(self) -> None:
        """Write records of which some are bad, with a gap in place of each of those."""
        while self._rest:
            bad = Record(*self._rest[0])
            try:
                self._writer.append(bad)
            except BadRecordError as error:
                why = str(error)
                author = bad.author if bad.channel in self._by_author else ""
                gap = gap_record(bad.object, bad.channel, bad.serial, bad.serial, why, author)
                try:
                    self._writer.append(gap)
                except BadRecordError:  # its names are bad
                    self._in_care(partial(_raise, error))
            del self._rest[0]

    def _look(self) -> None:
        """Look at the disk and the limits, and note where the log is."""
        self._count()
        most = self._limits.most_bytes
        if most is not None and self.status.size >= most:
            self._writer.sync()
            self._become(Condition.ENDED, f"the limit of {readable_size(most)} is reached")
            return
        free = self._free(self.folder)
        if free < self._limits.floor:
            why = f"the disk has {readable_size(free)} left"
            self._pause(f"{why}; {readable_size(self._limits.floor)} stay free")
        elif self._clock() >= self._note_at:
            self._note_at = self._clock() + _POSITIONS_EVERY
            self._in_care(self._keep_in_order)
            if self._positions != self._noted:
                self._writer.sync()
                self._note()

    def _keep_in_order(self) -> None:
        """Seal finished files, and delete the oldest beyond the limits; whole files go."""
        files = segment_files(self.folder)
        if files and files[-1].first != self._sealed:
            self._sealed = files[-1].first
            self._writer.seal()
        wanted = self._upkeep.retain(self._writer, self.channels)
        if wanted:
            self._want_states(wanted)

    def _count(self) -> None:
        size, records = size_of(self.folder), self._writer.end - self._begun_at
        self.status = replace(self.status, size=size, records=records, lost=self._hand_over.lost)

    def _describe(self) -> None:
        job = self._describing
        if job is not None:
            try:
                job()
            except FeedError:
                self._describing = None  # it fails again until it is another one
                raise
            if job is self._describing:
                self._describing = None

    def _note(self) -> None:
        noted = self._positions.copy()
        write_positions(self.folder, self._writer.log, self._writer.durable, noted)
        self._noted = noted

    def _pause(self, why: str) -> None:
        """Wait until the disk takes data again, or the recording ends."""
        self._become(Condition.PAUSED, why)
        while not self._hand_over.wait_closed(_LOOK_EVERY):
            try:
                if self._free(self.folder) < self._limits.floor:
                    continue
                if self._writer.has_failed:
                    self._open_again()
                self._writer.sync()
            except (OSError, LockedError):
                continue
            self._become(Condition.RECORDS, "")
            return

    def _open_again(self) -> None:
        """Open the log after records were not forced to the disk; a gap takes the place of those that are
        gone. Raises OSError."""
        before = self._writer.end
        self._writer.close_files()
        self._writer = LogWriter(self.folder, segment_bytes=_segment_bytes(self._limits))
        self._begun_at -= before - self._writer.end
        there, end = read_positions(self.folder, self._by_author), self._writer.end
        for series, position in self._positions.items():
            known = there.get(series, Position(0, b"")).serial
            at, fork = self._forks.get(series, (0, None))
            if fork is not None and at >= end and fork.serial < known:
                self._writer.append(fork)
                known = fork.serial
            if known < position.serial:
                name, (channel, author) = self._objects.get(series, ""), series
                self._writer.append(
                    gap_record(name, channel, known + 1, position.serial, _NOT_FORCED, author)
                )

    def _become(self, condition: Condition, why: str) -> None:
        if (condition, why) != (self.status.condition, self.status.why):
            self.status = replace(self.status, condition=condition, why=why, lost=self._hand_over.lost)
            self._changed(self.status)


def _raise(error: Exception) -> None:
    raise error


def _same(records: list[Record]) -> list[Record]:
    return records


def _segment_bytes(limits: Limits) -> int:
    """Return the size of files, small enough that the oldest one of a small log can go."""
    most = limits.keep_bytes
    return SEGMENT_BYTES if most is None else max(_SEGMENT_LEAST, min(SEGMENT_BYTES, most // FILES_KEPT))


def free_bytes(folder: Path) -> int:
    """Return the bytes that are free for us on the disk of a folder; raise OSError."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize
