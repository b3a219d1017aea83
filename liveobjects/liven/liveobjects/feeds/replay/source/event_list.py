"""A list of events in memory as a source: for results that fit there, and for tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.replay.rows import Event, Rows, rows_of
from liven.liveobjects.feeds.replay.source.source import BATCH


class EventList:
    """Events in the order of their sequences."""

    complete = True
    failure: FeedError | None = None

    def __init__(self, events: Sequence[Event], *, batch: int = BATCH) -> None:
        self._rows = rows_of(events)
        self._batch = batch

    @property
    def begin(self) -> int:
        return self._rows.first if len(self._rows) else 0

    @property
    def end(self) -> int:
        return self._rows.last + 1 if len(self._rows) else 0

    @property
    def span(self) -> tuple[int, int]:
        if not len(self._rows):
            return 0, 0
        return int(self._rows.received.min()), int(self._rows.received.max())

    def rows(self, first: int, end: int) -> Iterator[Rows]:
        found = self._rows.between(first, end)
        for low in range(0, len(found), self._batch):
            yield found.cut(low, min(low + self._batch, len(found)))

    def rows_back(self, first: int, end: int) -> Iterator[Rows]:
        found = self._rows.between(first, end)
        for high in range(len(found), 0, -self._batch):
            yield found.cut(max(0, high - self._batch), high)

    def sequence_at(self, time: int) -> int:
        later = (self._rows.received >= time).nonzero()[0]
        return int(self._rows.sequence[later[0]]) if len(later) else self.end

    def close(self) -> None:
        """Do nothing: there are no files."""
