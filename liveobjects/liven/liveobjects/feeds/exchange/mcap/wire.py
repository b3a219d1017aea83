"""The records of MCAP as bytes. Numbers are little-endian; texts and bytes have their length before them."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from liven.liveobjects.feeds.errors import FeedError

MAGIC: Final = b"\x89MCAP0\r\n"
HEADER: Final = 0x01
FOOTER: Final = 0x02
SCHEMA: Final = 0x03
CHANNEL: Final = 0x04
MESSAGE: Final = 0x05
CHUNK: Final = 0x06
MESSAGE_INDEX: Final = 0x07
CHUNK_INDEX: Final = 0x08
ATTACHMENT: Final = 0x09
ATTACHMENT_INDEX: Final = 0x0A
STATISTICS: Final = 0x0B
METADATA: Final = 0x0C
METADATA_INDEX: Final = 0x0D
SUMMARY_OFFSET: Final = 0x0E
DATA_END: Final = 0x0F

_PREFIX: Final = struct.Struct("<BQ")
PREFIX_SIZE: Final = _PREFIX.size
_MESSAGE: Final = struct.Struct("<HIQQ")
_CHUNK: Final = struct.Struct("<QQQI")


class McapError(FeedError):
    """A file is no MCAP file, or a damaged one."""


@dataclass(frozen=True, slots=True)
class Schema:
    """A type of messages."""

    id: int
    name: str
    encoding: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Channel:
    """A stream of messages."""

    id: int
    schema: int
    topic: str
    encoding: str
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Message:
    """One message; times are nanoseconds."""

    channel: int
    sequence: int
    log_time: int
    publish_time: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Chunk:
    """Records that are compressed together."""

    start: int
    end: int
    size: int
    crc: int
    compression: str
    data: bytes


class Cursor:
    """Reads fields one after the other; raises McapError at the end of the bytes."""

    def __init__(self, data: bytes | memoryview) -> None:
        self._data = memoryview(data)
        self._at = 0

    def number(self, size: int) -> int:
        """Return a number of so many bytes."""
        return int.from_bytes(self.take(size), "little")

    def take(self, size: int) -> memoryview:
        """Return the next bytes."""
        part = self._data[self._at : self._at + size]
        if len(part) < size:
            raise McapError("a record ends too early")
        self._at += size
        return part

    def rest(self) -> memoryview:
        """Return all bytes that are left."""
        return self._data[self._at :]

    def text(self) -> str:
        """Return a text."""
        try:
            return bytes(self.take(self.number(4))).decode()
        except UnicodeDecodeError:
            raise McapError("a name is not UTF-8") from None

    def texts(self) -> dict[str, str]:
        """Return a map of texts."""
        inner = Cursor(self.take(self.number(4)))
        found = {}
        while inner.rest():
            name = inner.text()
            found[name] = inner.text()
        return found


def record(opcode: int, *parts: bytes) -> bytes:
    """Return a record of these fields."""
    body = b"".join(parts)
    return _PREFIX.pack(opcode, len(body)) + body


def prefix(data: bytes) -> tuple[int, int]:
    """Return the kind of a record, and the length of its body."""
    opcode, length = _PREFIX.unpack(data)
    return opcode, length


def number(value: int, size: int) -> bytes:
    """Return a number as so many bytes."""
    return value.to_bytes(size, "little")


def text(value: str) -> bytes:
    """Return a text with its length."""
    data = value.encode()
    return number(len(data), 4) + data


def texts(values: Mapping[str, str]) -> bytes:
    """Return a map of texts with its length."""
    data = b"".join(text(name) + text(value) for name, value in values.items())
    return number(len(data), 4) + data


def pairs(values: Iterable[tuple[int, int]], sizes: Sequence[int]) -> bytes:
    """Return pairs of numbers with their length in bytes."""
    data = b"".join(number(one, sizes[0]) + number(other, sizes[1]) for one, other in values)
    return number(len(data), 4) + data


def pack_schema(schema: Schema) -> bytes:
    """Return a schema as a record."""
    data = number(len(schema.data), 4) + schema.data
    return record(SCHEMA, number(schema.id, 2), text(schema.name), text(schema.encoding), data)


def read_schema(body: memoryview) -> Schema:
    """Return the schema in the body of a record."""
    cursor = Cursor(body)
    found, name, encoding = cursor.number(2), cursor.text(), cursor.text()
    return Schema(found, name, encoding, bytes(cursor.take(cursor.number(4))))


def pack_channel(channel: Channel) -> bytes:
    """Return a channel as a record."""
    names = text(channel.topic) + text(channel.encoding) + texts(channel.metadata)
    return record(CHANNEL, number(channel.id, 2), number(channel.schema, 2), names)


def read_channel(body: memoryview) -> Channel:
    """Return the channel in the body of a record."""
    cursor = Cursor(body)
    return Channel(cursor.number(2), cursor.number(2), cursor.text(), cursor.text(), cursor.texts())


def pack_message(message: Message) -> bytes:
    """Return a message as a record."""
    head = _MESSAGE.pack(message.channel, message.sequence, message.log_time, message.publish_time)
    return _PREFIX.pack(MESSAGE, len(head) + len(message.data)) + head + message.data


def read_message(body: memoryview) -> Message:
    """Return the message in the body of a record."""
    if len(body) < _MESSAGE.size:
        raise McapError("a message ends too early")
    channel, sequence, log_time, publish_time = _MESSAGE.unpack_from(body)
    return Message(channel, sequence, log_time, publish_time, bytes(body[_MESSAGE.size :]))


def pack_chunk(chunk: Chunk) -> bytes:
    """Return a chunk as a record."""
    head = _CHUNK.pack(chunk.start, chunk.end, chunk.size, chunk.crc)
    return record(CHUNK, head, text(chunk.compression), number(len(chunk.data), 8), chunk.data)


def read_chunk(body: memoryview) -> Chunk:
    """Return the chunk in the body of a record."""
    cursor = Cursor(body)
    start, end, size, crc = _CHUNK.unpack(cursor.take(_CHUNK.size))
    compression = cursor.text()
    return Chunk(start, end, size, crc, compression, bytes(cursor.take(cursor.number(8))))


def pack_metadata(name: str, values: Mapping[str, str]) -> bytes:
    """Return a record of metadata."""
    return record(METADATA, text(name), texts(values))


def read_metadata(body: memoryview) -> tuple[str, dict[str, str]]:
    """Return the name and the values of metadata."""
    cursor = Cursor(body)
    return cursor.text(), cursor.texts()
