"""Records of one channel's confirmed rows. This runs in the thread that writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import cast

from liven.liveobjects.channel.history.inheritance import FIRST_OWN
from liven.liveobjects.channel.ordering import Run
from liven.liveobjects.channel.ordering.confirmed_order import Confirmed, Forked, Missing, Passed, StateAt
from liven.liveobjects.channel.replica.control_operations import SIGN
from liven.liveobjects.feeds.record import CHECKPOINT, CONTROL, Record
from liven.liveobjects.feeds.recorder.log.marks import fork_record, gap_record
from liven.liveobjects.feeds.recorder.value_types import PayloadType

_NIL = b"\xc0"
NOT_HERE = "this recorder was not there, and nobody could give it these operations"


@dataclass(frozen=True, slots=True)
class RowEncoder:
    """The names and types that all records of a channel share."""

    object: str
    channel: str
    message: PayloadType | None = None
    """The type of operations; None while it is not known."""
    state: PayloadType | None = None
    empty: PayloadType | None = None
    """The type of states, and that of a state that may be missing."""
    seed: bytes | None = None

    def records(self, rows: Sequence[Passed], received: int) -> list[Record]:
        """Return the records of rows that were confirmed at a time."""
        found: list[Record] = []
        for row in rows:
            match row:
                case Confirmed(run=run, seen=seen):
                    found += self._operations(run, seen or received, received)
                case Missing(first=first, last=last):
                    found.append(gap_record(self.object, self.channel, first, last, NOT_HERE))
                case Forked(number=number):
                    found.append(fork_record(self.object, self.channel, number))
                case StateAt():
                    found.append(self._checkpoint(row, received))
        return found

    def _operations(self, run: Run, seen: int, received: int) -> list[Record]:
        payloads = run.payloads if run.first >= FIRST_OWN and not run.void else run.taken
        if not run.author:
            return self._alike(run.number, payloads, "", seen, received)
        if run.first >= FIRST_OWN:
            return self._alike(run.number, payloads, run.author.hex(), seen, received)
        found: list[Record] = []
        for place, payload in enumerate(payloads):
            author = run.original(place).author.hex()
            found += self._alike(run.number + place, [payload], author, seen, received)
        return found

    def _alike(
        self, number: int, payloads: Sequence[bytes], author: str, seen: int, received: int
    ) -> list[Record]:
        """Return the records of consecutive operations of one author."""
        if any(payload.startswith(SIGN) for payload in payloads):
            found: list[Record] = []
            for at, payload in enumerate(payloads, number):
                if payload.startswith(SIGN):
                    fields = (received, seen, self.object, self.channel, author, "", at, CONTROL, payload)
                    found.append(Record(*fields))
                else:
                    found += self._plain(at, [payload], author, seen, received)
            return found
        return self._plain(number, payloads, author, seen, received)

    def _plain(
        self, number: int, payloads: Sequence[bytes], author: str, seen: int, received: int
    ) -> list[Record]:
        name, recorded = "", payloads
        if self.message is not None:
            name, made = self.message.name, self.message.recorded(payloads)
            if None in made:  # all members drop what is no value of the type
                return [
                    Record(received, seen, self.object, self.channel, author, "", at, CONTROL, payload)
                    if each is None
                    else Record(received, seen, self.object, self.channel, author, name, at, 0, each)
                    for at, (payload, each) in enumerate(zip(payloads, made, strict=True), number)
                ]
            recorded = cast(Sequence[bytes], made)
        columns = (
            repeat(received),
            repeat(seen),
            repeat(self.object),
            repeat(self.channel),
            repeat(author),
            repeat(name),
            range(number, number + len(recorded)),
            repeat(0),
            recorded,
        )
        # plain tuples: ten thousand a second are written, and a Record takes twice the time
        return cast(list[Record], list(zip(*columns, strict=False)))

    def _checkpoint(self, row: StateAt, received: int) -> Record:
        type_, payload = self.state, row.state
        if payload is None and self.seed is not None:
            made: bytes | None = self.seed
        elif payload is None:
            type_, made = self.empty, _NIL
        else:
            made = payload if type_ is None else type_.recorded([payload])[0]
        if made is None or type_ is None:
            type_, made = None, payload or _NIL
        name = "" if type_ is None else type_.name
        fields = (received, received, self.object, self.channel, "", name, row.number, CHECKPOINT, made)
        return Record(*fields)


def last_number(rows: Sequence[Passed], before: int) -> int:
    """Return the last number in rows; `before` if they have none."""
    for row in reversed(rows):
        match row:
            case Confirmed(run=run):
                return run.last
            case Missing(last=last):
                return last
            case Forked(number=number):
                return number
    return before


def size_of(rows: Sequence[Passed]) -> tuple[int, int]:
    """Return the number of records that rows become, and the bytes of their payloads."""
    count = size = 0
    for row in rows:
        match row:
            case Confirmed(run=run):
                count += len(run.payloads)
                size += sum(map(len, run.payloads))
            case StateAt(state=state):
                count += 1
                size += len(state or b"")
            case _:
                count += 1
    return count, size
