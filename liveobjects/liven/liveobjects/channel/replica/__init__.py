"""Replicas: states that all members of a channel keep alike, on the order that they agree on.

`Replica` is a machine on the ordered channel's. Whoever runs it hands in each output that is not for the line
(`told`), the time (`tick`), the states that it asked for (`taken`), and does what `take` gives, in order.
"""

from liven.liveobjects.channel.replica.comparison.agreement import Replayed
from liven.liveobjects.channel.replica.disk.persistence import Keeping
from liven.liveobjects.channel.replica.effects import (
    Apply,
    Arriving,
    Begin,
    Branched,
    Controlled,
    Effect,
    Replay,
    TakeDigest,
    TakeState,
    Tell,
)
from liven.liveobjects.channel.replica.replica import Replica

__all__ = [
    "Apply",
    "Arriving",
    "Begin",
    "Branched",
    "Controlled",
    "Effect",
    "Keeping",
    "Replay",
    "Replayed",
    "Replica",
    "TakeDigest",
    "TakeState",
    "Tell",
]
