"""Operations of replicas that are no more: whoever inherited them brings them in, under its own name.

One that a history has already is kept in mind until it is stable there, as another history may go on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping

from liven.liveobjects.channel.compact_rows import Rows, with_rows
from liven.liveobjects.channel.history import Operation, retention
from liven.liveobjects.channel.ordering import ChannelBusyError


class OrphanedOperations:
    """Those that one replica has to bring in."""

    __slots__ = (
        "_place",
        "all",
    )

    def __init__(self, operations: Iterable[Operation]) -> None:
        self.all: Rows[Operation] = list(operations) or ()
        """Those that are not settled."""
        self._place = 0

    def missing(
        self, marks: Mapping[bytes, int], branched: Mapping[bytes, int], place: int
    ) -> deque[Operation]:
        """Takes out those that are in no history, to be submitted anew, and lets go of what stays in a
        branch. A history goes on from a place, with so much of whom in it."""
        gone = [each for each in self.all if marks.get(each.author, 0) < each.number]
        self.all = [each for each in self.all if marks.get(each.author, 0) >= each.number] or ()
        self._place = place
        return deque(each for each in gone if branched.get(each.author, 0) < each.number)

    def bring_in(self, missing: deque[Operation], submit: Callable[[bytes], object]) -> None:
        """Has them submitted, in their order, and takes back those for which there is no room now."""
        try:
            while missing:
                submit(missing[0].payload)
                missing.popleft()
        except ChannelBusyError:
            self.all = with_rows(self.all, missing)

    def stable(self, number: int) -> None:
        """All up to a place is stable, and with it what was there."""
        if number >= self._place:
            self.all = ()


def doubt(pending: int, marks: Mapping[bytes, int], author: bytes) -> tuple[str, str] | None:
    """What people should know when an author submits again what others may have already, and what to do; None
    where that is certain."""
    if not pending or not retention.is_forgotten(marks, author):
        return None
    return (
        f"{pending} operations of long ago are submitted again, and it is not known whether others have them "
        "already",
        "see whether something is there twice",
    )
