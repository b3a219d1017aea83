"""The history of a channel as values: operations, positions, epochs, sessions, and the rules when histories
meet.

Everything here is pure. A *history* is a chain of operations. Each operation has a *position* (epoch, number,
chain hash), and equal positions mean equal histories up to there. Start with `position.py`; who may confirm
operations is in `quorum.py`, and which history wins after a cut in `reconciliation.py`.
"""

from liven.liveobjects.channel.history.declarations import (
    ALIKE,
    FOUNDING_MOST,
    MARK_BYTES,
    RANDOM_BYTES,
    Comparison,
    mark,
)
from liven.liveobjects.channel.history.inheritance import FIRST_OWN
from liven.liveobjects.channel.history.operation import Operation, chained, chained_all
from liven.liveobjects.channel.history.position import BEGINNING, Epoch, Position, epoch_identity
from liven.liveobjects.channel.history.quorum import (
    Session,
    Standing,
    Voter,
    founding,
    has_majority,
    latest_members,
    replaces,
    standing,
    without,
)
from liven.liveobjects.channel.history.reconciliation import Claim, Fork, Recovery, choose, recovery
from liven.liveobjects.channel.history.wire import MalformedError

__all__ = [
    "ALIKE",
    "BEGINNING",
    "FIRST_OWN",
    "FOUNDING_MOST",
    "MARK_BYTES",
    "RANDOM_BYTES",
    "Claim",
    "Comparison",
    "Epoch",
    "Fork",
    "MalformedError",
    "Operation",
    "Position",
    "Recovery",
    "Session",
    "Standing",
    "Voter",
    "chained",
    "chained_all",
    "choose",
    "epoch_identity",
    "founding",
    "has_majority",
    "latest_members",
    "mark",
    "recovery",
    "replaces",
    "standing",
    "without",
]
