"""The operations of this member: from the moment they are submitted until they are stable."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import islice
from typing import Final

PENDING_MOST: Final = 131_072
SENT_MOST: Final = 16_384
"""Own operations that are under way without a number; more wait here and not at the others."""
PENDING_BYTES: Final = 64 * 1024 * 1024


class ChannelBusyError(Exception):
    """Too many own operations wait for their place in the order. Nothing was taken; try again later."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An own operation, by the ticket under which it was submitted."""

    ticket: int
    payload: bytes


class Own:
    """Own operations: first those with a number that is not stable, then those without."""

    def __init__(self) -> None:
        self._ordered: deque[Entry] = deque()
        self._pending: deque[Entry] = deque()
        self._places: deque[tuple[int, int]] = deque()
        self._tickets = 0
        self._bytes = 0
        self.done = 0
        """How many own operations are in the history."""
        self._sent = 0

    def __len__(self) -> int:
        return len(self._ordered) + len(self._pending)

    @property
    def pending(self) -> int:
        """How many have no number."""
        return len(self._pending)

    @property
    def sent(self) -> int:
        """The own number of the last that was sent in this regime."""
        return self.done + self._sent

    @property
    def unsent(self) -> int:
        """How many were not sent in this regime."""
        return len(self._pending) - self._sent

    def submit(self, payload: bytes) -> int:
        """Takes an operation; ChannelBusyError when too much waits."""
        if len(self) >= PENDING_MOST or (len(self) and self._bytes + len(payload) > PENDING_BYTES):
            raise ChannelBusyError(f"{len(self)} own operations ({self._bytes} bytes) are not stable yet")
        self._tickets += 1
        self._bytes += len(payload)
        self._pending.append(Entry(self._tickets, payload))
        return self._tickets

    def next_batch(self, most: int, size: int) -> tuple[int, list[bytes]]:
        """The next to send, within bounds but at least one, with the own number of the first."""
        first, batch, total = self.sent + 1, list[bytes](), 0
        most = min(most, SENT_MOST - self._sent)
        for entry in islice(self._pending, self._sent, self._sent + most):
            total += len(entry.payload)
            if batch and total > size:
                break
            batch.append(entry.payload)
        self._sent += len(batch)
        return first, batch

    def was_ordered(self, number: int, first: int, count: int) -> int | None:
        """Own operations got the numbers from `number` on; the ticket of the first, None if they are of an
        earlier life."""
        self._places.append((number + count - 1, first + count - 1))
        if first != self.done + 1 or count > len(self._pending):
            self.done = max(self.done, first + count - 1)
            return None
        ticket = self._pending[0].ticket
        for _ in range(count):
            self._ordered.append(self._pending.popleft())
        self.done += count
        self._sent = max(0, self._sent - count)
        return ticket

    def was_confirmed(self, number: int) -> int | None:
        """All up to `number` is stable; the last own ticket in it."""
        ticket, done = None, 0
        while self._places and self._places[0][0] <= number:
            done = self._places.popleft()[1]
        while self._ordered and self.done - len(self._ordered) < done:
            entry = self._ordered.popleft()
            self._bytes -= len(entry.payload)
            ticket = entry.ticket
        return ticket

    def begin(self) -> None:
        """A regime begins: what has no number is sent again."""
        self._sent = 0

    def turn(self, done: int, *, again: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Another history goes on, in which `done` own operations are.

        Those beyond are pending again; without `again`, those that had a number stay where they are: in the
        branch. Returns the tickets that the other history has, and those left in the branch."""
        included: list[int] = []
        first = self.done - len(self._ordered) + 1
        entries = [*self._ordered, *self._pending]
        numbered = len(self._ordered)
        left: list[int] = []
        stay: deque[Entry] = deque()
        for index, entry in enumerate(entries):
            if index < numbered and not again:
                left.append(entry.ticket)
            elif first + index <= done:
                included.append(entry.ticket)
            else:
                stay.append(entry)
        self._ordered.clear()
        self._places.clear()
        self._pending = stay
        self._bytes = sum(len(entry.payload) for entry in stay)
        self.done = done
        self._sent = 0
        return tuple(included), tuple(left)
