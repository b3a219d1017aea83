"""Blocks of records as columns: made of a body without copying, and packed again.

The layout is Arrow's, so that columns become Arrow arrays without a copy, and numpy reads them with nothing
else installed.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.block_format import (
    ALIGNMENT,
    RECORDS,
    Head,
    pack_head,
    padding,
)
from liven.liveobjects.feeds.segment.text_table import BadTableError, TextTable

Buffer = bytes | bytearray | memoryview
Codes = npt.NDArray[np.uint32]
Longs = npt.NDArray[np.int64]
PAD: Final = bytes(ALIGNMENT)
PART: Final = 8
"""Each part of a body begins at a multiple of this."""
NAME_COLUMNS: Final = ("object", "channel", "author", "type")
_WIDTHS: Final = (8, 8, 8, 4, 4, 4, 4, 4)
"""Bytes of a value in received, sent, serial, the four columns of names, and flags."""


class BadBodyError(Exception):
    """The bytes of a body contradict each other; the text says how."""


@dataclass(frozen=True, slots=True)
class Names:
    """A column of texts: for each row, the place of its text in a table."""

    codes: Codes
    table: Sequence[str]

    def __getitem__(self, row: int) -> str:
        return self.table[int(self.codes[row])]

    def values(self) -> list[str]:
        """Return the text of each row."""
        return list(map(self.table.__getitem__, self.codes.tolist()))

    def rows_of(self, name: str) -> npt.NDArray[np.bool_]:
        """Return for each row whether it has this text."""
        try:
            code = list(self.table).index(name)
        except ValueError:
            return np.zeros(len(self.codes), np.bool_)
        found: npt.NDArray[np.bool_] = self.codes == np.uint32(code)
        return found

    def rows_among(self, names: Collection[str]) -> npt.NDArray[np.bool_]:
        """Return for each row whether it has one of these texts."""
        found: npt.NDArray[np.bool_] = np.array([each in names for each in self.table], np.bool_)[self.codes]
        return found


def four_names(columns: Sequence[tuple[Codes, Sequence[str]]]) -> tuple[Names, Names, Names, Names]:
    """Return the columns of the four names from their codes and tables."""
    first, second, third, fourth = (Names(codes, table) for codes, table in columns)
    return first, second, third, fourth


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive records as columns. The payload of row i is `payload[ends[i]:ends[i + 1]]`."""

    first: int
    """The sequence of the first row."""
    received: Longs
    sent: Longs
    serial: npt.NDArray[np.uint64]
    object: Names
    channel: Names
    author: Names
    type: Names
    flags: Codes
    ends: npt.NDArray[np.int32]
    """One more than there are rows; the first need not be 0."""
    payload: memoryview

    def __len__(self) -> int:
        return len(self.received)

    @property
    def end(self) -> int:
        """The sequence after the last row."""
        return self.first + len(self.received)

    @property
    def sequences(self) -> Longs:
        """The sequence of each row."""
        return np.arange(self.first, self.end, dtype=np.int64)

    @property
    def size(self) -> int:
        """Bytes of all payloads."""
        return int(self.ends[-1]) - int(self.ends[0])

    def slice(self, start: int, stop: int) -> Block:
        """Return the rows from `start` to before `stop`, without copying."""
        return Block(
            self.first + start,
            self.received[start:stop],
            self.sent[start:stop],
            self.serial[start:stop],
            *four_names([(names.codes[start:stop], names.table) for names in self.names()]),
            self.flags[start:stop],
            self.ends[start : stop + 1],
            self.payload,
        )

    def clip(self, low: int, high: int) -> Block:
        """Return the rows whose sequence is at least `low` and below `high`."""
        if low <= self.first and high >= self.end:
            return self
        start = min(max(low, self.first), self.end) - self.first
        return self.slice(start, max(min(high, self.end) - self.first, start))

    def take(self, rows: npt.NDArray[np.intp]) -> list[tuple[int, Record]]:
        """Return some rows, by their places, as sequences and records."""
        return [(self.first + row, self.record(row)) for row in rows.tolist()]

    def names(self) -> tuple[Names, Names, Names, Names]:
        """Return the four columns of names."""
        return self.object, self.channel, self.author, self.type

    def payload_of(self, row: int) -> bytes:
        """Return the payload of a row."""
        return bytes(self.payload[self.ends[row] : self.ends[row + 1]])

    def record(self, row: int) -> Record:
        """Return a row as a record."""
        return Record(
            int(self.received[row]),
            int(self.sent[row]),
            self.object[row],
            self.channel[row],
            self.author[row],
            self.type[row],
            int(self.serial[row]),
            int(self.flags[row]),
            self.payload_of(row),
        )

    def payloads(self) -> list[bytes]:
        """Return the payload of each row."""
        ends = self.ends.tolist()
        data = bytes(self.payload[ends[0] : ends[-1]])
        base = ends[0]
        return [data[start - base : stop - base] for start, stop in itertools.pairwise(ends)]

    def records(self) -> Iterator[Record]:
        """Return the rows as records."""
        return map(
            Record,
            self.received.tolist(),
            self.sent.tolist(),
            self.object.values(),
            self.channel.values(),
            self.author.values(),
            self.type.values(),
            self.serial.tolist(),
            self.flags.tolist(),
            self.payloads(),
        )

    def with_payloads(self, payloads: Sequence[bytes], flags: int) -> Block:
        """Return the rows with other payloads, and only those of their flags that are in `flags`."""
        ends = np.zeros(len(payloads) + 1, np.int32)
        np.cumsum([len(each) for each in payloads], out=ends[1:])
        kept = self.flags & np.uint32(flags & 0xFFFFFFFF)
        return replace(self, flags=kept, ends=ends, payload=memoryview(b"".join(payloads)))

    def numbered(self, first: int) -> Block:
        """Return the same rows under other sequences."""
        return replace(self, first=first)


