"""The last operation of each channel in a log, so that a recorder goes on after it.

The log itself tells the numbers. A small file beside it has the chain hashes too, which tell if the history
that goes on is the same one; it spares reading the log again, and nothing is lost without it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import numpy as np

from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.record import CHECKPOINT
from liven.liveobjects.feeds.recorder.hand_over import Position
from liven.liveobjects.feeds.segment.block import Block
from liven.liveobjects.feeds.segment.reader import Log
from liven.runtime.files import PRIVATE, read_json, write_file

NAME: Final = "positions.json"
_MOST_BYTES: Final = 16 << 20


def read_positions(folder: Path) -> dict[str, Position]:
    """Return the last operation of each channel in the log of a folder."""
    log = Log(folder)
    begin, positions = _noted(folder, log)
    for block in log.blocks(max(begin, log.begin), log.end, on_damage=lambda _: None):
        for channel, serial in _last_serials(block):
            if serial != positions.get(channel, Position(-1, b"")).serial:
                positions[channel] = Position(serial, b"")
    return positions


def write_positions(folder: Path, log: int, end: int, positions: Mapping[str, Position]) -> None:
    """Write the positions of a log up to a sequence; raise OSError."""
    content = {
        "log": f"{log:016x}",
        "end": end,
        "channels": {name: [each.serial, each.chain.hex()] for name, each in positions.items()},
    }
    write_file(folder / NAME, json.dumps(content).encode() + b"\n", PRIVATE)


def _noted(folder: Path, log: Log) -> tuple[int, dict[str, Position]]:
    """Return what the file says, if it is of this log; else nothing, and the log is read from its begin."""
    with suppress(OSError, ValueError, TypeError, AttributeError, KeyError, FeedError):
        found = read_json(folder / NAME, _MOST_BYTES)
        end = found["end"]
        if isinstance(end, int) and 0 <= end <= log.end and found["log"] == f"{log.log or 0:016x}":
            rows = found["channels"].items()
            return end, {name: Position(int(row[0]), bytes.fromhex(row[1])) for name, row in rows}
    return 0, {}


def _last_serials(block: Block) -> list[tuple[str, int]]:
    """Return the last serial of each channel in a block, checkpoints left aside."""
    events = np.flatnonzero((block.flags & CHECKPOINT) == 0)
    codes = block.channel.codes[events]
    found = []
    for code in np.unique(codes):
        last = events[np.flatnonzero(codes == code)[-1]]
        found.append((block.channel.table[int(code)], int(block.serial[last])))
    return found
