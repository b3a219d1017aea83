"""What one member has sent in a regime and nobody has numbered yet."""

from __future__ import annotations

from collections import deque


class Inbox:
    """The operations of one sender, in its order.

    In one regime they are consecutive; the first may be any that is above its mark, as what stayed in a
    branch leaves a gap."""

    __slots__ = ("_batches", "_taken", "arrived", "author", "delivered", "first", "through")

    def __init__(self, author: bytes, mark: int) -> None:
        self.author = author
        self.first = mark + 1
        """The author's number of the next operation to be delivered; before any came, the least it can be."""
        self.arrived = self.delivered = 0
        """How many came, and were delivered, in this regime."""
        self.through = 0
        """How many are named by orders; they may not have come yet."""
        self._batches: deque[list[bytes]] = deque()
        self._taken = 0

    @property
    def last(self) -> int:
        """The number of the last that came."""
        return self.first + self.arrived - self.delivered - 1

    def follows(self, first: int) -> bool:
        """Whether an operation with this number can be the next."""
        return first == self.last + 1 or (not self.arrived and first > self.last)

    def put(self, first: int, payloads: list[bytes]) -> None:
        """Files what came, and follows."""
        if not self.arrived:
            self.first = first
        self._batches.append(payloads)
        self.arrived += len(payloads)

    def take(self, most: int) -> list[bytes]:
        """The next operations, at most so many, as far as they came in one batch."""
        if not self._batches:
            return []
        batch = self._batches[0]
        end = min(self._taken + most, len(batch))
        taken = batch if not self._taken and end == len(batch) else batch[self._taken : end]
        if end == len(batch):
            self._batches.popleft()
            self._taken = 0
        else:
            self._taken = end
        self.first += len(taken)
        self.delivered += len(taken)
        return taken

    def waiting(self) -> list[bytes]:
        """All that were not taken."""
        left = [payload for batch in self._batches for payload in batch]
        return left[self._taken :]
