"""Waiting for a state: the members to ask, the state as it arrives, and the operations ordered meanwhile."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from typing import Final

from liven.liveobjects.channel.history import BEGINNING, Epoch, MalformedError
from liven.liveobjects.channel.ordering import Delivered, Seat
from liven.liveobjects.channel.replica.state_position import Parcel, StatePosition
from liven.liveobjects.channel.replica.state_transfer.slices import IncomingState

PATIENCE: Final = 3.0
"""Seconds that an asked member may be silent."""


def earliest(*times: float | None) -> float | None:
    """Return the earliest time; None if there is none. This runs after each message, so it allocates
    nothing."""
    first = None
    for each in times:
        if each is not None and (first is None or each < first):
            first = each
    return first


def author_at(seats: Iterable[Seat], node: int) -> bytes | None:
    """Return the author at a node; None if it has no seat."""
    return next((seat.author for seat in seats if seat.node == node), None)


class StateWait:
    """The wait for one state."""

    def __init__(
        self, state_position: StatePosition, now: float, right: Collection[bytes] = (), *, lost: bool = False
    ) -> None:
        self.right = right
        """The only members that may be asked; empty for all."""
        self.lost = lost
        """True if nothing continues here without the state: it is asked for until a member has it."""
        self.state_position = state_position
        """The position at the cut; later the position of the received state."""
        self.whom: bytes | None = None
        self.serial = 0
        self.until = now + PATIENCE
        self.taking: IncomingState | None = None
        self.rounds = 0
        """Number of times that all members were asked in vain."""
        self._asked: list[bytes] = []
        self._why = ""
        self._buffered: deque[tuple[Delivered, Epoch | None]] = deque()
        self._cut = state_position.copy()

    def ask(self, able: list[bytes], serial: int, now: float) -> bytes | None:
        """Choose the next member to ask, preferring those not yet asked in this round."""
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
        """Return the members that can be asked, in order of their seats."""
        others = [seat for seat in seats if seat.author != me]
        if self.right:
            return [seat.author for seat in others if seat.author in self.right]
        return [seat.author for seat in others if seat.complete]

    def all_asked(self, able: Collection[bytes]) -> bool:
        """True if all of them were asked in this round."""
        return all(each in self._asked for each in able)

    def is_new_reason(self, why: str) -> bool:
        """True if this reason for a rejection differs from the last one."""
        before, self._why = self._why, why
        return why != before

    def postpone(self, now: float, seconds: float = 0.1) -> None:
        """Ask the next member soon, because this one declined."""
        self.until = now + seconds
        self.taking = None

    @property
    def whole(self) -> bool:
        """True if a whole state has arrived."""
        return self.taking is not None and self.taking.whole

    def put(self, delivered: Delivered, epoch: Epoch | None) -> None:
        """Buffer an operation that was ordered meanwhile."""
        self._buffered.append((delivered, epoch))

    def complete(self) -> Parcel | None:
        """Return the state once it and everything before it has arrived. Raises MalformedError for another
        history."""
        if self.taking is None or not self.taking.whole:
            return None
        position = self.taking.head.position
        state_position = self._cut.copy()
        if position.number < state_position.position.number:
            raise MalformedError("the state is older than requested")
        for delivered, epoch in self._buffered:
            if delivered.run.last <= position.number:
                state_position.add(delivered.run, epoch)
        if state_position.position.number < position.number:
            return None
        if state_position.position.chain != position.chain and position != BEGINNING:
            raise MalformedError("the state is of another history")
        parcel = Parcel.unpacked(self.taking.state())
        self.state_position = state_position
        return parcel

    def following(self) -> list[tuple[Delivered, Epoch | None]]:
        """Return the operations ordered after the state."""
        number = self.state_position.position.number
        return [each for each in self._buffered if each[0].run.last > number]
