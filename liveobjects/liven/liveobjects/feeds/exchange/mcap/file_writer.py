"""Writing an MCAP file: chunks with an index of their messages, statistics, and a summary at the end."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from liven.liveobjects.feeds.exchange.compression import compress
from liven.liveobjects.feeds.exchange.mcap import wire
from liven.liveobjects.feeds.exchange.mcap.wire import Channel, Chunk, Message, Schema, number, text

CHUNK_BYTES: Final = 1 << 20
"""A chunk is written when it reaches this; readers hold one in memory."""


@dataclass(slots=True)
class _ChunkPlace:
    """A written chunk, for the index."""

    start: int
    end: int
    offset: int
    length: int
    messages: dict[int, int]
    """For each channel, the place of its message index."""
    index_length: int
    compression: str
    packed: int
    size: int


@dataclass(slots=True)
class _OpenChunk:
    """The chunk that is being filled."""

    data: bytearray = field(default_factory=bytearray)
    messages: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """For each channel, times and offsets in the chunk."""


class McapWriter:
    """Writes to a function that takes bytes, from the start to `finish`. Channels and schemas may come at any
    time."""

    def __init__(
        self,
        write: Callable[[bytes], object],
        *,
        compression: str = "",
        profile: str = "",
        library: str = "liven",
        chunk_bytes: int = CHUNK_BYTES,
    ) -> None:
        self._out = write
        self._compression, self._chunk_bytes = compression, chunk_bytes
        self._offset = 0
        self._crc = 0
        self._schemas: list[Schema] = []
        self._channels: list[Channel] = []
        self._chunks: list[_ChunkPlace] = []
        self._metadata: list[tuple[int, int, str]] = []
        self._counts: Counter[int] = Counter()
        self._first: int | None = None
        self._last = 0
        self._chunk = _OpenChunk()
        self._put(wire.MAGIC)
        self._put(wire.record(wire.HEADER, text(profile), text(library)))

    def add_schema(self, schema: Schema) -> None:
        """Write a schema."""
        self._schemas.append(schema)
        self._chunk.data += wire.pack_schema(schema)

    def add_channel(self, channel: Channel) -> None:
        """Write a channel."""
        self._channels.append(channel)
        self._chunk.data += wire.pack_channel(channel)

    def add_message(self, message: Message) -> None:
        """Write a message."""
        chunk = self._chunk
        chunk.messages.setdefault(message.channel, []).append((message.log_time, len(chunk.data)))
        chunk.data += wire.pack_message(message)
        self._counts[message.channel] += 1
        self._first = message.log_time if self._first is None else min(self._first, message.log_time)
        self._last = max(self._last, message.log_time)
        if len(chunk.data) >= self._chunk_bytes:
            self._end_chunk()

    def add_metadata(self, name: str, values: Mapping[str, str]) -> None:
        """Write metadata."""
        self._end_chunk()
        data = wire.pack_metadata(name, values)
        self._metadata.append((self._offset, len(data), name))
        self._put(data)

    def finish(self) -> None:
        """Write the rest, the summary and the end."""
        self._end_chunk()
        self._put(wire.record(wire.DATA_END, number(self._crc, 4)))
        self._write_summary()

    def _put(self, data: bytes) -> None:
        self._out(data)
        self._offset += len(data)
        self._crc = zlib.crc32(data, self._crc)

    def _end_chunk(self) -> None:
        chunk, self._chunk = self._chunk, _OpenChunk()
        if not chunk.data:
            return
        data = bytes(chunk.data)
        times = [time for messages in chunk.messages.values() for time, _ in messages]
        start, end = min(times, default=0), max(times, default=0)
        packed = compress(self._compression, data)
        offset = self._offset
        self._put(wire.pack_chunk(Chunk(start, end, len(data), zlib.crc32(data), self._compression, packed)))
        length = self._offset - offset
        places = {}
        for channel, messages in chunk.messages.items():
            places[channel] = self._offset
            # Sorted by time, since readers search it; records of a feed may jump back.
            found = wire.pairs(sorted(messages), (8, 8))
            self._put(wire.record(wire.MESSAGE_INDEX, number(channel, 2), found))
        index_length = self._offset - offset - length
        self._chunks.append(
            _ChunkPlace(
                start, end, offset, length, places, index_length, self._compression, len(packed), len(data)
            )
        )

    def _write_summary(self) -> None:
        groups = (
            (wire.SCHEMA, [wire.pack_schema(schema) for schema in self._schemas]),
            (wire.CHANNEL, [wire.pack_channel(channel) for channel in self._channels]),
            (wire.STATISTICS, [self._statistics()]),
            (wire.CHUNK_INDEX, [_pack_place(place) for place in self._chunks]),
            (wire.METADATA_INDEX, [_pack_metadata_place(*place) for place in self._metadata]),
        )
        start = self._offset
        self._crc = 0
        offsets = b""
        for opcode, records in groups:
            if records:
                at = self._offset
                for data in records:
                    self._put(data)
                offsets += wire.record(
                    wire.SUMMARY_OFFSET, number(opcode, 1), number(at, 8), number(self._offset - at, 8)
                )
        offset_start = self._offset
        self._put(offsets)
        head = number(start, 8) + number(offset_start, 8)
        footer = wire.record(wire.FOOTER, head, number(0, 4))[:-4]
        crc = zlib.crc32(footer, self._crc)
        self._put(footer + number(crc, 4))
        self._put(wire.MAGIC)

    def _statistics(self) -> bytes:
        return wire.record(
            wire.STATISTICS,
            number(sum(self._counts.values()), 8),
            number(len(self._schemas), 2),
            number(len(self._channels), 4),
            number(0, 4),
            number(len(self._metadata), 4),
            number(len(self._chunks), 4),
            number(self._first or 0, 8),
            number(self._last, 8),
            wire.pairs(sorted(self._counts.items()), (2, 8)),
        )


def _pack_place(place: _ChunkPlace) -> bytes:
    return wire.record(
        wire.CHUNK_INDEX,
        number(place.start, 8),
        number(place.end, 8),
        number(place.offset, 8),
        number(place.length, 8),
        wire.pairs(place.messages.items(), (2, 8)),
        number(place.index_length, 8),
        text(place.compression),
        number(place.packed, 8),
        number(place.size, 8),
    )


def _pack_metadata_place(offset: int, length: int, name: str) -> bytes:
    return wire.record(wire.METADATA_INDEX, number(offset, 8), number(length, 8), text(name))
