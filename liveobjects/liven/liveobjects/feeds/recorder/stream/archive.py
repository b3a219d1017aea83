"""The archive of one channel without an order: values, as their authors number them, become records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from liven.liveobjects.feeds.record import VALUE, Record
from liven.liveobjects.feeds.recorder.log.hand_over import HandOver, Position, Rows
from liven.liveobjects.feeds.recorder.log.marks import gap_record, now
from liven.liveobjects.feeds.recorder.value_types import PayloadType

AUTHORS_MOST: Final = 65_536
"""Authors of a channel whose last numbers are remembered, the latest ones."""
OBJECTED: Final = "a member objected to being recorded"
AWAY: Final = "this recorder was not there, and nobody keeps these messages"


class StreamArchive:
    """One channel. `last` has the last number of each author that an earlier process recorded, and
    `is_withheld` tells that nothing may be recorded now."""

    def __init__(
        self,
        name: str,
        channel: str,
        hand_over: HandOver,
        last: Mapping[str, int],
        is_withheld: Callable[[], bool],
        *,
        is_value: bool = False,
    ) -> None:
        """Set `is_value` for a stream, of which each value is the whole state."""
        self.name = name
        self.channel = channel
        self.type: PayloadType | None = None
        """The type of the values; None while it is not known."""
        self._hand_over = hand_over
        self._last = dict(last)
        self._is_withheld = is_withheld
        self._flags = VALUE if is_value else 0
        self._withheld: dict[str, int] = {}
        """The first number of each author that is not recorded because of an objection."""

    def last_of(self, author: str) -> int:
        """Return the last number of an author; -1 for a new one."""
        return self._last.get(author, -1)

    def take(self, author: str, first: int, payloads: Sequence[bytes], *, compact: bool) -> None:
        """Record values of one author, as members send them (`compact`) or as records have them. Those that
        are recorded already are left out."""
        skip = max(0, self.last_of(author) + 1 - first)
        if skip >= len(payloads):
            return
        first, payloads = first + skip, payloads[skip:]
        last = first + len(payloads) - 1
        self._note(author, last)
        if self._is_withheld():
            self._withheld.setdefault(author, first)
            return
        self._end_withholding()
        make = partial(self._records, author, first, payloads, now(), self.type if compact else None)
        self._put(author, make, first, last, len(payloads), sum(map(len, payloads)))

    def miss(self, author: str, first: int, last: int, why: str = AWAY) -> None:
        """Record that numbers of an author are missing."""
        first = max(first, self.last_of(author) + 1)
        if first <= last:
            self._note(author, last)
            record = gap_record(self.name, self.channel, first, last, why, author)
            self._put(author, partial(_one, record), first, last, 1, len(record.payload))

    def close(self) -> None:
        """Record as gaps what an objection withheld."""
        self._end_withholding()

    def _note(self, author: str, last: int) -> None:
        self._last.pop(author, None)
        self._last[author] = last
        if len(self._last) > AUTHORS_MOST:
            oldest = next(iter(self._last))
            del self._last[oldest]
            self._withheld.pop(oldest, None)

    def _end_withholding(self) -> None:
        withheld, self._withheld = self._withheld, {}
        for author, first in withheld.items():
            last = self._last[author]
            record = gap_record(self.name, self.channel, first, last, OBJECTED, author)
            self._put(author, partial(_one, record), first, last, 1, len(record.payload))

    def _put(
        self,
        author: str,
        make: Callable[[], Sequence[Record]],
        first: int,
        last: int,
        amount: int,
        size: int,
    ) -> None:
        position = Position(last, b"")
        self._hand_over.put(Rows(self.name, self.channel, make, first, position, amount, size, author))

    def _records(
        self, author: str, first: int, payloads: Sequence[bytes], at: int, lifted: PayloadType | None
    ) -> list[Record]:
        """Return the records of values; `lifted` brings them into the form of records. This runs in the
        thread that writes."""
        kind = "" if self.type is None else self.type.name
        made = payloads if lifted is None else lifted.recorded(payloads)
        return [
            Record(at, at, self.name, self.channel, author, kind, serial, self._flags, payload)
            for serial, payload in enumerate(made, first)
            if payload is not None  # no value of the type: all members drop it
        ]


def _one(record: Record) -> list[Record]:
    return [record]
