"""Reading an MCAP file from its start to its end: schemas, channels, messages and metadata, out of chunks
too.

Memory holds one record or chunk. Kinds of records that later versions add are skipped, as are fields that
they add at the end of a record. The index is not needed, so a file that was cut off is read up to there, and
the end is an error.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from typing import BinaryIO, Final

from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.exchange.compression import decompress
from liven.liveobjects.feeds.exchange.mcap import wire
from liven.liveobjects.feeds.exchange.mcap.wire import Channel, McapError, Message, Schema
from liven.runtime.files import size_and_limit

MOST_RECORD: Final = 1 << 30
"""A longer record is damage, or more than a reader should hold."""
MOST_CHUNK: Final = 256 << 20
Metadata = tuple[str, dict[str, str]]
Item = Schema | Channel | Message | Metadata


class McapReader:
    """The content of a file; `name` stands in errors."""

    def __init__(self, source: BinaryIO, name: str) -> None:
        self._source, self._name = source, name
        self._crc = 0

    def items(self) -> Iterator[Item]:
        """Return the content in order; raise McapError or OSError."""
        magic = self._source.read(len(wire.MAGIC))
        if magic != wire.MAGIC:
            raise McapError(
                f"{self._name}: it is not an MCAP file; export one, or name its format by --format"
            )
        self._crc = zlib.crc32(magic)
        while True:
            at = self._source.tell()
            try:
                head = self._exactly(wire.PREFIX_SIZE)
                opcode, length = wire.prefix(head)
                if opcode == wire.DATA_END:
                    self._check_end(length)
                    return
                if opcode == wire.FOOTER:
                    raise McapError("the end of the data is missing")
                if opcode == wire.ATTACHMENT:
                    self._skip(head, length)
                    continue
                body = self._body(length)
                self._crc = zlib.crc32(body, zlib.crc32(head, self._crc))
                yield from _content(opcode, memoryview(body))
            except FeedError as error:
                raise McapError(f"{self._name}, byte {at}: {error}") from None

    def _body(self, length: int) -> bytes:
        if length > MOST_RECORD:
            raise McapError(f"a record is too long ({size_and_limit(length, MOST_RECORD)})")
        return self._exactly(length)

    def _exactly(self, size: int) -> bytes:
        data = self._source.read(size)
        if len(data) < size:
            raise McapError("the file ends in the middle; the records before are whole")
        return data

    def _skip(self, head: bytes, length: int) -> None:
        """Pass over an attachment of any length."""
        self._crc = zlib.crc32(head, self._crc)
        while length:
            part = self._exactly(min(length, 1 << 20))
            self._crc = zlib.crc32(part, self._crc)
            length -= len(part)

    def _check_end(self, length: int) -> None:
        wanted = wire.Cursor(self._body(length)).number(4)
        if wanted and wanted != self._crc:
            raise McapError("the checksum of the whole file is wrong")


def size_of(source: BinaryIO) -> int:
    """Return the bytes of an open file."""
    return os.fstat(source.fileno()).st_size


def _content(opcode: int, body: memoryview) -> Iterator[Item]:
    if opcode == wire.SCHEMA:
        yield wire.read_schema(body)
    elif opcode == wire.CHANNEL:
        yield wire.read_channel(body)
    elif opcode == wire.MESSAGE:
        yield wire.read_message(body)
    elif opcode == wire.METADATA:
        yield wire.read_metadata(body)
    elif opcode == wire.CHUNK:
        yield from _chunk_content(body)


def _chunk_content(body: memoryview) -> Iterator[Item]:
    chunk = wire.read_chunk(body)
    if chunk.size > MOST_CHUNK:
        raise McapError(f"a chunk is too long ({size_and_limit(chunk.size, MOST_CHUNK)})")
    data = decompress(chunk.compression, chunk.data, chunk.size)
    if len(data) != chunk.size or (chunk.crc and zlib.crc32(data) != chunk.crc):
        raise McapError("a chunk is damaged: its checksum is wrong")
    view = memoryview(data)
    while view:
        if len(view) < wire.PREFIX_SIZE:
            raise McapError("a chunk ends in the middle of a record")
        opcode, length = wire.prefix(bytes(view[: wire.PREFIX_SIZE]))
        if opcode == wire.CHUNK:
            raise McapError("a chunk holds another chunk")
        if wire.PREFIX_SIZE + length > len(view):
            raise McapError("a chunk ends in the middle of a record")
        yield from _content(opcode, view[wire.PREFIX_SIZE : wire.PREFIX_SIZE + length])
        view = view[wire.PREFIX_SIZE + length :]
