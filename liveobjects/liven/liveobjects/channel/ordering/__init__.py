"""The ordered channel: one total order over a FIFO group, agreed among those who survive.

`OrderedChannel` is a machine without sockets or clock. Whoever runs it hands in what the group tells (`view`,
`heard`, `detached`), what its user wants (`submit`, `say`, `leave`) and the time (`tick`, no later than
`wake` says), calls `take` after each batch of these, and does what comes out, in order.

On it stands whoever keeps a state (`stateful=True`):

* `Installed` marks the cut between two views. With `begins`, the state after exactly `position` is needed
  from another member; what is delivered from there on waits for it, the state that is here is kept, and
  `completed` is called when the new one is in place. A veteran that sees seats with `Part.BEGINS` takes the
  checkpoint for them now: its state is the one at the cut.
* `TakenUp` ends such a wait: the kept state is the right one again. `Anew` does too: there is none.
* `Delivered` is the order; `Stable` alone is acknowledged, and comes only where operations can be confirmed.
* `say` and `Heard` carry whatever else members tell each other, the slices of a checkpoint for one.
* `logged` says how far the log on disk is, and `log_begins` that it is that of another history from now on;
  `SessionsChanged` and what `Returned` names are kept with it.
"""

from liven.liveobjects.channel.ordering.channel import OrderedChannel
from liven.liveobjects.channel.ordering.decision import Part, Seat
from liven.liveobjects.channel.ordering.delivered_log import Run
from liven.liveobjects.channel.ordering.member_state import Returned
from liven.liveobjects.channel.ordering.outputs import (
    Anew,
    Delivered,
    Heard,
    Installed,
    MayLeave,
    Output,
    Send,
    SessionsChanged,
    Stable,
    TakenUp,
    Trouble,
)
from liven.liveobjects.channel.ordering.own_operations import ChannelBusyError
from liven.liveobjects.channel.ordering.phase import Stage

__all__ = [
    "Anew",
    "ChannelBusyError",
    "Delivered",
    "Heard",
    "Installed",
    "MayLeave",
    "OrderedChannel",
    "Output",
    "Part",
    "Returned",
    "Run",
    "Seat",
    "Send",
    "SessionsChanged",
    "Stable",
    "Stage",
    "TakenUp",
    "Trouble",
]
