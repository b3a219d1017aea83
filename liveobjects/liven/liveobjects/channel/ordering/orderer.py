"""The orderer: the member that numbers operations, and when it hands this over to another.

Numbers travel with the orderer's own operations while it has any, so the order alone costs no messages. When
nearly all operations come from one other member, that member becomes the orderer. A single sender then needs
no second message for its operations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from liven.liveobjects.channel.history import Session
from liven.liveobjects.channel.ordering.messages import BATCH_MOST, Order

WINDOW: Final = 65_536
"""Operations that may be numbered but not yet in all logs; beyond it, the order waits for the slowest
member."""
WINDOW_BYTES: Final = 64 * 1024 * 1024
_JUDGED_OVER: Final = 256
"""Operations after which the shares of the members are compared."""
_BUSY_SHARE: Final = 0.9
"""The share of operations with which another member becomes the orderer."""


class Orderer:
    """Assigns numbers from some sequence on, until it names a successor."""

    __slots__ = (
        "_judged",
        "_me",
        "_runs",
        "_sequence",
        "_shares",
        "_through",
        "ended",
    )

    def __init__(self, sequence: int, me: int, through: Sequence[int]) -> None:
        self._sequence = sequence
        self._me = me
        self._through = list(through)
        self._runs: list[int] = []
        self._shares = [0] * len(self._through)
        self._judged = 0
        self.ended = False

    def count_arrived(self, place: int, arrived: int) -> None:
        """Record how many operations of a member have arrived or been sent in this view."""
        count = arrived - self._through[place]
        if count <= 0:
            return
        self._through[place] = arrived
        if self._runs and self._runs[-2] == place:
            self._runs[-1] += count
        else:
            self._runs += (place, count)
        self._shares[place] += count
        self._judged += count

    @property
    def waiting(self) -> bool:
        """True if operations wait for a number."""
        return bool(self._runs)

    def order(self, room: int, able: Sequence[bool], session: Session | None) -> Order | None:
        """Return the next numbers, at most `room`; None if there is nothing to say. `able` marks possible
        orderers."""
        runs = self._take(room)
        successor = None if self._runs or session is not None else self._successor(able)
        if not runs and session is None:
            return None
        order = Order(self._sequence, runs, successor, session)
        self._sequence += 1
        self.ended = successor is not None
        return order

    def _take(self, room: int) -> tuple[int, ...]:
        taken: list[int] = []
        while self._runs and room > 0 and len(taken) < BATCH_MOST:
            count = min(self._runs[1], room)
            taken += (self._runs[0], count)
            room -= count
            if count == self._runs[1]:
                del self._runs[:2]
            else:
                self._runs[1] -= count
        return tuple(taken)

    def _successor(self, able: Sequence[bool]) -> int | None:
        """Return the member that sent nearly all recent operations, if it is another one."""
        if self._judged < _JUDGED_OVER:
            return None
        busiest = max(range(len(self._shares)), key=self._shares.__getitem__)
        share = self._shares[busiest] / self._judged
        self._shares = [0] * len(self._shares)
        self._judged = 0
        return busiest if share >= _BUSY_SHARE and busiest != self._me and able[busiest] else None
