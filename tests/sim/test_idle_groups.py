"""Idle groups cost nothing: tokens, timers and caches depend on streams, not on groups."""

from __future__ import annotations

from liven.multicast.engine import World

SECOND = 1_000_000_000
FEW, MANY = 1, 2000
STEERED = ("alarms", "tokens_sent", "token_bytes", "control_sent", "rounds", "packets_sent", "streams_active")
KEPT = ("cached_packets", "pending_packets", "streams", "views")


def measured(groups: int) -> dict[str, int]:
    """Return the statistics of five members over ten seconds in which one of them sent to one group."""
    world = World(3, {"suspicion": 60 * SECOND})
    for host in range(5):
        world.add(False)
        for group in range(groups):
            world.join(host, group, (0, 0, 0, False))
    world.run(8 * SECOND)
    before = {name: world.measure(1, name) or 0 for name in STEERED}
    world.flow(0, 0, 1, 200, 200, world.now(), SECOND // 100, 0, 1, True)
    world.run(world.now() + 10 * SECOND)
    assert world.breaches() == []
    found = {name: (world.measure(1, name) or 0) - before[name] for name in STEERED}
    return found | {name: world.measure(1, name) or 0 for name in KEPT}


def test_two_thousand_idle_groups_cost_as_much_control_as_one() -> None:
    few, many = measured(FEW), measured(MANY)
    assert few["tokens_sent"] > 10
    assert few["alarms"] > 0
    for name, value in few.items():
        assert abs(many[name] - value) <= 2 + value // 20, name
