"""Total order: all members of a FIFO group deliver the same operations in the same order, across failures.

`OrderedChannel` in `channel.py` is a state machine without sockets or clock; start there. The caller passes
in group events (`view`, `heard`, `detached`), user requests (`submit`, `say`, `leave`) and the time (`tick`,
no later than `wake`), calls `take` after each batch, and carries out the outputs in order.

A layer that keeps a state (`stateful=True`; see `channel.replica`) uses these outputs and calls:

* `Installed` marks the cut between two views. With `begins`, this member needs the state after exactly
  `position` from another one. Later deliveries wait for it, the present state is kept, and `completed` is
  called when the new one is in place. Veterans that see seats with `EntryKind.BEGINS` take the checkpoint for
  them at once: their state is the one at the cut.
* `HistoryRestored` ends such a wait: the kept state is valid again. `BeginEmpty` ends it, too, without a
  state.
* `Delivered` is the order. Only `Stable` acknowledges, and only where operations can be confirmed.
* `say` and `Heard` carry other messages between members, such as the slices of a checkpoint.
* `logged` reports how far the log on disk is, and `log_begins` that it now holds another history.
  `SessionsChanged` and the fields of `Returned` are stored with it.
"""

from liven.liveobjects.channel.ordering.channel import OrderedChannel
from liven.liveobjects.channel.ordering.member_state import Returned
from liven.liveobjects.channel.ordering.opening.decision import EntryKind, Seat
from liven.liveobjects.channel.ordering.operations.delivered_log import Run
from liven.liveobjects.channel.ordering.operations.own_operations import ChannelBusyError
from liven.liveobjects.channel.ordering.outputs import (
    BeginEmpty,
    Delivered,
    Heard,
    HistoryRestored,
    Installed,
    MayLeave,
    OtherVersion,
    Output,
    Readers,
    Send,
    SessionsChanged,
    Stable,
    Trouble,
    Unanswered,
)
from liven.liveobjects.channel.ordering.phase import Phase

__all__ = [
    "BeginEmpty",
    "ChannelBusyError",
    "Delivered",
    "EntryKind",
    "Heard",
    "HistoryRestored",
    "Installed",
    "MayLeave",
    "OrderedChannel",
    "OtherVersion",
    "Output",
    "Phase",
    "Readers",
    "Returned",
    "Run",
    "Seat",
    "Send",
    "SessionsChanged",
    "Stable",
    "Trouble",
    "Unanswered",
]
