"""Choosing one history when several meet, for example after a network cut.

| the histories                                     | the winner                                   |
|---------------------------------------------------|----------------------------------------------|
| one is a prefix of the other                      | the longer                                   |
| one has confirmed operations that the other lacks | this one; if both do, the one with more      |
| one is of a member of the latest session          | this one                                     |
| one ends in a main epoch                          | this one                                     |
| otherwise                                         | more operations up to the last main epoch;   |
|                                                   | else more operations; else a smaller hash    |

Each member knows a part of what is confirmed. So a history counts with everything in it that any member here
knows to be confirmed. An operation may be confirmed without the knowledge of anybody here; then all members
of the latest session have it. Clocks never matter.

The rest of a losing history is recovered by kind (`recovery`): authors submit operations again that were not
stable, and stable operations are kept as a branch for a person to decide on.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

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
    """The number of the last operation that a main epoch ordered, or found here when it began. Some up to it
    may be confirmed without the member's knowing."""


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


Relation: TypeAlias = Callable[[int, int], bool]
"""A relation between two claims, given by their indices."""


def choose(
    claims: Sequence[Claim], is_prefix: Relation, keeps_stable: Relation, votes: Sequence[bool] = ()
) -> int:
    """Return the index of the winning claim.

    `is_prefix(a, b)` is true if claim a's history is part of claim b's, and `keeps_stable(a, b)` if its
    stable part is. `votes` tells whose histories are of members of the latest session, if that is known. The
    first of equal histories wins. Raises ValueError without claims.
    """
    if not claims:
        raise ValueError("there is no history to choose")
    indices = range(len(claims))

    def rank(index: int) -> tuple[int, bool, bool, int, int, bytes]:
        claim = claims[index]
        confirmed = max(
            claims[other].stable.number for other in indices if other == index or keeps_stable(other, index)
        )
        complement = bytes(255 - byte for byte in claim.tip.chain)  # a smaller hash ranks higher
        votes_here = bool(votes) and votes[index]
        main = claim.main or claim.main_number == claim.tip.number
        return confirmed, votes_here, main, claim.main_number, claim.tip.number, complement

    longest = [
        index
        for index in indices
        if not any(
            claims[other].tip.number > claims[index].tip.number and is_prefix(index, other)
            for other in indices
        )
    ]
    return max(longest, key=lambda index: (rank(index), -index))
