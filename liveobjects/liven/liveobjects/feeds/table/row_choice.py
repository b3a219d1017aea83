"""A choice of a log's records for tables: those that are sealed on some channels, or all but those."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from liven.liveobjects.feeds.segment.block import Block, four_names


@dataclass(frozen=True, slots=True)
class RowChoice:
    """The records of some types on some channels if `inside`, and all others if not."""

    channels: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    inside: bool = False

    def rows(self, block: Block) -> npt.NDArray[np.bool_]:
        """Return for each row of a block whether it is chosen."""
        found = block.channel.rows_among(self.channels) & block.type.rows_among(self.types)
        return found if self.inside else ~found


ALL: Final = RowChoice()


def without_payloads(block: Block, rows: npt.NDArray[np.bool_]) -> Block:
    """Return some rows of a block, which need not follow each other, without payloads; sequences of the rows
    mean nothing."""
    return Block(
        block.first,
        block.received[rows],
        block.sent[rows],
        block.serial[rows],
        *four_names([(names.codes[rows], names.table) for names in block.names()]),
        block.flags[rows],
        np.zeros(int(rows.sum()) + 1, np.int32),
        memoryview(b""),
    )
