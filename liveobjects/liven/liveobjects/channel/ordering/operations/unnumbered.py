"""Operations that a member sent in this view and that have no number yet."""

from __future__ import annotations

from liven.liveobjects.channel.history import FIRST_OWN


class UnnumberedOperations:
    """The operations of one sender, in its order.

    Within a view they are consecutive, except for the gap between inherited operations and the life's own.
    The first may be any: operations left in a branch leave a gap, and some may be in the history already,
    brought by somebody with a copy of the author's log.
    """

    __slots__ = ("_batches", "_taken", "arrived", "author", "delivered", "last", "through")

    def __init__(self, author: bytes, mark: int) -> None:
        self.author = author
        self.last = mark
        """The author's number of the last arrived operation; before any, that of its last in the history."""
        self.arrived = self.delivered = 0
        """Operations that arrived, and were delivered, in this view."""
        self.through = 0
        """Operations that orders name; some may not have arrived yet."""
        self._batches: list[tuple[int, list[bytes]]] = []
        self._taken = 0

    def follows(self, first: int) -> bool:
        """True if an operation with this number can be the next."""
        return first == self.last + 1 or not self.arrived or first == FIRST_OWN > self.last

    def put(self, first: int, payloads: list[bytes]) -> None:
        """Append arrived operations that follow the present ones."""
        self._batches.append((first, payloads))
        self.arrived += len(payloads)
        self.last = first + len(payloads) - 1

    def take(self, most: int) -> tuple[int, list[bytes]]:
        """Return the next operations of one batch, at most `most`, and the number of the first."""
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
        """Return all operations not taken, in stretches of consecutive numbers, each with its first
        number."""
        stretches: list[tuple[int, list[bytes]]] = []
        skip = self._taken
        for first, batch in self._batches:
            if stretches and first + skip == stretches[-1][0] + len(stretches[-1][1]):
                stretches[-1][1].extend(batch[skip:])
            else:
                stretches.append((first + skip, batch[skip:]))
            skip = 0
        return stretches
