"""Small blocks joined."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.block import Block
from liven.liveobjects.feeds.segment.block_format import MOST_ROWS
from liven.liveobjects.feeds.segment.block_merge import merge, merged_blocks
from liven.liveobjects.feeds.segment.pending_block import PendingBlock

NAMES = st.sampled_from(["", "a", "é", "long" * 20, "b"])
RECORDS = st.builds(
    Record,
    st.integers(-(1 << 63), (1 << 63) - 1),
    st.integers(-(1 << 63), (1 << 63) - 1),
    NAMES,
    NAMES,
    NAMES,
    NAMES,
    st.integers(0, (1 << 64) - 1),
    st.integers(0, 15),
    st.binary(max_size=30),
)


def blocks_of(parts: list[list[Record]], first: int = 5) -> list[Block]:
    found = []
    for part in parts:
        pending = PendingBlock()
        pending.extend(part, sum(len(record.payload) for record in part))
        found.append(pending.block(first))
        first += len(part)
    return found


@given(st.lists(st.lists(RECORDS, min_size=1, max_size=9), min_size=1, max_size=6))
def test_merged_blocks_have_the_same_records(parts: list[list[Record]]) -> None:
    blocks = blocks_of(parts)
    whole = merge(blocks)
    assert whole.first == 5
    assert list(whole.records()) == [record for part in parts for record in part]
    sliced = [block.slice(len(block) // 2, len(block)) for block in blocks[:1]]
    assert list(merge(sliced).records()) == parts[0][len(parts[0]) // 2 :]


def test_blocks_are_merged_up_to_the_size_of_a_block() -> None:
    record = Record(1, 1, "o", "c", "a", "t", 1, 0, bytes(10))
    merged = list(merged_blocks(iter(blocks_of([[record] * 3000] * 5, first=0))))
    assert [len(block) for block in merged] == [6000, 6000, 3000]
    assert max(len(block) for block in merged) <= MOST_ROWS
    large = record._replace(payload=bytes(200_000))
    merged = list(merged_blocks(iter(blocks_of([[large] * 2] * 4, first=0))))
    assert [len(block) for block in merged] == [4, 4]


def test_a_gap_in_the_numbers_stays_between_two_blocks() -> None:
    record = Record(1, 1, "o", "c", "a", "t", 1, 0, b"")
    first, second = blocks_of([[record] * 3, [record] * 2], first=0)
    apart = second.numbered(10)
    assert [(block.first, block.end) for block in merged_blocks([first, apart])] == [(0, 3), (10, 12)]
