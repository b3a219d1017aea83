"""The author of what happened last before a place of a recording."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.record import CHECKPOINT
from liven.liveobjects.feeds.replay.rows import AUTHOR
from liven.liveobjects.feeds.replay.source.source import Source

_MOST_LOOKED: Final = 64
"""Records before a place among which an event is looked for: states and notes have no author."""


class MomentAuthor:
    """Finds the names of authors, and remembers the last answer: a replay asks again for each picture."""

    def __init__(self, names: Mapping[str, str]) -> None:
        """`names` are those of the authors, by their ids."""
        self._names = names
        self._sequence = -1
        self._found = ""

    def at(self, source: Source, sequence: int) -> str:
        """Return the name of who did what happened last before a sequence; empty if it is not known."""
        if sequence != self._sequence:
            self._sequence = sequence
            self._found = self._names.get(_author_before(source, sequence), "")
        return self._found


def _author_before(source: Source, sequence: int) -> str:
    try:
        for rows in source.rows_back(max(source.begin, sequence - _MOST_LOOKED), sequence):
            events = rows.for_objects()
            events = events.where((events.flags & CHECKPOINT) == 0)
            if len(events):
                names = events.names[AUTHOR]
                return names.table[int(names.codes[-1])]
    except (FeedError, OSError):
        pass  # the replay tells what cannot be read
    return ""
