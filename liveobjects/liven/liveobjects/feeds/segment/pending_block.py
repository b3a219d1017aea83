"""The block that a writer fills: records as growing columns, each batch taken whole or not at all."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Final, Literal

import numpy as np

from liven.liveobjects.feeds.errors import BadRecordError
from liven.liveobjects.feeds.record import ASIDE, Record
from liven.liveobjects.feeds.segment.block import Block, four_names
from liven.liveobjects.feeds.segment.block_format import MOST_BYTES, MOST_NAME, MOST_ROWS
from liven.runtime.files import size_and_limit

_FIELDS: Final = len(Record._fields)
_KEPT_FLAG: Final = f"its flags have {ASIDE}, which the writer sets; leave it out"
_NUMBERS: Final[tuple[tuple[str, Literal["q", "Q", "I"]], ...]] = (
    ("received", "q"),
    ("sent", "q"),
    ("serial", "Q"),
    ("flags", "I"),
)
_TEXTS: Final = ("object", "channel", "author", "type")


class PendingBlock:
    """Records that are not written yet, at most one block of them."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all records."""
        self.rows = 0
        self.size = 0
        """Bytes of the payloads, those beside the segment among them, and of the names."""
        self._received: array[int] = array("q")
        self._sent = array("q")
        self._serial = array("Q")
        self._flags = array("I")
        self._codes: tuple[array[int], ...] = tuple(array("I") for _ in _TEXTS)
        self._tables: tuple[dict[str, int], ...] = tuple({} for _ in _TEXTS)
        self._ends = array("i", (0,))
        self._payload = bytearray()

    @property
    def is_full(self) -> bool:
        """True if no record may be added before this block is written."""
        return self.rows >= MOST_ROWS or self.size >= MOST_BYTES

    def fitting(self, lengths: Sequence[int]) -> int:
        """Return how many of the payloads with these lengths may be added."""
        room = min(MOST_ROWS - self.rows, len(lengths))
        bytes_left = MOST_BYTES - self.size
        if sum(lengths[:room]) <= bytes_left:
            return room
        for number, total in enumerate(accumulate(lengths[:room])):
            if total >= bytes_left:
                return number + 1  # a payload may begin in this block and end beyond its bound
        return room

    def extend(self, records: Sequence[Record], size: int, *, aside: bool = False) -> bool:
        """Add records with payloads of `size` bytes in all; raise BadRecordError and add none. Only those
        whose payloads were put beside the segment may have the flag for it. Return False and add none if
        several have names that are too long for one block: add them singly then."""
        try:
            received, sent, *texts, serial, flags, payloads = zip(*records, strict=True)
            taken = array("q", received), array("q", sent), array("Q", serial), array("I", flags)
            if not aside and np.any(np.frombuffer(taken[3], "<u4") & np.uint32(ASIDE)):
                raise ValueError(_KEPT_FLAG)
            added = [_new_names(column, table) for column, table in zip(texts, self._tables, strict=True)]
            payload = b"".join(payloads)
            ends = array("i", accumulate(map(len, payloads), initial=self._ends[-1]))
        except (TypeError, ValueError, OverflowError, AttributeError) as error:
            raise BadRecordError(_fault(records, aside=aside) or str(error)) from None
        named = sum(sum(more.values()) for more in added)
        if named > MOST_BYTES and len(records) > 1:
            return False
        for column, more in zip((self._received, self._sent, self._serial, self._flags), taken, strict=True):
            column.extend(more)
        for codes, names, new, table in zip(self._codes, texts, added, self._tables, strict=True):
            table.update(zip(new, range(len(table), len(table) + len(new)), strict=True))
            codes.extend(map(table.__getitem__, names))
        self._ends.extend(ends[1:])
        self._payload += payload
        self.rows += len(records)
        self.size += size + named
        return True

    def append(self, record: Record) -> None:
        """Add one record, whose payload is not beside the segment; raise BadRecordError and add none."""
        rows = self.rows
        added: list[tuple[dict[str, int], str, int]] = []
        try:
            received, sent, *texts, serial, flags, payload = record
            end = self._ends[-1] + len(payload)
            if flags & ASIDE:
                raise ValueError(_KEPT_FLAG)
            for text, table, column in zip(texts, self._tables, self._codes, strict=True):
                code = table.get(text)
                if code is None:
                    length = _name_length(text)
                    code = table[text] = len(table)
                    added.append((table, text, length))
                column.append(code)
            self._received.append(received)
            self._sent.append(sent)
            self._serial.append(serial)
            self._flags.append(flags)
            self._ends.append(end)
            self._payload += memoryview(payload)
        except (TypeError, ValueError, OverflowError, AttributeError) as error:
            for column in (self._received, self._sent, self._serial, self._flags, *self._codes):
                del column[rows:]
            del self._ends[rows + 1 :]
            for table, text, _ in added:
                del table[text]
            raise BadRecordError(_fault((record,)) or str(error)) from None
        self.rows = rows + 1
        self.size += len(payload)
        for _, _, length in added:
            self.size += length

    def block(self, first: int) -> Block:
        """Return the records as a block; they may not be changed while it is used."""
        return Block(
            first,
            np.frombuffer(self._received, "<i8"),
            np.frombuffer(self._sent, "<i8"),
            np.frombuffer(self._serial, "<u8"),
            *four_names(
                [
                    (np.frombuffer(codes, "<u4"), list(table))
                    for codes, table in zip(self._codes, self._tables, strict=True)
                ]
            ),
            np.frombuffer(self._flags, "<u4"),
            np.frombuffer(self._ends, "<i4"),
            memoryview(bytes(self._payload)),
        )


def _new_names(texts: Sequence[str], table: dict[str, int]) -> dict[str, int]:
    """Return the names that a table has not yet, each with its length."""
    return {text: _name_length(text) for text in dict.fromkeys(texts) if text not in table}


def _name_length(text: str) -> int:
    """Return the bytes of a name; raise ValueError if no table can hold it."""
    length = len(text.encode())  # raises for halves of a character
    if length > MOST_NAME:
        raise ValueError(f"a name is {size_and_limit(length, MOST_NAME)}")
    return length


def _fault(records: Sequence[Record], *, aside: bool = False) -> str:
    """Return what is wrong with the first record that cannot be written; empty if all can."""
    for number, record in enumerate(records):
        fault = _fault_of(record, aside=aside)
        if fault:
            return f"record {number} of {len(records)} cannot be written: {fault}"
    return ""


def _fault_of(record: object, *, aside: bool) -> str:
    if not isinstance(record, tuple) or len(record) != _FIELDS:
        return f"it is not a tuple of {_FIELDS} fields; give {', '.join(Record._fields)}"
    named: dict[str, Any] = dict(zip(Record._fields, record, strict=True))
    for name, code in _NUMBERS:
        try:
            array(code, [named[name]])
        except (TypeError, OverflowError) as error:
            return f"its {name}, {named[name]!r:.40}, is no number that fits ({error})"
    if named["flags"] & ASIDE and not aside:
        return _KEPT_FLAG
    for name in _TEXTS:
        text = named[name]
        if not isinstance(text, str):
            return f"its {name}, {text!r:.40}, is not a text"
        try:
            length = len(text.encode())
        except UnicodeEncodeError:
            return f"its {name}, {text!r:.40}, holds half a character; remove it"
        if length > MOST_NAME:
            return f"its {name}, {text!r:.40}, is {size_and_limit(length, MOST_NAME)}; shorten it"
    if not isinstance(named["payload"], bytes):
        return f"its payload, {named['payload']!r:.40}, is not bytes"
    return ""
