"""The head of a block: 64 bytes at a multiple of 64, with a checksum of its own.

The first nine bytes (magic, checksum of the rest, version) stay where they are in every later version, so
that an older program can say which version it would need.
"""

from __future__ import annotations

import struct
import zlib
from typing import Final, NamedTuple

MAGIC: Final = b"\xa7LFB"
VERSION: Final = 1
HEAD_SIZE: Final = 64
ALIGNMENT: Final = 64
SUFFIX: Final = ".seg"

RECORDS: Final = 1
HOLE: Final = 2
"""Numbers whose records were damaged and set aside; no body."""
INDEX: Final = 3
"""The heads of all blocks of a sealed file."""
TAIL: Final = 4
"""The last 64 bytes of a sealed file; `earliest` is the place of the index."""
KINDS: Final = (RECORDS, HOLE, INDEX, TAIL)

MOST_ROWS: Final = 8192
MOST_BYTES: Final = 1 << 20
"""A block is written when its payloads and names reach this; they are not split, so the last ones may go
beyond."""
MOST_BODY: Final = 64 << 20
"""A longer body is damage: no writer makes one, and no reader allocates it."""
MOST_NAME: Final = 1 << 20
"""Bytes of an object, channel, author or type."""
MOST_PAYLOAD: Final = 256 << 20
LONG_PAYLOAD: Final = 256 << 10
"""A longer payload lies in a file beside the segment."""
MOST_SEQUENCE: Final = 1 << 62

_HEAD: Final = struct.Struct("<4sIBBHIIIQqqQ8x")
_REST: Final = struct.Struct("<BBHIIIQqqQ8x")
_START: Final = 8
"""Bytes before the part that the head's checksum covers."""


class Head(NamedTuple):
    """The fields of a head."""

    kind: int
    rows: int
    body: int
    body_crc: int
    first: int
    earliest: int
    latest: int
    log: int
    version: int = VERSION

    @property
    def end(self) -> int:
        """The sequence after the last record of the block."""
        return self.first + self.rows if self.kind in (RECORDS, HOLE) else self.first

    @property
    def size(self) -> int:
        """Bytes of the block with its head and padding."""
        return HEAD_SIZE + self.body + padding(self.body, ALIGNMENT)

    @property
    def is_known(self) -> bool:
        """True if this version of the program can read the block."""
        return self.version == VERSION and self.kind in KINDS


def padding(size: int, alignment: int) -> int:
    """Return the bytes that are missing up to a multiple of `alignment`."""
    return -size % alignment


def pack_head(head: Head) -> bytes:
    """Return the 64 bytes of a head."""
    rest = _REST.pack(
        head.version,
        head.kind,
        0,
        head.rows,
        head.body,
        head.body_crc,
        head.first,
        head.earliest,
        head.latest,
        head.log,
    )
    return MAGIC + zlib.crc32(rest).to_bytes(4, "little") + rest


def parse_head(data: bytes | memoryview) -> Head | None:
    """Return the head in these bytes; None if they are not a whole one."""
    if len(data) < HEAD_SIZE:
        return None
    magic, crc, version, kind, _, rows, body, body_crc, first, earliest, latest, log = _HEAD.unpack_from(data)
    if magic != MAGIC or zlib.crc32(data[_START:HEAD_SIZE]) != crc:
        return None
    if version == VERSION and (body > MOST_BODY or first + rows > MOST_SEQUENCE):
        return None
    return Head(kind, rows, body, body_crc, first, earliest, latest, log, version)
