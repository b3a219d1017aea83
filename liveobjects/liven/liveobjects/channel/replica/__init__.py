"""Replicas: every member of a channel keeps the same state, on the order that all agree on.

`Replica` in `replica.py` is a state machine on top of the ordered channel; start there. The caller passes in
each output that is not for the line (`handle`), the time (`tick`) and requested states (`taken`), and carries
out the effects that `take` returns. Getting the state from another member is in `state_transfer`, comparing
states in `comparison`, and everything kept on disk in `disk`.
"""

from liven.liveobjects.channel.replica.comparison.agreement import Replayed
from liven.liveobjects.channel.replica.disk.persistence import Persistence
from liven.liveobjects.channel.replica.effects import (
    Apply,
    Arriving,
    Begin,
    Branched,
    Controlled,
    Effect,
    Notify,
    Replay,
    TakeDigest,
    TakeState,
)
from liven.liveobjects.channel.replica.replica import Replica

__all__ = [
    "Apply",
    "Arriving",
    "Begin",
    "Branched",
    "Controlled",
    "Effect",
    "Notify",
    "Persistence",
    "Replay",
    "Replayed",
    "Replica",
    "TakeDigest",
    "TakeState",
]
