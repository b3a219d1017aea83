"""Coming back: the others went on without this member, which stood still or was too slow; it joins again.

Nothing is lost by it: what a receiver has is in its files, and what it lacks it says in its next answer.
"""

from __future__ import annotations

from liven.multicast.group import Evicted, Expelled, GroupPolicy, SlowPolicy
from liven.multicast.socket_group import SocketGroup
from liven.multicast.sockets import Engine

POLICY = GroupPolicy(slow=SlowPolicy.THROTTLE)
"""All go as fast as the slowest disk: whoever fell out would have to be sent everything again."""


def come_back(engine: Engine, group: SocketGroup, event: Evicted | Expelled) -> SocketGroup:
    """The group, joined anew."""
    if isinstance(event, Evicted):
        engine.rejoin()
    return engine.join(group.name, POLICY)
