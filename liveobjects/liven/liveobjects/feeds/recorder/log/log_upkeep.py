"""Deleting the oldest records of a recording, and never the only state of an object that can still give one.

A file of a quiet object may hold all that is known of it. Before such a file goes, states are asked for, and
the file stays until they are written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.record import CHECKPOINT, Record
from liven.liveobjects.feeds.recorder.log.limits import Limits
from liven.liveobjects.feeds.recorder.log.marks import now
from liven.liveobjects.feeds.segment.file_index import FileIndex
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.segment_files import segment_files
from liven.liveobjects.feeds.segment.writer import LogWriter

FILES_KEPT: Final = 8
"""Files in which a log of limited size or age is kept: an eighth of it goes at once."""
STATES_WITHIN: Final = 60.0
"""Seconds that a file waits for states. The disk must not fill because nobody is there who has one."""


class LogUpkeep:
    """The limits of one log."""

    def __init__(self, folder: Path, limits: Limits, clock: Callable[[], float]) -> None:
        self._folder = folder
        self._limits = limits
        self._clock = clock
        self._states: dict[str, int] = {}
        """For each channel, a sequence at or before that of its last state."""
        self._latest = 0
        """The latest time of a record: a clock that is set ahead makes nothing older."""
        self._file: tuple[int, float] | None = None
        """The first sequence of the last file, and when it was seen first."""
        self._waits: tuple[int, float] | None = None
        """The first sequence of the file that waits for states, and since when."""
        self._content: tuple[tuple[int, int], frozenset[str]] | None = None
        """The bounds of that file, and the channels in it."""

    def written(self, begin: int, records: Sequence[Record]) -> None:
        """Note records that were written from a sequence on."""
        if records:
            self._latest = max(self._latest, records[-1][0])
            states = {record[3] for record in records if record[7] & CHECKPOINT}
            self._states.update(dict.fromkeys(states, begin))

    def retain(self, writer: LogWriter, channels: frozenset[str]) -> frozenset[str]:
        """Delete the oldest files beyond the limits. Return those of `channels` whose states are needed
        before the next one may go. Raises OSError or FeedError."""
        most, age = self._limits.keep_bytes, self._limits.keep_seconds
        if most is None and age is None:
            return frozenset()
        if age is not None:
            self._begin_file(writer, age / FILES_KEPT)
        wanted: set[str] = set()

        def may_go(index: FileIndex) -> bool:
            wanted.clear()
            wanted.update(self._without_state(index, channels))
            return not wanted or self._has_waited(index)

        oldest = None if age is None else min(now(), self._latest) - int(age * 1e6)
        writer.retain(most_bytes=most, oldest=oldest, may_go=may_go)
        return frozenset(wanted)

    def _begin_file(self, writer: LogWriter, seconds: float) -> None:
        """Begin a file in time, so that whole files become too old."""
        files = segment_files(self._folder)
        if not files:
            return
        first, at = files[-1].first, self._clock()
        if self._file is None or self._file[0] != first:
            self._file = first, at
        elif at >= self._file[1] + seconds:
            writer.begin_file()

    def _without_state(self, index: FileIndex, channels: frozenset[str]) -> set[str]:
        """Return the channels in a file that have no later state."""
        bounds = index.file.first, index.end
        if self._content is None or self._content[0] != bounds:
            self._content = bounds, self._channels_in(index)
        there = self._content[1] & channels
        return {name for name in there if self._states.get(name, -1) < index.end}

    def _channels_in(self, index: FileIndex) -> frozenset[str]:
        found: set[str] = set()
        for block in Log(self._folder).blocks(index.file.first, index.end, on_damage=_ignore):
            found.update(block.channel.table)
        return frozenset(found)

    def _has_waited(self, index: FileIndex) -> bool:
        at = self._clock()
        if self._waits is None or self._waits[0] != index.file.first:
            self._waits = index.file.first, at
        return at >= self._waits[1] + STATES_WITHIN


def _ignore(_: FeedError) -> None:
    """Go on behind damage."""
