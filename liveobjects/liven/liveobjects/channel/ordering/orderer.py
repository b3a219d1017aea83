"""The member who gives the numbers: what it adds to the order, and when another should.

Nothing is sent for the order alone while the orderer has operations of its own to send: the numbers travel
with them. When nearly everything comes from one other member, that one orders from then on, so that a single
sender needs no second message for its operations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from liven.liveobjects.channel.history import Session
from liven.liveobjects.channel.ordering.messages import BATCH_MOST, Order

WINDOW: Final = 65_536
"""Operations that may be numbered and not settled; then the order waits for the slowest member."""
WINDOW_BYTES: Final = 64 * 1024 * 1024
_JUDGED_OVER: Final = 256
_BUSY_SHARE: Final = 0.9


class Orderer:
    """Gives numbers from some sequence on; ends when a successor was named."""

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

    def saw(self, place: int, arrived: int) -> None:
        """So many operations of a member are here in this regime, or leave from here now."""
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
        """Whether there is something to number."""
        return bool(self._runs)

    def order(self, room: int, able: Sequence[bool], session: Session | None) -> Order | None:
        """The next numbers, at most `room`; `able` says who could order. None if nothing is to say."""
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
        """Another member, if nearly all of the last operations were its own."""
        if self._judged < _JUDGED_OVER:
            return None
        busiest = max(range(len(self._shares)), key=self._shares.__getitem__)
        share = self._shares[busiest] / self._judged
        self._shares = [0] * len(self._shares)
        self._judged = 0
        return busiest if share >= _BUSY_SHARE and busiest != self._me and able[busiest] else None
