"""What holds when histories meet.

| the histories                          | goes on                                                         |
|----------------------------------------|-----------------------------------------------------------------|
| one is a prefix of the other           | the longer                                                      |
| forked, one in a main epoch, one not   | the one in the main epoch                                       |
| forked, both main or neither           | more stable operations; else more operations; else smaller hash |

Never a clock. What the other one had is dealt with by kind (`recovery`): operations that were not stable
are submitted again by their authors, and stable ones are kept as a branch that a person decides on.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from liven.liveobjects.channel.history.position import Position


@dataclass(frozen=True, slots=True)
class Claim:
    """The history that somebody brings to a meeting."""

    tip: Position
    main: bool
    """Whether the tip's epoch is a main one."""
    stable: Position
    """The last operation that was stable."""


@dataclass(frozen=True, slots=True)
class Fork:
    """How the history of a member stands to the one that goes on."""

    prefix: bool
    """All of it is part of what goes on."""
    stable_kept: bool
    """Its stable part is."""


class Recovery(enum.Enum):
    """What becomes of a history that does not go on."""

    NOTHING = "nothing"
    """It is part of what goes on."""
    SUBMIT_AGAIN = "submit again"
    """Authors that are present submit what is missing again, in their own order."""
    BRANCH = "branch"
    """Stable operations would be lost: all after the fork becomes a branch, and nothing is submitted again
    without a person's word."""


_RECOVERIES = {
    (True, True): Recovery.NOTHING,
    (True, False): Recovery.NOTHING,
    (False, True): Recovery.SUBMIT_AGAIN,
    (False, False): Recovery.BRANCH,
}


def recovery(fork: Fork) -> Recovery:
    """What becomes of a history, by how it stands to the one that goes on."""
    return _RECOVERIES[fork.prefix, fork.stable_kept]


def _rank(claim: Claim) -> tuple[bool, int, int, bytes]:
    """Greater goes on; a smaller hash is greater."""
    complement = bytes(255 - byte for byte in claim.tip.chain)
    return claim.main, claim.stable.number, claim.tip.number, complement


def choose(claims: Sequence[Claim], is_prefix: Callable[[int, int], bool]) -> int:
    """Which of the claims goes on; `is_prefix(a, b)` tells whether the history of claim a is part of b's.

    Raises ValueError without claims. Of equal histories the first is named."""
    if not claims:
        raise ValueError("no history was brought to the meeting")
    longest = [
        index
        for index, claim in enumerate(claims)
        if not any(
            claims[other].tip.number > claim.tip.number and is_prefix(index, other)
            for other in range(len(claims))
        )
    ]
    return max(longest, key=lambda index: (_rank(claims[index]), -index))