def pack_block(block: Block, log: int) -> list[Buffer]:
    """Return the pieces of a block to write one after the other."""
    start, stop = int(block.ends[0]), int(block.ends[-1])
    ends = block.ends if start == 0 else block.ends - np.int32(start)
    columns: list[npt.NDArray[Any]] = [block.received, block.sent, block.serial]
    columns += [names.codes for names in block.names()]
    parts: list[Buffer] = [_bytes_of(column) for column in (*columns, block.flags, ends)]
    for names in block.names():
        parts += _table_parts(names.table)
    parts.append(block.payload[start:stop])
    pieces, size, crc = _padded(parts)
    head = Head(
        RECORDS,
        len(block),
        size,
        crc,
        block.first,
        int(block.received.min()),
        int(block.received.max()),
        log,
    )
    return [pack_head(head), *pieces, PAD[: padding(size, ALIGNMENT)]]


def _bytes_of(column: npt.NDArray[Any]) -> memoryview:
    """Return the bytes of a column, little end first."""
    little = column.astype(column.dtype.newbyteorder("<"), copy=False)
    return np.ascontiguousarray(little).data.cast("B")


def _table_parts(table: Sequence[str]) -> tuple[Buffer, Buffer, Buffer]:
    encoded = [name.encode() for name in table]
    ends = np.zeros(len(encoded) + 1, "<i4")
    np.cumsum([len(each) for each in encoded], out=ends[1:])
    return len(encoded).to_bytes(4, "little"), ends.data.cast("B"), b"".join(encoded)


def _padded(parts: Sequence[Buffer]) -> tuple[list[Buffer], int, int]:
    """Return the parts with what pads each to eight bytes, their size, and their checksum."""
    pieces: list[Buffer] = []
    size = crc = 0
    for part in parts:
        gap = padding(len(part), PART)
        for piece in (part, PAD[:gap]) if gap else (part,):
            pieces.append(piece)
            size += len(piece)
            crc = zlib.crc32(piece, crc)
    return pieces, size, crc


def unpack_block(head: Head, body: Buffer) -> Block:
    """Return the block of a head and its body, without copying; raise BadBodyError."""
    if len(body) != head.body:
        raise BadBodyError("its body is cut off")
    if zlib.crc32(body) != head.body_crc:
        raise BadBodyError("its checksum is wrong")
    return _columns_of(head, memoryview(body))


def _columns_of(head: Head, body: memoryview) -> Block:
    rows = head.rows
    if rows == 0:
        raise BadBodyError("it has no rows")
    places = [0]
    for width in _WIDTHS:
        places.append(places[-1] + width * rows + padding(width * rows, PART))
    after = places[-1] + 4 * (rows + 1)
    if after > len(body):
        raise BadBodyError("its columns do not fit in it")
    ends = np.frombuffer(body, "<i4", rows + 1, places[-1])
    at = after + padding(after, PART)
    tables = []
    for _ in NAME_COLUMNS:
        table, at = _table_at(body, at)
        tables.append(table)
    if ends[0] != 0 or np.any(ends[1:] < ends[:-1]) or at + int(ends[-1]) > len(body):
        raise BadBodyError("the ends of its payloads do not fit")
    codes = [np.frombuffer(body, "<u4", rows, places[3 + number]) for number in range(len(NAME_COLUMNS))]
    for column, table in zip(codes, tables, strict=True):
        if int(column.max()) >= len(table):
            raise BadBodyError("a name is not in its table")
    return Block(
        head.first,
        np.frombuffer(body, "<i8", rows, places[0]),
        np.frombuffer(body, "<i8", rows, places[1]),
        np.frombuffer(body, "<u8", rows, places[2]),
        *four_names(list(zip(codes, tables, strict=True))),
        np.frombuffer(body, "<u4", rows, places[7]),
        ends,
        body[at : at + int(ends[-1])],
    )


def _table_at(body: memoryview, at: int) -> tuple[TextTable, int]:
    """Return the table at a place of a body, and the place after it."""
    count = int.from_bytes(body[at : at + 4], "little")
    at += PART
    if at + 4 * (count + 1) > len(body):
        raise BadBodyError("a table of names does not fit in it")
    ends = np.frombuffer(body, "<i4", count + 1, at)
    at += 4 * (count + 1) + padding(4 * (count + 1), PART)
    size = max(int(ends[-1]), 0)
    try:
        table = TextTable(body[at : at + size], ends)
    except BadTableError as error:
        raise BadBodyError(str(error)) from None
    return table, at + size + padding(size, PART)
