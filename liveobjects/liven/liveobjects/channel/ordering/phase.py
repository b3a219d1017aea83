"""The regimes of an ordered channel by their names, and where a member is in one."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from hashlib import blake2b

from liven.liveobjects.channel.ordering.messages import REGIME_BYTES


class Stage(enum.Enum):
    """Where a machine is in a regime."""

    OFFLINE = "offline"
    GATHERING = "gathering"
    OPENING = "opening"
    OPEN = "open"


def regime_name(number: int, nodes: Sequence[int]) -> bytes:
    """The name of a view: the same for all its members, and for no other view."""
    told = b",".join(str(each).encode() for each in (number, *nodes))
    return blake2b(told, digest_size=REGIME_BYTES, person=b"liven-regime").digest()
