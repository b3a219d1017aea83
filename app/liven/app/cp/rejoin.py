"""Joining a group again after the others removed this member because it stalled or was too slow.

Nothing is lost: received parts are in their files, and the next answer lists what is missing.
"""

from __future__ import annotations

from collections.abc import Callable

from liven.multicast.group import Evicted, Expelled, GroupPolicy, SlowPolicy
from liven.multicast.socket_engine import Engine
from liven.multicast.socket_group import SocketGroup

POLICY = GroupPolicy(slow=SlowPolicy.THROTTLE)
"""The slowest receiver sets the pace: a removed one would need everything again."""


def rejoin(
    engine: Engine, group: SocketGroup, event: Evicted | Expelled, say: Callable[[str], None]
) -> SocketGroup:
    """Join the group again and print what happened."""
    stood = isinstance(event, Evicted)
    why = "stalled for too long" if stood else "was too slow"
    say(f"this program {why}, so the others went on without it; it joined again and continues")
    if stood:
        engine.rejoin()
    return engine.join(group.name, POLICY)
