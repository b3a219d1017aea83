"""When a replica compares its state with those of others: at agreed numbers, and at marks in the order."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from liven.liveobjects.channel.replica import wire
from liven.liveobjects.channel.replica.comparison.agreement import Agreement, Replayed, Result

COMPARE_EVERY: Final = 1000
"""After how many operations states are compared."""
MARK_AFTER: Final = 10.0
"""How long after an operation, where there are fewer."""
_PLACES_MOST: Final = 16


class Comparing:
    """The comparisons of one member."""

    __slots__ = ("_agreement", "_mark_at", "_marks", "_me", "_places", "every")

    def __init__(self, me: bytes, every: int) -> None:
        self.every = every
        """After how many operations states are compared; 0 is never."""
        self._me = me
        self._agreement = Agreement(me)
        self._places: dict[int, bytes] = {}
        """The chain hash at each number of which the state is being put into a digest."""
        self._mark_at: float | None = None
        self._marks = False
        """Whether this member places the next mark, though it does not order."""

    @property
    def wake(self) -> float | None:
        """When `is_mark_due` or `judge` is next wanted."""
        judge, mark = self._agreement.wake, self._mark_at
        return mark if judge is None or (mark is not None and mark < judge) else judge

    def applied(self, now: float) -> None:
        """Objects applied something: where nothing else makes states be compared, a mark does in a while."""
        if self.every and self._mark_at is None:
            self._mark_at = now + MARK_AFTER

    def again(self, now: float) -> None:
        """All compare once more in a while, as this member sees to."""
        self._mark_at, self._marks = now + MARK_AFTER, True

    def is_mark_due(self, now: float, *, orders: bool) -> bool:
        """Whether this member is to place a mark now; `orders` says whether it gives the numbers."""
        if self._mark_at is None or now < self._mark_at:
            return False
        self._mark_at = None
        due, self._marks = orders or self._marks, False
        return due

    def is_at(self, number: int, *, marked: bool) -> bool:
        """Whether states are compared after an operation."""
        return bool(self.every) and (marked or number % self.every == 0)

    def begin(self, number: int, chain: bytes) -> None:
        """They are, at this number."""
        self._mark_at = None
        self._places[number] = chain
        while len(self._places) > _PLACES_MOST:
            del self._places[min(self._places)]

    def digest(self, number: int, digest: bytes) -> wire.Digest | None:
        """What this member says of its state there; None if that does not count any more."""
        chain = self._places.pop(number, None)
        return None if chain is None else wire.Digest(self._me, number, chain, digest)

    def heard(self, said: wire.Digest | wire.Log, now: float) -> None:
        """A member says what its state is, or what came of its log."""
        if isinstance(said, wire.Digest):
            self._agreement.put(said.author, said.number, said.chain, said.digest, now)
        else:
            self._agreement.put_replayed(said.author, said.number, Replayed(said.outcome))

    def judge(self, members: Collection[bytes], now: float) -> list[Result]:
        """What follows of what the members of a view said so far."""
        return self._agreement.judge(members, members, now)

    def forget(self) -> None:
        """The state here is another from now on: what was said of it does not count."""
        self._agreement.forget()
        self._places.clear()

    def begin_anew(self) -> None:
        """Another history goes on here: what was said of the one before does not count."""
        self._agreement = Agreement(self._me)
        self._places.clear()
