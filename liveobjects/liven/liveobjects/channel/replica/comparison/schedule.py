"""The schedule of comparisons: at every so many operations, and at marks in the order."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from liven.liveobjects.channel.ordering import EntryKind, Seat
from liven.liveobjects.channel.replica import wire
from liven.liveobjects.channel.replica.comparison.agreement import Agreement, Replayed, Result

COMPARE_EVERY: Final = 1000
"""States are compared after every so many operations."""
MARK_AFTER: Final = 10.0
"""Seconds from an operation to a mark, if fewer operations follow."""
_PLACES_MOST: Final = 16


class ComparisonSchedule:
    """The comparisons of one member."""

    __slots__ = ("_agreement", "_mark_at", "_marks", "_me", "_places", "every")

    def __init__(self, me: bytes, every: int) -> None:
        self.every = every
        """Number of operations between comparisons; 0 for never."""
        self._me = me
        self._agreement = Agreement(me)
        self._places: dict[int, bytes] = {}
        """The chain hash at each number whose digest is being computed."""
        self._mark_at: float | None = None
        self._marks = False
        """True if this member places the next mark although it does not order."""

    @property
    def wake(self) -> float | None:
        """The time at which `is_mark_due` or `judge` is next needed."""
        judge, mark = self._agreement.wake, self._mark_at
        return mark if judge is None or (mark is not None and mark < judge) else judge

    def applied(self, now: float) -> None:
        """Record that objects applied operations, and schedule a mark in case no number triggers a
        comparison."""
        if self.every and self._mark_at is None:
            self._mark_at = now + MARK_AFTER

    def again(self, now: float) -> None:
        """Schedule another comparison, started by this member."""
        self._mark_at, self._marks = now + MARK_AFTER, True

    def is_mark_due(self, now: float, *, orders: bool) -> bool:
        """True if this member should place a mark now. `orders` is true for the orderer."""
        if self._mark_at is None or now < self._mark_at:
            return False
        self._mark_at = None
        due, self._marks = orders or self._marks, False
        return due

    def is_at(self, number: int, *, marked: bool) -> bool:
        """True if states are compared after this operation."""
        return bool(self.every) and (marked or number % self.every == 0)

    def begin(self, number: int, chain: bytes) -> None:
        """Begin a comparison at this number."""
        self._mark_at = None
        self._places[number] = chain
        while len(self._places) > _PLACES_MOST:
            del self._places[min(self._places)]

    def digest(self, number: int, digest: bytes) -> wire.Digest | None:
        """Return the digest message for a number; None if it no longer counts."""
        chain = self._places.pop(number, None)
        return None if chain is None else wire.Digest(self._me, number, chain, digest)

    def heard(self, said: wire.Digest | wire.ReplayResult, now: float) -> None:
        """Record a member's digest or replay result."""
        if isinstance(said, wire.Digest):
            self._agreement.put(said.author, said.number, said.chain, said.digest, now)
        else:
            self._agreement.put_replayed(said.author, said.number, Replayed(said.outcome))

    def seated(self, seats: Iterable[Seat]) -> None:
        """Drop the digests of members that begin with another history in a new view."""
        self._agreement.drop(seat.author for seat in seats if seat.part is EntryKind.BEGINS)

    def judge(self, members: Collection[bytes], now: float) -> list[Result]:
        """Return the findings so far for the members of a view."""
        return self._agreement.judge(members, members, now)

    def forget(self) -> None:
        """Drop the digests of the present state, which was replaced."""
        self._agreement.forget()
        self._places.clear()

    def begin_anew(self) -> None:
        """Start over with another history."""
        self._agreement = Agreement(self._me)
        self._places.clear()
