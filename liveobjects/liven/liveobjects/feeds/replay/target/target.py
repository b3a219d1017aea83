"""The interface of a target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from liven.liveobjects.feeds.replay.rows import Event


class Target(Protocol):
    """The receiver of a replay's events."""

    @property
    def has_room(self) -> bool:
        """False while it takes no more events; the replay waits then, and goes on from where it is."""

    def deliver(self, events: Sequence[Event]) -> None:
        """Receive the next events; raise ReplayError if that is not possible any more."""

    def rebuild(self, at: int) -> Iterator[None]:
        """Get to the state after exactly the selected records before sequence `at`.

        The work is done in parts of some milliseconds, one for each step of the iterator. A target without a
        state does nothing.
        """

    def close(self) -> None:
        """Release everything."""
