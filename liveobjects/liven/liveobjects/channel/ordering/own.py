"""The operations of this member: from the moment they are submitted until they are stable.

An own number is given once, when the operation is submitted, and is its ticket. It is never given again, in
no history and in no later life: so whoever sees a number in a history knows which operation it is. What
leaves the list leaves it at its beginning, so the rest is always consecutive.
"""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import Final

PENDING_MOST: Final = 131_072
SENT_MOST: Final = 16_384
"""Own operations that are under way without a number; more wait here and not at the others."""
PENDING_BYTES: Final = 64 * 1024 * 1024
LIFE: Final = 1 << 32
"""How many numbers each life of an author has for itself."""


class ChannelBusyError(Exception):
    """Too many own operations wait for their place in the order. Nothing was taken; try again later."""


class Own:
    """Own operations: first those with a place in the order that are not stable, then those without."""

    def __init__(self, last: int = 0) -> None:
        self._ordered: deque[bytes] = deque()
        self._pending: deque[bytes] = deque()
        self._places: deque[tuple[int, int]] = deque()
        self._bytes = 0
        self.last = last
        """The number of the last that was submitted."""
        self.sent = 0
        """How many were sent in this regime."""
        self._unordered = 0

    def __len__(self) -> int:
        return len(self._ordered) + len(self._pending)

    @property
    def pending(self) -> int:
        """How many have no place in the order."""
        return len(self._pending)

    @property
    def unsent(self) -> bool:
        """Whether more may be sent now."""
        return self._unordered < len(self._pending) and self._unordered < SENT_MOST

    @property
    def first_pending(self) -> int:
        """The own number of the first without a place."""
        return self.last - len(self._pending) + 1

    def submit(self, payload: bytes) -> int:
        """Takes an operation; ChannelBusyError when too much waits."""
        if len(self) >= PENDING_MOST or (len(self) and self._bytes + len(payload) > PENDING_BYTES):
            raise ChannelBusyError(f"{len(self)} own operations ({self._bytes} bytes) are not stable yet")
        self.last += 1
        self._bytes += len(payload)
        self._pending.append(payload)
        return self.last

    def next_batch(self, most: int, size: int) -> tuple[int, list[bytes]]:
        """The next to send, within bounds but at least one, with the own number of the first."""
        first, batch, total = self.first_pending + self._unordered, list[bytes](), 0
        most = min(most, SENT_MOST - self._unordered)
        for payload in islice(self._pending, self._unordered, self._unordered + max(0, most)):
            total += len(payload)
            if batch and total > size:
                break
            batch.append(payload)
        self._unordered += len(batch)
        self.sent += len(batch)
        return first, batch

    def was_ordered(self, number: int, first: int, count: int) -> int | None:
        """Own operations got the places from `number` on; the ticket of the first, None if they are of an
        earlier life."""
        if first != self.first_pending or count > len(self._pending):
            return None
        self._places.append((number + count - 1, first + count - 1))
        for _ in range(count):
            self._ordered.append(self._pending.popleft())
        self._unordered = max(0, self._unordered - count)
        return first

    def is_confirmed(self, number: int) -> bool:
        """Whether `was_confirmed` would find something."""
        return bool(self._places) and self._places[0][0] <= number

    def was_confirmed(self, number: int) -> int | None:
        """All places up to `number` are stable; the last own ticket in them."""
        ticket = None
        while self._places and self._places[0][0] <= number:
            ticket = self._places.popleft()[1]
        if ticket is not None:
            for _ in range(max(0, ticket - self.first_pending + 1 + len(self._ordered))):
                self._bytes -= len(self._ordered.popleft())
        return ticket

    def begin(self) -> None:
        """A regime begins: what has no place is sent again."""
        self._unordered = self.sent = 0

    def turn(self, mark: int, number: int, *, again: bool) -> tuple[range, range]:
        """Another history goes on, at place `number`, in which are the own operations up to `mark`.

        Those beyond are pending again; without `again`, those that had a place stay where they are: in the
        branch. Returns the tickets that the other history has, and those left in the branch."""
        first = self.last - len(self) + 1
        left = range(first, first) if again else range(first, self.first_pending)
        beyond = max(left.stop, min(mark, self.last) + 1)
        entries = [*self._ordered, *self._pending]
        self._ordered = deque(entries[left.stop - first : beyond - first])
        self._places = deque([(number, beyond - 1)] if self._ordered else [])
        self._pending = deque(entries[beyond - first :])
        self._bytes = sum(map(len, entries[left.stop - first :]))
        self.begin()
        return range(left.stop, beyond), left
