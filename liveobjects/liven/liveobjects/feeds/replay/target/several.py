"""Several targets that are given the same events, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from liven.liveobjects.feeds.replay.rows import Event
from liven.liveobjects.feeds.replay.target.target import Target


class Several:
    """The targets of one replay, in the order in which they are given each event."""

    def __init__(self, targets: Sequence[Target]) -> None:
        self._targets = tuple(targets)

    @property
    def has_room(self) -> bool:
        return all(target.has_room for target in self._targets)

    def deliver(self, events: Sequence[Event]) -> None:
        for target in self._targets:
            target.deliver(events)

    def rebuild(self, at: int) -> Iterator[None]:
        for target in self._targets:
            yield from target.rebuild(at)

    def close(self) -> None:
        for target in reversed(self._targets):
            target.close()
