"""The ordered channel: one total order over a FIFO group, agreed among those who survive.

`OrderedChannel` is a machine without sockets or clock; whoever runs it hands in what came over a group and
does what comes out.
"""

from liven.liveobjects.channel.ordering.flush import Part, Seat
from liven.liveobjects.channel.ordering.machine import OrderedChannel, Returned, Stage
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
from liven.liveobjects.channel.ordering.own import ChannelBusyError
from liven.liveobjects.channel.ordering.past import Run

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
