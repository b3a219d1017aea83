"""What a replica has still to bring in, on its disk: operations that are not known to be stable.

An operation is entered here when it has waited for its place for a moment, and at the latest when the process
ends or the log of the history is cut: the history itself keeps only what has a place in it. Numbers tell what
is in both. Operations of other authors are here too, when their replica of this machine is no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import MalformedError, Operation, wire
from liven.liveobjects.channel.replica.disk.disk_protocol import Disk
from liven.liveobjects.channel.store.records import StoreFullError

MARK: Final = "\0waiting/"
"""What the name of a journal begins with; no group's name does."""
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
        """The same in entries none of which is long."""
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
    """The journal of one replica; without a disk it keeps nothing."""

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
        """What could not be read."""
        self.found: list[Operation] = []
        """What an earlier life left, in order."""
        self.last = 0
        """The number of the last own operation that was entered."""
        self._bytes = self._needed = 0
        if disk is not None:
            self._read(disk)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is in it."""
        return not self._bytes

    @property
    def is_long(self) -> bool:
        """Whether most of it may be needed no more."""
        return self._bytes > max(_BYTES_LEAST, 2 * self._needed)

    def enter(self, author: bytes, rows: Sequence[tuple[int, bytes]]) -> None:
        """Adds operations of the replica's own, after those that are there; what the disk does not take is
        tried again when the next are entered."""
        if rows:
            with suppress(StoreFullError):
                self._add([Lines(author, rows)])
                self.last = rows[-1][0]

    def replace(self, lines: Iterable[Lines]) -> None:
        """Has these in it and nothing else; StoreFullError, and it has what it had."""
        kept = [each for each in lines if each.rows]
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


def _packed(lines: Lines) -> bytes:
    packed: bytes = msgpack.packb([lines.author, lines.rows])
    return packed


def unpacked_lines(data: bytes) -> list[Operation]:
    """The operations of an entry; MalformedError."""
    author, rows = wire.items(msgpack.unpackb(data), "what waits", 2)
    who = wire.identity(author, "its author")
    return [_operation(who, row) for row in wire.items(rows, "what waits", most=_ROWS_MOST)]


def _operation(author: bytes, row: object) -> Operation:
    number, payload = wire.items(row, "an operation that waits", 2)
    told = wire.number(number, "its number")
    return Operation(author, told, wire.octets(payload, "an operation that waits", _PAYLOAD_MOST))
