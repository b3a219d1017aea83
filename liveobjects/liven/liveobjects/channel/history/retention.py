"""Bounds on what a history remembers: the authors who were active last, and the last epochs.

Both follow from the history alone, so that all its members remember the same. An author whose mark was
forgotten may submit an operation twice, if it returns with one that it does not know to be stable; that takes
a thousand other active authors in between. A history that ended in a forgotten epoch counts as a fork, and is
kept as a branch if it has operations that are missing here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from liven.liveobjects.channel.history.position import Epoch

MARKS_MOST: Final = 1000
"""Authors whose last operation number is remembered."""
EPOCHS_MOST: Final = 64
"""Number of epochs that are remembered."""


def mark(marks: dict[bytes, int], author: bytes, number: int) -> None:
    """Record an author's last operation, and forget the author who was inactive for longest."""
    marks.pop(author, None)
    marks[author] = number
    if len(marks) > MARKS_MOST:
        del marks[next(iter(marks))]


def is_forgotten(marks: Mapping[bytes, int], author: bytes) -> bool:
    """True if the history may hold operations of this author but no longer remembers them."""
    return author not in marks and len(marks) >= MARKS_MOST


def with_epoch(epochs: tuple[Epoch, ...], epoch: Epoch) -> tuple[Epoch, ...]:
    """Return the epochs with a new one at the end, without those beyond the bound."""
    return (*epochs[-(EPOCHS_MOST - 1) :], epoch)
