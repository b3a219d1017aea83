"""The journal: a replica's operations that are not known to be stable, on disk.

An operation is entered when it has waited a moment for its place, and at the latest when the process ends or
the log is cut, because the log holds only operations with a place. Life and number identify operations that
are in both. The journal also holds operations of former lives, and of replicas that no longer exist on this
machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Final, NamedTuple

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import MalformedError, Operation, wire
from liven.liveobjects.channel.replica.disk.disk_protocol import Disk
from liven.liveobjects.channel.store.records import StoreFullError

MARK: Final = "\0waiting/"
"""The prefix of a journal's name; no group name begins with it."""
_PAYLOAD_MOST: Final = 16 * 1024 * 1024
_ROWS_MOST: Final = 1 << 20
_ROW_BYTES: Final = 16
_ENTRY_BYTES: Final = 256 * 1024
_BYTES_LEAST: Final = 64 * 1024


class Lines(NamedTuple):
    """Operations of one author."""

    author: bytes
    rows: Sequence[tuple[int, bytes]]

    def pieces(self) -> Iterator[Lines]:
        """Return the same in entries of bounded size."""
        piece: list[tuple[int, bytes]] = []
        size = 0
        for row in self.rows:
            if piece and size + len(row[1]) > _ENTRY_BYTES:
                yield Lines(self.author, piece)
                piece, size = [], 0
            piece.append(row)
            size += len(row[1]) + _ROW_BYTES
        if piece:
            yield Lines(self.author, piece)


class Journal:
    """The journal of one replica. Without a disk it stores nothing."""

    __slots__ = (
        "_bytes",
        "_disk",
        "_needed",
        "found",
        "last",
        "trouble",
    )

    def __init__(self, disk: Disk | None) -> None:
        self._disk = disk
        self.trouble = ""
        """The reason why something could not be read."""
        self.found: list[Operation] = []
        """The operations of an earlier incarnation, in order."""
        self.last = 0
        """The own number up to which the journal has this replica's operations."""
        self._bytes = self._needed = 0
        if disk is not None:
            self._read(disk)

    @property
    def is_empty(self) -> bool:
        """True if the journal is empty."""
        return not self._bytes

    @property
    def is_long(self) -> bool:
        """True if most of it may no longer be needed."""
        return self._bytes > max(_BYTES_LEAST, 2 * self._needed)

    def enter(self, operations: Sequence[Operation], last: int) -> None:
        """Append own operations up to the own number `last`. If the disk is full, they are tried again with
        the next ones."""
        if operations:
            with suppress(StoreFullError):
                self._add(lines_of(operations))
                self.last = last

    def replace(self, operations: Sequence[Operation]) -> None:
        """Replace the content. Raises StoreFullError and keeps the old content if the disk is full."""
        kept = lines_of(operations)
        if self._disk is None or (not kept and self.is_empty):
            return
        entries = [_packed(piece) for each in kept for piece in each.pieces()]
        if entries:
            self._disk.start_over(b"", entries)
        else:
            self._disk.forget()
        self._bytes = self._needed = sum(map(len, entries))

    def _add(self, lines: Iterable[Lines]) -> None:
        if self._disk is not None:
            entries = [_packed(piece) for each in lines for piece in each.pieces()]
            self._disk.append(entries)
            self._bytes += sum(map(len, entries))

    def _read(self, disk: Disk) -> None:
        kept = disk.kept()
        self.trouble = kept.damage
        self._bytes = sum(map(len, kept.entries))
        for entry in kept.entries:
            try:
                self.found += unpacked_lines(entry)
            except (MalformedError, ValueError, msgpack.UnpackException) as error:
                self.trouble = str(error)


def lines_of(operations: Iterable[Operation]) -> list[Lines]:
    """Group operations by author, in their order."""
    return [
        Lines(author, [(each.number, each.payload) for each in theirs])
        for author, theirs in groupby(operations, key=lambda each: each.author)
    ]


def _packed(lines: Lines) -> bytes:
    packed: bytes = msgpack.packb([lines.author, lines.rows])
    return packed


def unpacked_lines(data: bytes) -> list[Operation]:
    """Decode the operations of an entry. Raises MalformedError."""
    author, rows = wire.items(msgpack.unpackb(data), "what waits", 2)
    who = wire.identity(author, "its author")
    return [_operation(who, row) for row in wire.items(rows, "what waits", most=_ROWS_MOST)]


def _operation(author: bytes, row: object) -> Operation:
    number, payload = wire.items(row, "an operation that waits", 2)
    told = wire.number(number, "its number")
    return Operation(author, told, wire.octets(payload, "an operation that waits", _PAYLOAD_MOST))
