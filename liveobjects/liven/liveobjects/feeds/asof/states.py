"""The states of objects at a moment: the last checkpoint of each and the operations since, as bytes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from liven.liveobjects.feeds.asof.merged_blocks import Blocks
from liven.liveobjects.feeds.asof.moment_index import (
    Branches,
    MomentIndex,
    ObjectKey,
    Place,
    events_of,
    outside_branches,
)
from liven.liveobjects.feeds.record import CHECKPOINT, VALUE
from liven.liveobjects.feeds.segment.block import Block
from liven.liveobjects.feeds.segment.block_format import MOST_ROWS


@dataclass(slots=True)
class ObjectState:
    """The state of an object at a moment."""

    key: ObjectKey
    sequence: int
    """The last record that belongs to it."""
    received: int = 0
    """When that record came, in microseconds since 1970."""
    base: int | None = None
    """The sequence of the last checkpoint or value; None if the object began empty."""
    type: str = ""
    """The type of `state`."""
    state: bytes | None = None
    """The payload of the last checkpoint or value."""
    operations: list[bytes] = field(default_factory=list)
    """The messages after it, in order."""


def states_as_of(log: Blocks, at: int, index: MomentIndex | None = None) -> list[ObjectState]:
    """Return the state of each object after all records below `at`. An index saves reading the whole log."""
    index = index or MomentIndex(log)
    places = index.places(at)
    branches = index.branches(min(at, index.end))
    found = {place.key: ObjectState(place.key, place.last, base=place.base) for place in places}
    for block in _needed(log, places, at):
        _collect(block, found, branches)
    return list(found.values())


def _needed(log: Blocks, places: Iterable[Place], at: int) -> Iterator[Block]:
    """Return the parts of the log that hold a state, each once and in order.

    A stream's state is one record, so its part is that record; other objects need all since their checkpoint.
    """
    begin = log.begin
    merged: list[tuple[int, int]] = []
    for low, high in sorted(
        (begin if place.base is None else place.base, place.last + 1) for place in places
    ):
        if merged and low - merged[-1][1] < MOST_ROWS:  # likely the same block: read it once
            merged[-1] = merged[-1][0], max(merged[-1][1], high)
        else:
            merged.append((low, high))
    for low, high in merged:
        yield from log.blocks(low, min(high, at), lambda _: None)


def _collect(block: Block, found: dict[ObjectKey, ObjectState], branches: Branches) -> None:
    """Add the records of a block to the states that they belong to."""
    counts = events_of(block)
    if branches:
        counts = counts & outside_branches(block, branches)
    width = len(block.channel.table)
    pairs = block.object.codes.astype(np.int64) * width + block.channel.codes
    rows_of: dict[int, list[int]] = defaultdict(list)
    for row in np.flatnonzero(counts).tolist():
        rows_of[int(pairs[row])].append(row)
    for pair, rows in rows_of.items():
        state = found.get(ObjectKey(block.object.table[pair // width], block.channel.table[pair % width]))
        if state is not None:
            _take(block, rows, state)


def _take(block: Block, rows: list[int], state: ObjectState) -> None:
    for row in rows:
        sequence, flags = block.first + row, int(block.flags[row])
        is_older = state.base is not None and sequence < state.base
        if sequence > state.sequence or is_older:
            continue
        if sequence == state.base:
            state.type, state.state = block.type[row], block.payload_of(row)
        elif not flags & (CHECKPOINT | VALUE):
            state.operations.append(block.payload_of(row))
        if sequence == state.sequence:
            state.received = int(block.received[row])
