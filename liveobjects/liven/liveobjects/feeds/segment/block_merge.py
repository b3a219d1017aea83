"""Several small blocks as one: numbers are joined, the tables of names become one table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from liven.liveobjects.feeds.record import ASIDE
from liven.liveobjects.feeds.segment.block import Block, Codes, Names, four_names
from liven.liveobjects.feeds.segment.block_format import MOST_BYTES, MOST_ROWS
from liven.liveobjects.feeds.segment.large_payloads import length_of


def merged_blocks(blocks: Iterable[Block]) -> Iterator[Block]:
    """Return the same records in blocks as large as a writer makes them; a gap in the numbers stays between
    two."""
    held: list[Block] = []
    rows = size = 0
    for block in blocks:
        more = whole_size(block)
        full = rows + len(block) > MOST_ROWS or size + more > MOST_BYTES
        if held and (full or held[-1].end != block.first):
            yield merge(held)
            held, rows, size = [], 0, 0
        held.append(block)
        rows, size = rows + len(block), size + more
    if held:
        yield merge(held)


def merge(blocks: Sequence[Block]) -> Block:
    """Return consecutive blocks as one."""
    if len(blocks) == 1:
        return blocks[0]
    sizes = [block.size for block in blocks]
    starts = np.cumsum([0, *sizes[:-1]], dtype=np.int32)
    ends = [block.ends[1:] - block.ends[0] + start for block, start in zip(blocks, starts, strict=True)]
    return Block(
        blocks[0].first,
        np.concatenate([block.received for block in blocks]),
        np.concatenate([block.sent for block in blocks]),
        np.concatenate([block.serial for block in blocks]),
        *four_names(
            [_merged_names(columns) for columns in zip(*(each.names() for each in blocks), strict=True)]
        ),
        np.concatenate([block.flags for block in blocks]),
        np.concatenate([np.zeros(1, np.int32), *ends]),
        memoryview(b"".join(block.payload[block.ends[0] : block.ends[-1]] for block in blocks)),
    )


def whole_size(block: Block) -> int:
    """Return the bytes of all payloads, those beside the segment among them."""
    aside = np.flatnonzero(block.flags & np.uint32(ASIDE)).tolist()
    return block.size + sum(length_of(block.payload_of(row)) for row in aside)


def _merged_names(columns: Sequence[Names]) -> tuple[Codes, list[str]]:
    table: dict[str, int] = {}
    codes = []
    for names in columns:
        place = [table.setdefault(name, len(table)) for name in names.table]
        codes.append(np.array(place, np.uint32)[names.codes])
    return np.concatenate(codes), list(table)
