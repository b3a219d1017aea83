"""What one member has sent in a regime and nobody has numbered yet."""

from __future__ import annotations

from liven.liveobjects.channel.ordering.own_operations import begins_a_life


class Inbox:
    """The operations of one sender, in its order.

    In one regime they are consecutive, but for the gap before each life of their author; the first may be any
    that is above its mark, as what stayed in a branch leaves a gap."""

    __slots__ = ("_batches", "_taken", "arrived", "author", "delivered", "last", "through")

    def __init__(self, author: bytes, mark: int) -> None:
        self.author = author
        self.last = mark
        """The author's number of the last that came; before any did, the greatest that cannot come."""
        self.arrived = self.delivered = 0
        """How many came, and were delivered, in this regime."""
        self.through = 0
        """How many are named by orders; they may not have come yet."""
        self._batches: list[tuple[int, list[bytes]]] = []
        self._taken = 0

    def follows(self, first: int) -> bool:
        """Whether an operation with this number can be the next."""
        return first == self.last + 1 or (first > self.last and (not self.arrived or begins_a_life(first)))

    def put(self, first: int, payloads: list[bytes]) -> None:
        """Files what came, and follows."""
        self._batches.append((first, payloads))
        self.arrived += len(payloads)
        self.last = first + len(payloads) - 1

    def take(self, most: int) -> tuple[int, list[bytes]]:
        """The next operations, at most so many, as far as they came in one batch, and the number of the
        first."""
        if not self._batches:
            return 0, []
        first, batch = self._batches[0]
        start, end = self._taken, min(self._taken + most, len(batch))
        taken = batch if not start and end == len(batch) else batch[start:end]
        if end == len(batch):
            self._batches.pop(0)
            self._taken = 0
        else:
            self._taken = end
        self.delivered += len(taken)
        return first + start, taken

    def waiting(self) -> list[tuple[int, list[bytes]]]:
        """All that were not taken, in stretches of consecutive numbers, each with its first."""
        stretches: list[tuple[int, list[bytes]]] = []
        skip = self._taken
        for first, batch in self._batches:
            if stretches and first + skip == stretches[-1][0] + len(stretches[-1][1]):
                stretches[-1][1].extend(batch[skip:])
            else:
                stretches.append((first + skip, batch[skip:]))
            skip = 0
        return stretches
