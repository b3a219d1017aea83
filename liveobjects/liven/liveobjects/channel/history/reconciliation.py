"""Choosing one history when several meet, for example after a network cut.

| the histories                          | the winner                                                      |
|----------------------------------------|-----------------------------------------------------------------|
| one is a prefix of the other           | the longer                                                      |
| forked, one in a main epoch, one not   | the one in the main epoch                                       |
| forked, both main or neither           | more stable operations; else more operations; else smaller hash |

Clocks never matter. The rest of a losing history is recovered by kind (`recovery`): authors submit operations
again that were not stable, and stable operations are kept as a branch for a person to decide on.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from liven.liveobjects.channel.history.position import Position


@dataclass(frozen=True, slots=True)
class Claim:
    """The history that a member offers."""

    tip: Position
    main: bool
    """True if the epoch of the tip is a main epoch."""
    stable: Position
    """The last stable operation."""
    main_number: int = 0
    """The number of the last operation that a main epoch ordered. Some before it may be confirmed without the
    member's knowing."""


@dataclass(frozen=True, slots=True)
class Fork:
    """The relation of a member's history to the winning one."""

    prefix: bool
    """True if all of it is part of the winning history."""
    stable_kept: bool
    """True if its stable part is in the winning history."""


class Recovery(enum.Enum):
    """The treatment of a history that lost."""

    NOTHING = "nothing"
    """Nothing is lost: it is part of the winning history."""
    SUBMIT_AGAIN = "submit again"
    """Authors who are present submit what is missing again, in their own order."""
    BRANCH = "branch"
    """Stable operations would be lost: everything after the fork becomes a branch, and nothing is submitted
    again unless a person decides so."""


_RECOVERIES = {
    (True, True): Recovery.NOTHING,
    (True, False): Recovery.NOTHING,
    (False, True): Recovery.SUBMIT_AGAIN,
    (False, False): Recovery.BRANCH,
}


def recovery(fork: Fork) -> Recovery:
    """Return the treatment of a history, by its relation to the winning one."""
    return _RECOVERIES[fork.prefix, fork.stable_kept]


def _rank(claim: Claim) -> tuple[bool, int, int, int, bytes]:
    """Return a sort key: the greatest claim wins, and a smaller hash ranks higher."""
    complement = bytes(255 - byte for byte in claim.tip.chain)
    return claim.main, claim.stable.number, claim.main_number, claim.tip.number, complement


def choose(claims: Sequence[Claim], is_prefix: Callable[[int, int], bool]) -> int:
    """Return the index of the winning claim. `is_prefix(a, b)` is true if claim a's history is part of claim
    b's.

    The first of equal histories wins. Raises ValueError without claims.
    """
    if not claims:
        raise ValueError("there is no history to choose")
    longest = [
        index
        for index, claim in enumerate(claims)
        if not any(
            claims[other].tip.number > claim.tip.number and is_prefix(index, other)
            for other in range(len(claims))
        )
    ]
    return max(longest, key=lambda index: (_rank(claims[index]), -index))
