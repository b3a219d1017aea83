"""Bounds on what a history remembers: the authors who were active last, and the last epochs.

Both follow from the history alone, so that all its members remember the same. An operation of an author whose
mark was forgotten may be taken twice, if somebody returns who does not know that it is stable; that takes a
thousand other active authors in between. A history that ended in a forgotten epoch counts as a fork, and is
kept as a branch if it has operations that are missing here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from liven.liveobjects.channel.history.inheritance import FIRST_OWN, unwrapped
from liven.liveobjects.channel.history.position import Epoch

MARKS_MOST: Final = 1000
"""Authors whose last operation number is remembered."""
EPOCHS_MOST: Final = 64
"""Number of epochs that are remembered."""


def mark(marks: dict[bytes, int], author: bytes, number: int) -> None:
    """Record an author's last operation, and forget the author who was inactive for longest."""
    marks[author] = max(marks.pop(author, 0), number)
    if len(marks) > MARKS_MOST:
        del marks[next(iter(marks))]


def take(marks: dict[bytes, int], author: bytes, first: int, payloads: Sequence[bytes]) -> tuple[int, ...]:
    """Record an author's next operations, which may be inherited ones. Return the places of those that the
    history has already: they are void."""
    before = marks.get(author, 0)
    mark(marks, author, first + len(payloads) - 1)
    if first >= FIRST_OWN:
        return tuple(range(min(before + 1 - first, len(payloads)))) if before >= first else ()
    known: list[int] = []
    for place, payload in enumerate(payloads):
        operation = unwrapped(payload)
        if marks.get(operation.author, 0) < operation.number:
            mark(marks, operation.author, operation.number)
        else:
            known.append(place)
    return tuple(known)


def is_forgotten(marks: Mapping[bytes, int], author: bytes) -> bool:
    """True if the history may hold operations of this author but no longer remembers them."""
    return author not in marks and len(marks) >= MARKS_MOST


def with_epoch(epochs: tuple[Epoch, ...], epoch: Epoch) -> tuple[Epoch, ...]:
    """Return the epochs with a new one at the end, without those beyond the bound."""
    return (*epochs[-(EPOCHS_MOST - 1) :], epoch)
