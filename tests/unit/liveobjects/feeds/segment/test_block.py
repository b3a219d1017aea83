"""Blocks: any body with a right checksum is a block whose records can be read, or is refused."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.block import BadBodyError, Block, pack_block, unpack_block
from liven.liveobjects.feeds.segment.block_format import (
    ALIGNMENT,
    HEAD_SIZE,
    MOST_BODY,
    Head,
    pack_head,
    parse_head,
)
from liven.liveobjects.feeds.segment.pending_block import PendingBlock

Make = Callable[..., Record]


def packed(records: list[Record]) -> tuple[Head, bytes]:
    """Return the head and the body of a block of these records."""
    pending = PendingBlock()
    pending.extend(records, sum(len(record.payload) for record in records))
    data = b"".join(pack_block(pending.block(5), 7))
    head = parse_head(data)
    assert head is not None
    assert len(data) % ALIGNMENT == 0
    return head, data[HEAD_SIZE : HEAD_SIZE + head.body]


def test_a_block_comes_back(make: Make) -> None:
    records = [make(number) for number in range(40)]
    head, body = packed(records)
    block = unpack_block(head, body)
    assert (block.first, block.end, len(block)) == (5, 45, 40)
    assert list(block.records()) == records
    assert [block.record(row) for row in range(40)] == records
    assert block.payloads() == [record.payload for record in records]
    assert list(block.clip(0, 99).records()) == records
    assert list(block.clip(10, 12).records()) == records[5:7]
    assert len(block.clip(45, 50)) == len(block.clip(0, 5)) == 0
    assert block.author.rows_of("ann").tolist() == [record.author == "ann" for record in records]
    assert not block.author.rows_of("nobody").any()


@pytest.mark.parametrize("seed", range(300))
def test_a_forged_body_is_refused_or_can_be_read(make: Make, seed: int) -> None:
    chance = random.Random(seed)
    head, good = packed([make(number) for number in range(6)])
    body = bytearray(good)
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(body))
        value = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
        body[at : at + chance.choice((1, 1, 4))] = bytes([value])
    rows = chance.choice((6, 6, 6, 0, 1, 7, 1000, (1 << 32) - 1))
    forged = head._replace(rows=rows, body=len(body), body_crc=zlib.crc32(body))
    try:
        block = unpack_block(forged, bytes(body))
    except BadBodyError:
        return
    assert len(list(block.records())) == rows
    assert isinstance(block, Block)


@given(st.binary(max_size=200), st.integers(0, 9))
def test_any_bytes_are_refused_or_can_be_read(body: bytes, rows: int) -> None:
    head = Head(1, rows, len(body), zlib.crc32(body), 0, 0, 0, 7)
    try:
        block = unpack_block(head, body)
    except BadBodyError:
        return
    list(block.records())


def test_a_head_that_claims_too_much_is_none() -> None:
    head = Head(1, 1, 10, 0, 0, 0, 0, 7)
    assert parse_head(pack_head(head)) == head
    assert parse_head(pack_head(head._replace(body=MOST_BODY + 1))) is None
    assert parse_head(pack_head(head._replace(first=(1 << 62) + 1))) is None
    assert parse_head(pack_head(head)[:-1]) is None


def test_a_checksum_is_checked(make: Make) -> None:
    head, body = packed([make(0)])
    with pytest.raises(BadBodyError, match="its checksum is wrong"):
        unpack_block(replace_crc(head), body)
    with pytest.raises(BadBodyError, match="its body is cut off"):
        unpack_block(head, body[:-1])


def replace_crc(head: Head) -> Head:
    return head._replace(body_crc=head.body_crc ^ 1)
