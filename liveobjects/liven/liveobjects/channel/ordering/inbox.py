"""What one member has sent and nobody has numbered yet."""

from __future__ import annotations

from collections import deque


class Inbox:
    """The operations of one sender, in its order, from the first that has no number on."""

    __slots__ = ("_batches", "_taken", "author", "first", "last", "through")

    def __init__(self, author: bytes, done: int) -> None:
        self.author = author
        self.first = done + 1
        """The number of the next operation to be delivered."""
        self.last = done
        """The number of the last that came."""
        self.through = done
        """The number of the last that an order names; it may not have come yet."""
        self._batches: deque[list[bytes]] = deque()
        self._taken = 0

    def put(self, payloads: list[bytes]) -> None:
        """Files what came; the numbers go on after `last`."""
        if payloads:
            self._batches.append(payloads)
            self.last += len(payloads)

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
        return taken

    def waiting(self) -> list[bytes]:
        """All that were not taken."""
        left = [payload for batch in self._batches for payload in batch]
        return left[self._taken :]
