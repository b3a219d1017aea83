"""The place where a recording begins to tell of something: after the states of what stood there before."""

from __future__ import annotations

from typing import Final

from liven.liveobjects.feeds.record import CHECKPOINT
from liven.liveobjects.feeds.replay.options import Window, whole
from liven.liveobjects.feeds.replay.place import Place
from liven.liveobjects.feeds.replay.source.source import Source

_MOST: Final = 100_000
"""Most states at the beginning: one for each object of the largest desktop, and then some."""


def opening_of(source: Source) -> int:
    """Return the sequence after the states with which a recording begins, at most one of each channel, and
    after the operations without an author that came with them."""
    seen: set[str] = set()
    for rows in source.rows(source.begin, min(source.begin + _MOST, source.end)):
        for event in rows.for_objects().events():
            record = event.record
            is_first = record.channel not in seen
            if is_first != bool(record.flags & CHECKPOINT) or (record.author and not is_first):
                return event.sequence
            seen.add(record.channel)
    return min(source.begin + _MOST, source.end)


def opened(source: Source) -> Window:
    """Return the window of everything that is recorded, in whose first moment the objects stand that were
    there before."""
    window = whole(source)
    return Window(Place(opening_of(source), window.begin.time), window.end)
