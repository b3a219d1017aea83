"""The wait for a state: whom it is asked of, what came of it, and what is ordered meanwhile."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from typing import Final

from liven.liveobjects.channel.history import BEGINNING, Epoch, MalformedError
from liven.liveobjects.channel.ordering import Delivered, Seat
from liven.liveobjects.channel.replica.state_position import Account, Parcel
from liven.liveobjects.channel.replica.state_transfer.slices import Taking

PATIENCE: Final = 3.0
"""How long a member that was asked for its state may be silent."""


def soonest(*times: float | None) -> float | None:
    """The first of some times; None if none is waited for. Asked after each message, so nothing is made."""
    first = None
    for each in times:
        if each is not None and (first is None or each < first):
            first = each
    return first


def speaker(seats: Iterable[Seat], node: int) -> bytes | None:
    """The author whose node this is; None if no seat is its."""
    return next((seat.author for seat in seats if seat.node == node), None)


class Wait:
    """The wait for a state: who was asked, what came of it, and what was ordered meanwhile."""

    def __init__(
        self, account: Account, now: float, right: Collection[bytes] = (), *, lost: bool = False
    ) -> None:
        self.right = right
        """The only ones that may be asked; all, if it is empty."""
        self.lost = lost
        """Whether nothing goes on here without it: it is asked for until somebody has it."""
        self.account = account
        """The books at the cut; at the state's position once that was reached."""
        self.whom: bytes | None = None
        self.serial = 0
        self.until = now + PATIENCE
        self.taking: Taking | None = None
        self.rounds = 0
        """How often all were asked in vain."""
        self._asked: list[bytes] = []
        self._why = ""
        self._buffered: deque[tuple[Delivered, Epoch | None]] = deque()
        self._cut = account.copy()

    def ask(self, able: list[bytes], serial: int, now: float) -> bytes | None:
        """Whom to ask: those that were not asked in this round come first."""
        fresh = [each for each in able if each not in self._asked]
        if not fresh:
            self._asked, fresh = [], able
            self.rounds += 1
        self.whom = fresh[0] if fresh else None
        if self.whom is not None:
            self._asked.append(self.whom)
        self.serial, self.taking, self.until = serial, None, now + PATIENCE
        return self.whom

    def able(self, seats: Iterable[Seat], me: bytes) -> list[bytes]:
        """Those who can be asked, in the order of their seats."""
        others = [seat for seat in seats if seat.author != me]
        if self.right:
            return [seat.author for seat in others if seat.author in self.right]
        return [seat.author for seat in others if seat.complete]

    def is_spent(self, able: Collection[bytes]) -> bool:
        """Whether all who can be asked were, in this round."""
        return all(each in self._asked for each in able)

    def is_news(self, why: str) -> bool:
        """Whether this reason to refuse a state is another than the last."""
        before, self._why = self._why, why
        return why != before

    def postpone(self, now: float, seconds: float = 0.1) -> None:
        """Who was asked cannot: the next is asked soon."""
        self.until = now + seconds
        self.taking = None

    @property
    def whole(self) -> bool:
        """Whether all of a state is here."""
        return self.taking is not None and self.taking.whole

    def put(self, delivered: Delivered, epoch: Epoch | None) -> None:
        """What was ordered meanwhile."""
        self._buffered.append((delivered, epoch))

    def complete(self) -> Parcel | None:
        """The state, once it and what precedes it are here; MalformedError if it is of another history."""
        if self.taking is None or not self.taking.whole:
            return None
        position = self.taking.head.position
        account = self._cut.copy()
        if position.number < account.position.number:
            raise MalformedError("the state is older than what was asked for")
        for delivered, epoch in self._buffered:
            if delivered.run.last <= position.number:
                account.add(delivered.run, epoch)
        if account.position.number < position.number:
            return None
        if account.position.chain != position.chain and position != BEGINNING:
            raise MalformedError("the state is of another history")
        parcel = Parcel.unpacked(self.taking.state())
        self.account = account
        return parcel

    def following(self) -> list[tuple[Delivered, Epoch | None]]:
        """What was ordered after the state."""
        number = self.account.position.number
        return [each for each in self._buffered if each[0].run.last > number]
