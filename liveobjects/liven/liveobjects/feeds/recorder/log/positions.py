"""The last number of each series in a log, so that a recorder goes on after it.

A series is the order of a channel or, where there is none, what one author says on it. The log itself tells
the numbers. A small file beside it has the chain hashes too, which tell if the history that goes on is the
same one; it spares reading the log again, and nothing is lost without it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import numpy as np

from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.record import CHECKPOINT
from liven.liveobjects.feeds.recorder.log.hand_over import Numbered, Position
from liven.liveobjects.feeds.segment.block import Block
from liven.liveobjects.feeds.segment.reader import Log
from liven.runtime.files import PRIVATE, read_json, write_file

NAME: Final = "positions.json"
_MOST_BYTES: Final = 16 << 20


def read_positions(folder: Path, by_author: Collection[str] = ()) -> dict[Numbered, Position]:
    """Return the last number of each series in the log of a folder. The channels in `by_author` have no
    order."""
    log = Log(folder)
    begin, positions = _noted(folder, log)
    for block in log.blocks(max(begin, log.begin), log.end, on_damage=lambda _: None):
        for series, serial in _last_serials(block, by_author):
            known = positions.pop(series, None)
            if known is None or known.serial != serial:
                known = Position(serial, b"")
            positions[series] = known
    return positions


def write_positions(folder: Path, log: int, end: int, positions: Mapping[Numbered, Position]) -> None:
    """Write the positions of a log up to a sequence; raise OSError."""
    channels: dict[str, object] = {}
    authors: dict[str, dict[str, int]] = {}
    for (channel, author), each in positions.items():
        if author:
            authors.setdefault(channel, {})[author] = each.serial
        else:
            channels[channel] = [each.serial, each.chain.hex()]
    content = {"log": f"{log:016x}", "end": end, "channels": channels, "authors": authors}
    write_file(folder / NAME, json.dumps(content).encode() + b"\n", PRIVATE)


def _noted(folder: Path, log: Log) -> tuple[int, dict[Numbered, Position]]:
    """Return what the file says, if it is of this log; else nothing, and the log is read from its begin."""
    with suppress(OSError, ValueError, TypeError, AttributeError, KeyError, FeedError):
        found = read_json(folder / NAME, _MOST_BYTES)
        end = found["end"]
        if isinstance(end, int) and 0 <= end <= log.end and found["log"] == f"{log.log or 0:016x}":
            rows = found["channels"].items()
            noted = {Numbered(name): Position(int(row[0]), bytes.fromhex(row[1])) for name, row in rows}
            for name, authors in found.get("authors", {}).items():
                noted |= {Numbered(name, each): Position(int(last), b"") for each, last in authors.items()}
            return end, noted
    return 0, {}


def _last_serials(block: Block, by_author: Collection[str]) -> list[tuple[Numbered, int]]:
    """Return the last serial of each series in a block, checkpoints left aside."""
    width = len(block.author.table)
    has_order = np.array([name not in by_author for name in block.channel.table], np.bool_)
    events = np.flatnonzero((block.flags & CHECKPOINT) == 0)
    channels, authors = block.channel.codes[events].astype(np.int64), block.author.codes[events]
    series = channels * (width + 1) + np.where(has_order[channels], width, authors)
    last = dict(zip(series.tolist(), events.tolist(), strict=True))  # of several, the last one stays
    found = []
    for code, row in last.items():
        channel, author = divmod(code, width + 1)
        name = "" if author == width else block.author.table[author]
        found.append((Numbered(block.channel.table[channel], name), int(block.serial[row])))
    return found
