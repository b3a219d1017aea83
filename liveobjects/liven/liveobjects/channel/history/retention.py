"""How much of the past a history remembers: the authors that did something last, and the last epochs.

Both are functions of the history alone, so that all who have it remember the same. Whose mark is forgotten
may bring in an operation twice, if it comes back with one of which it was never told that it is stable; the
others would have to do something each, a thousand of them, in between. A history that ended in an epoch that
is forgotten is taken for another one, and is kept as a branch if it has anything that this one has not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from liven.liveobjects.channel.history.position import Epoch

MARKS_MOST: Final = 1000
"""Authors whose last number is remembered."""
EPOCHS_MOST: Final = 64
"""Epochs that are remembered."""


def mark(marks: dict[bytes, int], author: bytes, number: int) -> None:
    """An author did something, and is forgotten last; who did nothing for longest is the first."""
    marks.pop(author, None)
    marks[author] = number
    if len(marks) > MARKS_MOST:
        del marks[next(iter(marks))]


def is_forgotten(marks: Mapping[bytes, int], author: bytes) -> bool:
    """Whether an author may have done something that nobody remembers."""
    return author not in marks and len(marks) >= MARKS_MOST


def with_epoch(epochs: tuple[Epoch, ...], epoch: Epoch) -> tuple[Epoch, ...]:
    """The epochs and the one that begins after them."""
    return (*epochs[-(EPOCHS_MOST - 1) :], epoch)
