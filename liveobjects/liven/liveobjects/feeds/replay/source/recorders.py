"""The recorders of a feed as one source: the log of the only one, or the logs of several together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TypeAlias

from liven.liveobjects.feeds.errors import DamagedError
from liven.liveobjects.feeds.replay.source.merged_logs import MergedLogs, Origin
from liven.liveobjects.feeds.replay.source.segment_log import SegmentLog
from liven.liveobjects.feeds.segment.reader import Log

Recorded: TypeAlias = SegmentLog | MergedLogs


def recorded(
    folders: Sequence[Path],
    by_author: Collection[str] = (),
    on_damage: Callable[[DamagedError], object] = lambda _: None,
) -> Recorded:
    """Return what these recorders have, each record once; raise FeedError or OSError. The channels in
    `by_author` have no order."""
    logs = [Log(folder) for folder in folders]
    return SegmentLog(logs[0], on_damage) if len(logs) == 1 else MergedLogs(logs, by_author, on_damage)


def origin_of(source: Recorded, recorder: str, sequence: int) -> Origin:
    """Return the recorder and the number there of the record at a place; `recorder` is the only one."""
    return source.origin(sequence) if isinstance(source, MergedLogs) else Origin(recorder, sequence)


def sequence_of(source: Recorded, origin: Origin) -> int:
    """Return the place of a record by its recorder and its number there."""
    return source.sequence_of(origin) if isinstance(source, MergedLogs) else origin.sequence
