"""Events in one group must not affect the others."""

from __future__ import annotations

import pytest

from liven.multicast.engine import World
from liven.multicast.group import SlowPolicy

SECOND = 1_000_000_000
HOSTS, GROUPS, SLOW_HOST, SLOW_GROUP = 4, 1000, 2, 7
QUEUE = 20


def delivered(policy: SlowPolicy, stalled: bool) -> tuple[list[int], list[str]]:
    """Return the messages that each host received while one sender sent to all groups in turn, and the
    breaches."""
    world = World(5, {"suspicion": 60 * SECOND})
    for host in range(HOSTS):
        world.add(False)
        for group in range(GROUPS):
            world.join(host, group, (int(policy), QUEUE, 0, False))
    world.run(4 * SECOND)
    if stalled:
        world.call("stall", SLOW_HOST, SLOW_GROUP, 1)
    count = 40 * GROUPS
    world.flow(0, 0, GROUPS, 100, 100, world.now(), SECOND // 10_000, count, 1, False)
    world.run(world.now() + 6 * SECOND)
    counts = [world.measure(host, "messages_delivered") or 0 for host in range(HOSTS)]
    return counts, world.breaches()


@pytest.mark.slow
@pytest.mark.parametrize("policy", list(SlowPolicy))
def test_a_stalled_group_of_a_thousand_leaves_the_others_alone(policy: SlowPolicy) -> None:
    clean, _ = delivered(policy, stalled=False)
    stalled, broken = delivered(policy, stalled=True)
    assert broken == []
    for host in range(HOSTS):
        others = clean[host] * (GROUPS - 1) / GROUPS
        assert stalled[host] >= 0.95 * others


@pytest.mark.slow
def test_long_messages_flow_while_views_change_ten_times_a_second() -> None:
    world = World(9, {"suspicion": 60 * SECOND})
    for host in range(6):
        world.add(False)
        world.join(host, 0, (0, 0, 0, True))
        world.join(host, 1, (0, 0, 0, True))
    world.run(3 * SECOND)
    size = 64 * 2**20
    flow = world.flow(0, 0, 1, size, size, world.now(), SECOND, 2, 1, False)
    small = world.flow(1, 1, 1, 100, 500, world.now(), SECOND // 200, 0, 1, True)
    for turn in range(60):
        guest = 3 + turn % 3
        world.call("leave" if turn % 6 < 3 else "is_joined", guest, 1)
        if turn % 6 >= 3:
            world.join(guest, 1, (0, 0, 0, True))
        world.run(world.now() + SECOND // 10)
    world.run(world.now() + 20 * SECOND)
    world.call("flow_stop", small)
    world.run(world.now() + 5 * SECOND)
    world.call("settle")
    assert world.breaches() == []
    assert world.call("flow_sent", flow) == 2
