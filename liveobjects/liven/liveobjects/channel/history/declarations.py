"""Declarations that members will not come back: the marks that they add to the founding of a channel.

Somebody may say so by mistake, while those members work on elsewhere. Operations of one epoch that were not
confirmed before may then be confirmed here, and others in their places there. So an epoch and a number no
longer tell if two histories have the same operation: each mark says from which number on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from liven.liveobjects.channel.history.position import IDENTITY_BYTES, Epoch

RANDOM_BYTES: Final = 6
_NUMBER_BYTES: Final = 5
MARK_BYTES: Final = RANDOM_BYTES + 2 * _NUMBER_BYTES
"""Bytes of the mark that each declaration adds to the founding."""
DECLARATIONS_MOST: Final = 64
"""Limit of such declarations in the life of a channel, because every report has their marks."""
FOUNDING_MOST: Final = IDENTITY_BYTES + DECLARATIONS_MOST * MARK_BYTES


class Declaration(NamedTuple):
    """One declaration."""

    random: bytes
    """Bytes that tell it from all others."""
    stable: int
    """The last operation that was known to be confirmed."""
    tip: int
    """The last operation of the history."""


def mark(random: bytes, stable: int, tip: int) -> bytes:
    """Return the mark of a declaration."""
    return random + stable.to_bytes(_NUMBER_BYTES, "big") + tip.to_bytes(_NUMBER_BYTES, "big")


def declarations(founding: bytes) -> list[Declaration]:
    """Return the declarations in a founding, oldest first."""
    marks = founding[IDENTITY_BYTES:]
    return [_read(marks[start : start + MARK_BYTES]) for start in range(0, len(marks), MARK_BYTES)]


def _read(one: bytes) -> Declaration:
    numbers = one[RANDOM_BYTES:]
    stable, tip = (int.from_bytes(each, "big") for each in (numbers[:_NUMBER_BYTES], numbers[_NUMBER_BYTES:]))
    return Declaration(one[:RANDOM_BYTES], stable, tip)


class Comparison(NamedTuple):
    """The foundings of two histories that are compared."""

    own: bytes
    other: bytes

    def may_differ(self, number: int, epochs: Iterable[Epoch]) -> bool:
        """True if the histories may have different operations at a number although both are in one epoch.
        `epochs` are those of the history whose founding is `own`."""
        if not len(self.own) > IDENTITY_BYTES and not len(self.other) > IDENTITY_BYTES:
            return False
        known = declarations(self.own)
        begins = [epoch.parent.number for epoch in epochs]
        for each in known:
            # The first epoch that began after the declaration is of this side alone.
            until = min((begin for begin in begins if begin >= each.tip), default=number)
            if each.stable < number <= until:
                return True
        return any(number > each.stable for each in declarations(self.other) if each not in known)


ALIKE: Final = Comparison(b"", b"")
"""The comparison of histories whose epochs tell everything."""
