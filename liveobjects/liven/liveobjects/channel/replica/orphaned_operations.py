"""Orphaned operations: left by former replicas of this machine, and submitted by the one that adopted them.

An operation that is in the history already is remembered until it is stable there, as another history may
win.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping

from liven.liveobjects.channel.compact_rows import Rows, with_rows
from liven.liveobjects.channel.history import Operation, retention
from liven.liveobjects.channel.ordering import ChannelBusyError


class OrphanedOperations:
    """The orphaned operations that one replica has adopted."""

    __slots__ = (
        "_place",
        "all",
    )

    def __init__(self, operations: Iterable[Operation]) -> None:
        self.all: Rows[Operation] = list(operations) or ()
        """Operations that are not settled."""
        self._place = 0

    def missing(
        self, marks: Mapping[bytes, int], branched: Mapping[bytes, int], place: int
    ) -> deque[Operation]:
        """Remove and return operations that must be submitted, and drop those in a branch. The history
        continues at `place` and holds operations up to `marks`."""
        gone = [each for each in self.all if marks.get(each.author, 0) < each.number]
        self.all = [each for each in self.all if marks.get(each.author, 0) >= each.number] or ()
        self._place = place
        return deque(each for each in gone if branched.get(each.author, 0) < each.number)

    def submit_missing(self, missing: deque[Operation], submit: Callable[[bytes], object]) -> None:
        """Submit operations in order, and take back those for which there is no room."""
        try:
            while missing:
                submit(missing[0].payload)
                missing.popleft()
        except ChannelBusyError:
            self.all = with_rows(self.all, missing)

    def stable(self, number: int) -> None:
        """Drop the operations if the place where they are is stable."""
        if number >= self._place:
            self.all = ()


def resubmission_warning(pending: int, marks: Mapping[bytes, int], author: bytes) -> tuple[str, str] | None:
    """Return a warning and advice if an author submits operations that others may have already; None if it is
    certain that they do not."""
    if not pending or not retention.is_forgotten(marks, author):
        return None
    return (
        f"{pending} old operations are submitted again, although others may already have them",
        "check whether anything is there twice",
    )
