"""The encoding of a segment: frames of records, each valid as a whole or not at all.

    frame:  magic with the format (4) · length of the body (4) · checksum (4) · body: consecutive records
    record: checksum (4) · channel (16) · kind (1) · serial (8) · before (8) · length (4) · payload

Checksums start from the segment's number, so that remains of another file never count as a frame. A reader
that finds damage searches the next frame, and distinguishes a torn end from damage in the middle.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from liven.liveobjects.channel.store.records import Record, RecordKind

FORMAT: Final = 2
"""The number of the format, in each frame. It grows with every change of what logs contain, also inside of
records: see `log_format`."""
_MARK: Final = b"\xa7LF"
MAGIC: Final = _MARK + str(FORMAT).encode()
_FRAME: Final = struct.Struct("<4sII")
_RECORD: Final = struct.Struct("<I16sBQQI")
_ASIDE: Final = 0x80
_KINDS: Final = {int(kind): kind for kind in RecordKind}
RECORD_HEAD: Final = _RECORD.size
FRAME_HEAD: Final = _FRAME.size
PAYLOAD_MOST: Final = 2**31


def format_of(head: bytes) -> int | None:
    """Return the format of a segment that begins with these bytes; None if it begins with no frame."""
    digit = head[len(_MARK) : len(MAGIC)]
    return int(digit) if head.startswith(_MARK) and digit.isdigit() else None


class DamagedError(Exception):
    """Bytes that are not a valid record."""


@dataclass(frozen=True, slots=True)
class FoundRecord:
    """A record and its offset in the segment."""

    offset: int
    record: Record

    @property
    def size(self) -> int:
        """Its size in bytes."""
        return RECORD_HEAD + len(self.record.payload)


@dataclass(frozen=True, slots=True)
class Damage:
    """Bytes that were skipped. At the end of a segment they are a torn write."""

    offset: int
    length: int
    at_end: bool


def pack_record(record: Record, salt: int) -> bytes:
    """Encode a record for the segment with number `salt`."""
    kind = int(record.kind) | (_ASIDE if record.aside else 0)
    head = _RECORD.pack(0, record.channel, kind, record.serial, record.before, len(record.payload))[4:]
    return struct.pack("<I", zlib.crc32(record.payload, zlib.crc32(head, salt))) + head + record.payload


def pack_frame(records: Sequence[Record], salt: int) -> tuple[bytes, list[int]]:
    """Encode a frame of all `records`, and return the offset of each."""
    parts = [pack_record(record, salt) for record in records]
    offsets, offset = [], FRAME_HEAD
    for part in parts:
        offsets.append(offset)
        offset += len(part)
    body = b"".join(parts)
    head = _FRAME.pack(MAGIC, len(body), _frame_sum(body, salt))
    return head + body, offsets


def unpack_record(data: bytes | memoryview, offset: int, salt: int, *, sound: bool = False) -> Record:
    """Decode the record at `offset`; raise DamagedError if its checksum is wrong. The checksum is skipped for
    `sound` bytes, whose frame was verified."""
    if offset + RECORD_HEAD > len(data):
        raise DamagedError(f"the file ends within the record at {offset}")
    checksum, channel, kind, serial, before, length = _RECORD.unpack_from(data, offset)
    end = offset + RECORD_HEAD + length
    if end > len(data):
        raise DamagedError(f"the file ends within the record at {offset}")
    if not sound and zlib.crc32(memoryview(data)[offset + 4 : end], salt) != checksum:
        raise DamagedError(f"the checksum of the record at {offset} is wrong")
    known = _KINDS.get(kind & ~_ASIDE)
    if known is None:
        raise DamagedError(
            f"the record at {offset} is of an unknown kind; a newer program may have written it"
        )
    payload = bytes(data[offset + RECORD_HEAD : end])
    return Record(bytes(channel), known, serial, before, payload, bool(kind & _ASIDE))


def scan(data: bytes, salt: int) -> Iterator[FoundRecord | Damage]:
    """Return everything in a segment, in the order of the file."""
    offset, bad = 0, -1
    while offset < len(data):
        length = _frame_length(data, offset, salt)
        if length is None:
            bad = offset if bad < 0 else bad
            offset = _next_magic(data, offset + 1)
            continue
        if bad >= 0:
            yield Damage(bad, offset - bad, at_end=False)
            bad = -1
        end = offset + FRAME_HEAD + length
        yield from _records(data, offset + FRAME_HEAD, end, salt)
        offset = end
    if bad >= 0:
        yield Damage(bad, len(data) - bad, at_end=True)


def _records(data: bytes, offset: int, end: int, salt: int) -> Iterator[FoundRecord | Damage]:
    body = memoryview(data)[:end]
    while offset < end:
        try:
            found = FoundRecord(offset, unpack_record(body, offset, salt, sound=True))
        except DamagedError:  # the frame is valid, so this is an unknown kind of record
            yield Damage(offset, end - offset, at_end=False)
            return
        yield found
        offset += found.size


def _frame_length(data: bytes, offset: int, salt: int) -> int | None:
    """Return the length of the body of the frame that begins here; None if there is none."""
    if offset + FRAME_HEAD > len(data):
        return None
    magic, length, checksum = _FRAME.unpack_from(data, offset)
    end = offset + FRAME_HEAD + length
    if magic != MAGIC or end > len(data):
        return None
    return length if _frame_sum(memoryview(data)[offset + FRAME_HEAD : end], salt) == checksum else None


def _frame_sum(body: bytes | memoryview, salt: int) -> int:
    return zlib.crc32(body, salt ^ len(body) ^ 0x5EED)


def _next_magic(data: bytes, start: int) -> int:
    place = data.find(MAGIC, start)
    return len(data) if place < 0 else place
