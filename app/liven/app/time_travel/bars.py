"""The events of a recording over its time, for the bars behind the slider."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.history.histogram import Histogram, Stretch, histogram, histogram_of_times
from liven.liveobjects.feeds.segment.block_format import RECORDS
from liven.liveobjects.feeds.segment.reader import Log

_EXACTLY: Final = 200_000
"""Records up to which every event is counted at its own time."""


def bars_of(folders: Sequence[Path]) -> Histogram:
    """Return the events in the logs of recorders over time: exactly for few, out of the heads of blocks for
    many. Two recorders count the same event twice."""
    logs = [Log(folder) for folder in folders]
    if sum(log.end - log.begin for log in logs) <= _EXACTLY:
        return histogram_of_times(
            [block.received for log in logs for block in log.blocks(log.begin, log.end, lambda _: None)]
        )
    stretches = [stretch for log in logs for stretch in _stretches(log)]
    if not stretches:
        return histogram((), 0, 0)
    return histogram(stretches, min(one.earliest for one in stretches), max(one.latest for one in stretches))


def _stretches(log: Log) -> list[Stretch]:
    heads = [placed.head for index in log.indexes() for placed in index.blocks]
    return [
        Stretch(head.earliest, head.latest, head.rows)
        for head in heads
        if head.kind == RECORDS and log.begin <= head.first < log.end
    ]
