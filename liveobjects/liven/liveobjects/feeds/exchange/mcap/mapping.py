"""Records of a feed as messages of MCAP, and messages of any MCAP file as records of a feed.

A channel of MCAP stands for one object, channel, author and type, which its metadata name; the message is the
payload. A record that does not fit (its time is before 1970, there are too many channels) is written whole as
MessagePack on the one channel `liven.records`. Messages of other programs keep their encoding: their payload
becomes bytes, or the value of their JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Final

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.feeds.description import FeedDescription, TypeEntry
from liven.liveobjects.feeds.exchange.mcap.file_reader import McapReader
from liven.liveobjects.feeds.exchange.mcap.file_writer import McapWriter
from liven.liveobjects.feeds.exchange.mcap.wire import Channel, McapError, Message, Schema
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.block import Block

PROFILE: Final = "liven"
ENCODING: Final = "msgpack"
_WHOLE: Final = "liven.records"
_NANOSECONDS: Final = 1000
_MOST_TIME: Final = (1 << 64) // _NANOSECONDS
_MOST_CHANNELS: Final = 60_000
"""MCAP has 65,535; the rest share the channel of whole records."""
_LOW: Final = (1 << 32) - 1
_BATCH: Final = 4096
_BATCH_BYTES: Final = 1 << 20


def write_mcap(
    blocks: Iterable[Block], out: BinaryIO, description: FeedDescription, compression: str = ""
) -> None:
    """Write records to an MCAP file; raise OSError."""
    writer = McapWriter(out.write, compression=compression, profile=PROFILE)
    messages = _Messages(writer, description)
    for block in blocks:
        for record in block.records():
            messages.add(record)
    writer.finish()


class _Messages:
    """The channels that were written, by the names they stand for."""

    def __init__(self, writer: McapWriter, description: FeedDescription) -> None:
        self._writer, self._types = writer, description.types
        self._channels: dict[tuple[str, str, str, str, int, int], int] = {}
        self._schemas: dict[str, int] = {}
        self._whole = 0

    def add(self, record: Record) -> None:
        """Write a record."""
        key = (record.object, record.channel, record.author, record.type, record.flags, record.serial >> 32)
        channel = self._channels.get(key)
        fits = 0 <= record.received < _MOST_TIME and 0 <= record.sent < _MOST_TIME
        if channel is None and fits and len(self._channels) < _MOST_CHANNELS:
            channel = self._channels[key] = self._new_channel(record)
        if channel is None or not fits:
            self._add_whole(record)
            return
        self._writer.add_message(
            Message(
                channel,
                record.serial & _LOW,
                record.received * _NANOSECONDS,
                record.sent * _NANOSECONDS,
                record.payload,
            )
        )

    def _new_channel(self, record: Record) -> int:
        number = len(self._channels) + 2
        names = {
            "object": record.object,
            "channel": record.channel,
            "author": record.author,
            "type": record.type,
            "flags": str(record.flags),
            "serial_high": str(record.serial >> 32),
        }
        topic = record.object or record.channel
        self._writer.add_channel(Channel(number, self._schema(record.type), topic, ENCODING, names))
        return number

    def _schema(self, name: str) -> int:
        number = self._schemas.get(name)
        if number is None:
            number = self._schemas[name] = len(self._schemas) + 1
            entry = self._types.get(name)
            notation = entry.notation if entry else name
            self._writer.add_schema(Schema(number, name, "liven", notation.encode()))
        return number

    def _add_whole(self, record: Record) -> None:
        if not self._whole:
            self._whole = 1
            self._writer.add_channel(Channel(1, 0, _WHOLE, ENCODING, {}))
        time = min(max(record.received, 0), _MOST_TIME - 1) * _NANOSECONDS
        self._writer.add_message(Message(1, 0, time, time, msgpack.packb(tuple(record))))


class McapRecords:
    """The records in an MCAP file, and the types that were met while reading it."""

    def __init__(self, source: BinaryIO, name: str) -> None:
        self._reader, self._name = McapReader(source, name), name
        self._channels: dict[int, Channel] = {}
        self._schemas: dict[int, Schema] = {}
        self.types: dict[str, TypeEntry] = {}

    def batches(self) -> Iterator[list[Record]]:
        """Return the records in order, some at a time; raise McapError or OSError."""
        batch: list[Record] = []
        size = 0
        for item in self._reader.items():
            if isinstance(item, Schema):
                self._schemas[item.id] = item
            elif isinstance(item, Channel):
                self._channels[item.id] = item
            elif isinstance(item, Message):
                batch.append(self._record(item))
                size += len(item.data)
                if len(batch) >= _BATCH or size >= _BATCH_BYTES:
                    yield batch
                    batch, size = [], 0
        if batch:
            yield batch

    def _record(self, message: Message) -> Record:
        channel = self._channels.get(message.channel)
        if channel is None:
            raise McapError(
                f"{self._name}: a message is on channel {message.channel}, which nothing describes"
            )
        if channel.topic == _WHOLE and channel.encoding == ENCODING and not channel.schema:
            return _whole_record(message, self._name)
        if {"object", "author", "type", "flags", "serial_high"} <= channel.metadata.keys():
            return self._own(message, channel)
        return self._foreign(message, channel)

    def _own(self, message: Message, channel: Channel) -> Record:
        """Return a record that we wrote."""
        names = channel.metadata
        try:
            flags, high = int(names["flags"]), int(names["serial_high"])
        except ValueError:
            raise McapError(f"{self._name}: the flags of {channel.topic!r:.40} are no number") from None
        schema = self._schemas.get(channel.schema)
        if schema is not None and schema.name and schema.data != schema.name.encode():
            self.types.setdefault(schema.name, TypeEntry(schema.data.decode(errors="replace")))
        return Record(
            message.log_time // _NANOSECONDS,
            message.publish_time // _NANOSECONDS,
            names["object"],
            names.get("channel", ""),
            names["author"],
            names["type"],
            high << 32 | message.sequence,
            flags,
            message.data,
        )

    def _foreign(self, message: Message, channel: Channel) -> Record:
        """Return a message of another program: a topic is an object on a channel of its name."""
        schema = self._schemas.get(channel.schema)
        kind = ":".join(filter(None, ("mcap", channel.encoding, schema.name if schema else "")))
        return Record(
            message.log_time // _NANOSECONDS,
            message.publish_time // _NANOSECONDS,
            channel.topic,
            channel.topic,
            "",
            kind,
            message.sequence,
            0,
            self._foreign_payload(message, channel, kind),
        )

    def _foreign_payload(self, message: Message, channel: Channel, kind: str) -> bytes:
        """Return MessagePack of JSON's value, or of the bytes of any other encoding."""
        if channel.encoding == ENCODING:
            return message.data
        if channel.encoding == "json":
            try:
                return bytes(msgpack.packb(json.loads(message.data)))
            except (ValueError, OverflowError, RecursionError):
                pass  # it is no JSON: kept as it is
        else:
            self.types.setdefault(kind, TypeEntry("bytes"))
        return bytes(msgpack.packb(message.data))


def _whole_record(message: Message, name: str) -> Record:
    try:
        fields: Any = msgpack.unpackb(message.data)
        return Record(*fields)
    except (ValueError, TypeError, msgpack.UnpackException):
        raise McapError(f"{name}: a whole record cannot be read") from None
