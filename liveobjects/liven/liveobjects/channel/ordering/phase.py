"""The phases of a view, and the identity that all its members compute for it."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from hashlib import blake2b

from liven.liveobjects.channel.ordering.messages import VIEW_ID_BYTES


class Phase(enum.Enum):
    """The phase of a member in a view."""

    OFFLINE = "offline"
    GATHERING = "gathering"
    OPENING = "opening"
    OPEN = "open"


def view_identity(number: int, nodes: Sequence[int], left_out: Sequence[int] = ()) -> bytes:
    """Return the identity of a view: the same for all its members, and different from all other views, also
    from those of the same number without other members."""
    told = b",".join(str(each).encode() for each in (number, *nodes, *(-node for node in left_out)))
    return blake2b(told, digest_size=VIEW_ID_BYTES, person=b"liven-regime").digest()
