"""The size of a log on the disk, and what is in it by name: counted from heads, or block by block."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from liven.liveobjects.feeds.record import CHECKPOINT, GAP
from liven.liveobjects.feeds.segment.block import NAME_COLUMNS, Block
from liven.liveobjects.feeds.segment.large_payloads import NAME as ASIDE
from liven.liveobjects.feeds.segment.reader import Log, OnDamage
from liven.liveobjects.feeds.segment.segment_files import segment_files

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Counts:
    """The number of records of each name in a log."""

    records: int = 0
    payload: int = 0
    """Bytes of all payloads."""
    checkpoints: int = 0
    gaps: int = 0
    names: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in NAME_COLUMNS})

    def add(self, block: Block) -> None:
        """Count the records of a block."""
        self.records += len(block)
        self.payload += block.size
        self.checkpoints += int(np.count_nonzero(block.flags & np.uint32(CHECKPOINT)))
        self.gaps += int(np.count_nonzero(block.flags & np.uint32(GAP)))
        for column, names in zip(NAME_COLUMNS, block.names(), strict=True):
            found = np.bincount(names.codes, minlength=len(names.table)).tolist()
            counter = self.names[column]
            for name, count in zip(names.table, found, strict=True):
                if count:
                    counter[name] += count


def size_of(folder: Path) -> int:
    """Return the bytes of a log's files."""
    sizes = [file.path.stat().st_size for file in segment_files(folder)]
    return sum(sizes) + sum(_sizes_in(folder / ASIDE))


def counted(log: Log, progress: Progress, on_damage: OnDamage) -> Counts:
    """Return the counts of a log; `progress` is called with records done and in all."""
    counts = Counts()
    begin, end = log.begin, log.end
    for block in log.blocks(begin, end, on_damage):
        counts.add(block)
        progress(block.end - begin, end - begin)
    return counts


def _sizes_in(folder: Path) -> Iterator[int]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                yield entry.stat().st_size
    except FileNotFoundError:
        return
