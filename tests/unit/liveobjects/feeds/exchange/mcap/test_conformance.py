"""A matrix of the features that the conformance files of MCAP combine, written with the records of its
authors' library.

As there: one message, ten messages, an attachment, metadata, or nothing; with and without chunks, indexes,
statistics, repeated schemas and channels, summary offsets, and padding, which are bytes that a later version
may add to a record.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from io import BytesIO
from itertools import product

import pytest

from liven.liveobjects.feeds.exchange.mcap.file_reader import McapReader
from liven.liveobjects.feeds.exchange.mcap.file_writer import McapWriter
from liven.liveobjects.feeds.exchange.mcap.wire import Channel, McapError, Message, Schema

records = pytest.importorskip("mcap.records")
streams = pytest.importorskip("mcap.data_stream")
stream_reader = pytest.importorskip("mcap.stream_reader")

MAGIC = b"\x89MCAP0\r\n"
PADDING = b"\x01\x02\x03"
FEATURES = ("ch", "mx", "st", "rsh", "rch", "chx", "sum", "pad")
EXTENSIBLE = (3, 4, 8, 10, 11, 12, 13, 14)
"""Kinds of records that the conformance files pad."""


def packed(record: object, features: frozenset[str]) -> bytes:
    """Return a record as their library writes it, with padding if that is a feature."""
    builder = streams.RecordBuilder()
    record.write(builder)  # type: ignore[attr-defined]
    data: bytes = builder.end()
    if "pad" in features and data[0] in EXTENSIBLE:
        length = int.from_bytes(data[1:9], "little") + len(PADDING)
        data = data[:1] + length.to_bytes(8, "little") + data[9:] + PADDING
    return data


def their_file(features: frozenset[str], messages: int) -> bytes:
    schema = records.Schema(id=1, name="Example", encoding="c", data=bytes([4, 5, 6]))
    channel = records.Channel(
        id=1, schema_id=1, topic="example", message_encoding="a", metadata={"foo": "bar"}
    )
    sent = [
        records.Message(
            channel_id=1, sequence=10 + n, log_time=2 + n, publish_time=1 + n, data=bytes([1, 2, n])
        )
        for n in range(messages)
    ]
    inner = packed(schema, features) + packed(channel, features)
    entries = []
    for message in sent:
        entries.append((message.log_time, len(inner)))
        inner += packed(message, features)
    out = MAGIC + packed(records.Header(profile="", library=""), features)
    start, index_length, chunk_length = len(out), 0, 0
    if "ch" in features:
        chunk = records.Chunk(
            message_start_time=2,
            message_end_time=1 + messages,
            uncompressed_size=len(inner),
            uncompressed_crc=0,
            compression="",
            data=inner,
        )
        out += packed(chunk, features)
        chunk_length = len(out) - start
        if "mx" in features:
            index = packed(records.MessageIndex(channel_id=1, records=entries), features)
            out, index_length = out + index, len(index)
    else:
        out += inner
    attachment = records.Attachment(create_time=1, log_time=2, name="file", media_type="text", data=b"abc")
    out += packed(attachment, features) + packed(records.Metadata(name="meta", metadata={"a": "b"}), features)
    out += packed(records.DataEnd(data_section_crc=0), features)
    summary = len(out)
    groups = []
    if "rsh" in features:
        groups.append((3, packed(schema, features)))
    if "rch" in features:
        groups.append((4, packed(channel, features)))
    if "st" in features:
        statistics = records.Statistics(
            attachment_count=1,
            channel_count=1,
            channel_message_counts={1: messages},
            chunk_count=int("ch" in features),
            message_count=messages,
            message_end_time=1 + messages,
            message_start_time=2,
            metadata_count=1,
            schema_count=1,
        )
        groups.append((11, packed(statistics, features)))
    if "chx" in features and "ch" in features:
        offsets = {1: start + chunk_length} if "mx" in features else {}
        index = records.ChunkIndex(
            message_start_time=2,
            message_end_time=1 + messages,
            chunk_start_offset=start,
            chunk_length=chunk_length,
            message_index_offsets=offsets,
            message_index_length=index_length,
            compression="",
            compressed_size=len(inner),
            uncompressed_size=len(inner),
        )
        groups.append((8, packed(index, features)))
    at = summary
    offset_records = b""
    for opcode, data in groups:
        out += data
        if "sum" in features:
            offset = records.SummaryOffset(group_opcode=opcode, group_start=at, group_length=len(data))
            offset_records += packed(offset, features)
        at += len(data)
    footer = records.Footer(summary_start=summary if groups else 0, summary_offset_start=at, summary_crc=0)
    return out + offset_records + packed(footer, features) + MAGIC


def variants() -> Iterator[frozenset[str]]:
    for chosen in product((False, True), repeat=len(FEATURES)):
        yield frozenset(name for name, used in zip(FEATURES, chosen, strict=True) if used)


@pytest.mark.parametrize("messages", [0, 1, 10])
def test_every_combination_of_features_is_read(messages: int) -> None:
    for features in variants():
        data = their_file(features, messages)
        items = list(McapReader(BytesIO(data), "file").items())
        assert items == [
            Schema(1, "Example", "c", bytes([4, 5, 6])),
            Channel(1, 1, "example", "a", {"foo": "bar"}),
            *(Message(1, 10 + n, 2 + n, 1 + n, bytes([1, 2, n])) for n in range(messages)),
            ("meta", {"a": "b"}),
        ], sorted(features)


@pytest.mark.parametrize("compression", ["", "zstd", "lz4"])
@pytest.mark.parametrize("messages", [0, 1, 10])
def test_what_we_write_is_read_the_same_by_their_library(compression: str, messages: int) -> None:
    out = BytesIO()
    writer = McapWriter(out.write, compression=compression, chunk_bytes=100)
    writer.add_metadata("meta", {"a": "b"})
    if messages:
        writer.add_schema(Schema(1, "Example", "c", bytes([4, 5, 6])))
        writer.add_channel(Channel(1, 1, "example", "a", {"foo": "bar"}))
    for n in range(messages):
        writer.add_message(Message(1, 10 + n, 2 + n, 1 + n, bytes([1, 2, n])))
    writer.finish()
    theirs = list(stream_reader.StreamReader(BytesIO(out.getvalue()), validate_crcs=True).records)
    found = [record for record in theirs if isinstance(record, records.Message)]
    assert [(each.sequence, each.log_time, each.publish_time, each.data) for each in found] == [
        (10 + n, 2 + n, 1 + n, bytes([1, 2, n])) for n in range(messages)
    ]
    kinds = [type(record).__name__ for record in theirs]
    assert kinds[0] == "Header"
    assert kinds[-1] == "Footer"
    for n in range(messages):
        assert Message(1, 10 + n, 2 + n, 1 + n, bytes([1, 2, n])) in list(
            McapReader(BytesIO(out.getvalue()), "ours").items()
        )


def test_any_cut_or_changed_byte_is_an_error_or_changes_no_message() -> None:
    out = BytesIO()
    writer = McapWriter(out.write, chunk_bytes=150)
    writer.add_schema(Schema(1, "Example", "c", b"xyz"))
    writer.add_channel(Channel(1, 1, "example", "a", {}))
    for n in range(10):
        writer.add_message(Message(1, n, n, n, bytes([n] * 9)))
    writer.finish()
    good = out.getvalue()
    whole = [item for item in McapReader(BytesIO(good), "good").items() if isinstance(item, Message)]
    for offset in range(len(good)):
        changed = bytearray(good)
        changed[offset] ^= 0x10
        found: list[Message] = []
        try:
            taken(good[:offset], found)
            assert found == whole, offset  # only the summary is cut off
        except McapError:
            assert found == whole[: len(found)], offset
        found.clear()
        try:
            taken(bytes(changed), found)
        except McapError:
            continue  # an import takes nothing of such a file
        assert found == whole, offset


def taken(data: bytes, found: list[Message]) -> None:
    found.extend(item for item in McapReader(BytesIO(data), "file").items() if isinstance(item, Message))


def test_the_conformance_file_without_data_is_read() -> None:
    """The file NoData of MCAP's conformance tests, known by its published hash."""
    header = packed(records.Header(profile="", library=""), frozenset())
    footer = packed(
        records.Footer(summary_start=0, summary_offset_start=0, summary_crc=1875167664), frozenset()
    )
    data = MAGIC + header + packed(records.DataEnd(data_section_crc=0), frozenset()) + footer + MAGIC
    published = "707d2a9a999d72cb8bf37b27bed72140fa99dd22310b0adc2088e2c7b23fb601"
    assert hashlib.sha256(data).hexdigest() == published
    assert list(McapReader(BytesIO(data), "NoData").items()) == []
