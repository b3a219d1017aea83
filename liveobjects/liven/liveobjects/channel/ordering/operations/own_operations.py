"""This member's own operations, from submission until they are stable.

An own number is assigned once, at submission, and is the operation's ticket. No other life uses it
(`history/inheritance.py`). Operations left by former lives come before new ones, with numbers below
`FIRST_OWN`. Operations leave the list at its front, so the rest is consecutive except for one gap between the
two kinds.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Final

from liven.liveobjects.channel.compact_rows import Rows, with_row, with_rows, without_first
from liven.liveobjects.channel.history import FIRST_OWN, Operation
from liven.liveobjects.channel.history.inheritance import original, wrapped

PENDING_MOST: Final = 131_072
SENT_MOST: Final = 16_384
"""Own operations sent but not numbered; more of them wait here and not at the other members."""
PENDING_BYTES: Final = 64 * 1024 * 1024
_SPARED: Final = PENDING_MOST // 16
_SPARED_BYTES: Final = PENDING_BYTES // 16

_NO_MARKS: Final[Mapping[bytes, int]] = MappingProxyType({})


class ChannelBusyError(Exception):
    """Too many own operations wait for their place in the order. Nothing was accepted; try again later."""


class OwnOperations:
    """Own operations: first those ordered but not stable, then those not ordered.

    No deques: an empty one is larger than everything else here, and operations leave in batches.
    """

    __slots__ = (
        "_author",
        "_bytes",
        "_ordered",
        "_pending",
        "_places",
        "_unordered",
        "last",
        "sent",
    )

    def __init__(
        self,
        author: bytes,
        inherited: Sequence[Operation] = (),
        marks: Mapping[bytes, int] = _NO_MARKS,
        place: int = 0,
    ) -> None:
        ordered = [each for each in inherited if each.number <= marks.get(each.author, 0)]
        pending = [each for each in inherited if each.number > marks.get(each.author, 0)]
        rows = [(number, wrapped(each)) for number, each in enumerate(ordered + pending, 1)]
        self._author = author
        self._ordered: Rows[tuple[int, bytes]] = rows[: len(ordered)] or ()
        """Ordered operations with their numbers. Inherited ones that a history with these marks has all count
        as being at `place`."""
        self._pending: Rows[tuple[int, bytes]] = rows[len(ordered) :] or ()
        self._places: Rows[tuple[int, int]] = [(place, self._ordered[-1][0])] if self._ordered else ()
        self._bytes = sum(len(payload) for _, payload in rows)
        self.last = FIRST_OWN - 1
        """The number of the last submitted operation."""
        self.sent = 0
        """Operations sent in this view."""
        self._unordered = 0

    def __len__(self) -> int:
        return len(self._ordered) + len(self._pending)

    @property
    def all(self) -> list[Operation]:
        """Operations that are not stable, under their first identities."""
        return self.after(0)

    def after(self, number: int) -> list[Operation]:
        """Return operations that are not stable and come after `number`."""
        found: list[Operation] = []
        for own, payload in chain(reversed(self._pending), reversed(self._ordered)):
            if own <= number:
                break
            found.append(original(self._author, own, payload))
        return found[::-1]

    @property
    def tickets(self) -> dict[int, bytes]:
        """The payloads of operations that are not stable, by their own numbers."""
        rows = (*self._ordered, *self._pending)
        return {own: original(self._author, own, payload).payload for own, payload in rows}

    @property
    def pending(self) -> int:
        """Number of operations without a place in the order."""
        return len(self._pending)

    @property
    def unsent(self) -> bool:
        """True if more may be sent now."""
        return self._unordered < len(self._pending) and self._unordered < SENT_MOST

    @property
    def first(self) -> int | None:
        """The own number of the first operation that is not stable."""
        rows = self._ordered or self._pending
        return rows[0][0] if rows else None

    @property
    def first_pending(self) -> int:
        """The own number of the first operation without a place."""
        return self._pending[0][0] if self._pending else self.last + 1

    @property
    def is_nearly_full(self) -> bool:
        """True if callers should not begin new operations; those already under way still fit."""
        return len(self) >= PENDING_MOST - _SPARED or self._bytes >= PENDING_BYTES - _SPARED_BYTES

    def submit(self, payload: bytes) -> int:
        """Accept an operation and return its number. Raises ChannelBusyError when too many wait."""
        count, size = len(self._ordered) + len(self._pending), self._bytes + len(payload)
        if count >= PENDING_MOST or (count and size > PENDING_BYTES):
            raise ChannelBusyError(f"{count} own operations ({self._bytes / 1e6:.1f} MB) are not stable yet")
        self.last += 1
        self._bytes = size
        if isinstance(self._pending, list):
            self._pending.append((self.last, payload))
        else:
            self._pending = [(self.last, payload)]
        return self.last

    def next_batch(self, most: int, size: int) -> tuple[int, list[bytes]]:
        """Return the next consecutive operations to send, within bounds but at least one, and the number of
        the first."""
        first, batch, total = 0, list[bytes](), 0
        most = min(most, SENT_MOST - self._unordered)
        for number, payload in self._pending[self._unordered : self._unordered + max(0, most)]:
            total += len(payload)
            if batch and (total > size or number != first + len(batch)):
                break
            first = first or number
            batch.append(payload)
        self._unordered += len(batch)
        self.sent += len(batch)
        return first, batch

    def was_ordered(self, number: int, first: int, count: int) -> int | None:
        """Record that own operations got the places from `number` on. Return the ticket of the first; None if
        none of them was pending."""
        last = first + count - 1
        found = bisect_right(self._pending, last, key=_number)
        if not found:
            return None
        self._ordered = with_rows(self._ordered, self._pending[:found])
        self._pending = without_first(self._pending, found)
        self._places = with_row(self._places, (number + count - 1, last))
        self._unordered = max(0, self._unordered - found)
        return first

    def is_confirmed(self, number: int) -> bool:
        """True if `was_confirmed` would find something."""
        return bool(self._places) and self._places[0][0] <= number

    def was_confirmed(self, number: int) -> int | None:
        """Record that all places up to `number` are stable, and return the last own ticket among them."""
        stable = bisect_right(self._places, number, key=_number)
        if not stable:
            return None
        ticket = self._places[stable - 1][1]
        known = bisect_right(self._ordered, ticket, key=_number)
        self._bytes -= sum(len(payload) for _, payload in self._ordered[:known])
        self._places = without_first(self._places, stable)
        self._ordered = without_first(self._ordered, known)
        return ticket

    def begin(self) -> None:
        """Begin a view: operations without a place are sent again."""
        self._unordered = self.sent = 0

    def turn(self, mark: int, number: int, *, again: bool) -> tuple[range, range]:
        """Move to another history, at place `number`, which includes own operations up to `mark`.

        Later ones are pending again. Without `again`, those that had a place stay in the branch. Returns the
        tickets that the new history has, and those left in the branch.
        """
        entries = (*self._ordered, *self._pending)
        first = entries[0][0] if entries else self.last + 1
        left = range(first, first) if again else range(first, self.first_pending)
        beyond = max(left.stop, min(mark, self.last) + 1)
        kept = [each for each in entries if each[0] >= left.stop]
        self._ordered = [each for each in kept if each[0] < beyond] or ()
        self._places = [(number, self._ordered[-1][0])] if self._ordered else ()
        self._pending = [each for each in kept if each[0] >= beyond] or ()
        self._bytes = sum(len(payload) for _, payload in kept)
        self.begin()
        return range(left.stop, beyond), left


def _number(row: tuple[int, object]) -> int:
    return row[0]
