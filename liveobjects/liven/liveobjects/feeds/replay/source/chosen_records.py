"""Some records of a log, by their sequences and times."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from liven.liveobjects.feeds.segment.block import Block


class ChosenRecords:
    """The records to take from a log. A log that was begun anew has other records at the same sequences, so
    their times count, too."""

    def __init__(self, sequence: NDArray[np.int64], received: NDArray[np.int64]) -> None:
        """Choose the records at these sequences, which are in order."""
        self._sequence = sequence
        self._received = received
        self.found = 0

    def __len__(self) -> int:
        return len(self._sequence)

    @property
    def first(self) -> int:
        """The first sequence."""
        return int(self._sequence[0]) if len(self) else 0

    @property
    def end(self) -> int:
        """The sequence after the last one."""
        return int(self._sequence[-1]) + 1 if len(self) else 0

    def mask(self, block: Block) -> NDArray[np.bool_]:
        """Return a mask of the records of a block that are chosen, and count them."""
        low, high = np.searchsorted(self._sequence, (block.first, block.end))
        places = self._sequence[low:high] - block.first
        mask = np.zeros(len(block), np.bool_)
        mask[places[block.received[places] == self._received[low:high]]] = True
        self.found += int(mask.sum())
        return mask
