"""The progress of all members of an open view, counted only as far as their history is proved to be this one.

A member reports the number up to which its log is complete, with the chain hash there. If the hash differs, a
message changed on its way, or a member errs: its log has another operation somewhere, so what it reports must
not confirm anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from liven.liveobjects.channel.ordering.messages import Progress
from liven.liveobjects.channel.ordering.opening.decision import Seat
from liven.liveobjects.channel.ordering.operations.delivered_log import DeliveredLog


class ProvenProgress:
    """The progress of each member by place."""

    __slots__ = ("_ahead", "_past", "of")

    def __init__(self, past: DeliveredLog, seats: Sequence[Seat]) -> None:
        self.of = [Progress(0, 0, seat.complete, False, stores=seat.stores) for seat in seats]
        """The last report of each member, with the number up to which it is proved."""
        self._past = past
        self._ahead: dict[int, list[tuple[int, bytes]]] | None = None
        """For each place, numbers that this member has not reached: the first reported one, and the last."""

    def put(self, place: int, told: Progress) -> None:
        """Record a report. It is proved by `prove`."""
        before = self.of[place].number
        self.of[place] = told._replace(number=min(before, told.number), chain=b"")
        if told.number > before:
            ahead = self._ahead.get(place, []) if self._ahead is not None else []
            ahead[1:] = [(told.number, told.chain)]
            self._keep(place, ahead)
        elif self._ahead is not None:
            self._keep(place, [])

    def prove(self) -> list[int]:
        """Check the reports up to what this member has itself. Return the places of members with another
        history."""
        return [] if self._ahead is None else [place for place in [*self._ahead] if not self._prove(place)]

    def _prove(self, place: int) -> bool:
        assert self._ahead is not None
        ahead = self._ahead[place]
        while ahead and ahead[0][0] <= self._past.number:
            number, chain = ahead[0]
            own = self._past.chain_at(number)
            if chain and own is not None and own != chain:
                return False
            del ahead[0]
            self.of[place] = self.of[place]._replace(number=number)
        self._keep(place, ahead)
        return True

    def _keep(self, place: int, ahead: list[tuple[int, bytes]]) -> None:
        if ahead:
            if self._ahead is None:
                self._ahead = {}
            self._ahead[place] = ahead
        elif self._ahead is not None:
            self._ahead.pop(place, None)
            self._ahead = self._ahead or None
