"""The quantitative promises of the specification: rounds, times, control traffic, repairers.

The mode of the papers unless stated otherwise: a round each second, partitions of five members, one owner for
each packet. Each scenario records a verdict on its rule, so that it counts among the oracles.
"""

from __future__ import annotations

import statistics

import pytest

from liven.multicast.engine import World, oracle_texts

SECOND = 1_000_000_000
ANY = 0xFFFFFFFF
DATA = 2
TOKEN, ACK, HIGH_WATER, REQUEST = 3, 4, 5, 6
ORACLES = {word: index for index, word in enumerate(oracle_texts())}


def cluster(members: int, groups: int = 1, paper: bool = True, **settings: int) -> World:
    """Make `members` nodes that are all in `groups` groups."""
    world = World(7, {"suspicion": 60 * SECOND, **settings}, paper)
    for host in range(members):
        world.add(False)
        for group in range(groups):
            world.join(host, group, (0, 0, 0, False))
    world.run(3 * SECOND)
    return world


def run(world: World, seconds: float) -> None:
    world.run(world.now() + round(seconds * SECOND))


def get(world: World, host: int, name: str) -> int:
    return world.measure(host, name) or 0


def send(world: World, rate: float, sender: int = 1, groups: int = 1) -> None:
    world.flow(sender, 0, groups, 200, 200, world.now(), round(SECOND / rate), 0, 1, True)


def stop(world: World) -> None:
    world.call("flow_stop", 0)


def pronounce(world: World, rule: str, kept: bool) -> None:
    world.call("pronounce", ORACLES[rule], int(kept))
    assert world.breaches() == []


def control(world: World) -> int:
    return sum(world.call("sent", kind, 0) for kind in (TOKEN, ACK, HIGH_WATER, REQUEST))


def control_rate(members: int, groups: int) -> float:
    world = cluster(members, groups)
    send(world, 200, groups=groups)
    run(world, 3)
    before = control(world)
    run(world, 10)
    return (control(world) - before) / 10


def test_control_traffic_is_a_token_for_each_node_and_an_ack_for_each_sender() -> None:
    members = 20
    one, many = control_rate(members, 1), control_rate(members, 500)
    hops = members + members // 5
    pronounce(cluster(2), "control", one == many and members <= one <= hops + 2)


def test_a_token_grows_with_active_senders_and_shrinks_when_they_stop() -> None:
    members = 10
    sizes: list[float] = []
    for senders in (1, 8):
        world = cluster(members)
        for sender in range(senders):
            send(world, 100, sender)
        run(world, 3)
        before = world.call("sent", TOKEN, 1), world.call("sent", TOKEN, 0)
        run(world, 5)
        sizes.append((world.call("sent", TOKEN, 1) - before[0]) / (world.call("sent", TOKEN, 0) - before[1]))
    each = (sizes[1] - sizes[0]) / 7
    for sender in range(8):
        world.call("flow_stop", sender)
    run(world, 6)
    before = world.call("sent", TOKEN, 1), world.call("sent", TOKEN, 0)
    run(world, 5)
    base = (world.call("sent", TOKEN, 1) - before[0]) / (world.call("sent", TOKEN, 0) - before[1])
    pronounce(world, "token", 5 < each <= 48 and base < sizes[0])


def test_caches_are_empty_three_rounds_after_the_sender_stopped() -> None:
    world = cluster(10)
    send(world, 500)
    run(world, 5)
    assert sum(get(world, host, "cached_packets") for host in range(10)) > 0
    stop(world)
    run(world, 4)
    left = sum(get(world, host, "cached_packets") + get(world, host, "pending_packets") for host in range(10))
    pronounce(world, "quiet", left == 0)


def test_pending_data_is_rate_times_time_to_acknowledge() -> None:
    world = cluster(30)
    rate = 1000
    send(world, rate)
    run(world, 4)
    samples: list[int] = []
    for _ in range(100):
        run(world, 0.05)
        samples.append(get(world, 1, "pending_packets"))
    ack = world.call("ack_time") / SECOND
    round_time = get(world, 0, "token_rtt") / SECOND
    pending = statistics.mean(samples)
    little = 0.9 <= pending / (rate * ack) <= 1.1
    pronounce(world, "ack", little and abs(ack - (0.5 + round_time)) < 0.1)


def round_time(members: int) -> float:
    world = cluster(members)
    send(world, 50)
    run(world, 6)
    return max(get(world, host, "token_rtt") for host in range(members)) / SECOND


def test_a_round_is_linear_in_the_members() -> None:
    sizes = (10, 20, 40, 80)
    times = [round_time(size) for size in sizes]
    pronounce(cluster(2), "round", statistics.correlation(sizes, times) ** 2 > 0.98)


@pytest.mark.parametrize("paper", [True, False])
def test_an_isolated_loss_is_repaired_and_purged_within_its_rounds(paper: bool) -> None:
    members = 12
    world = cluster(members, paper=paper, isolated=1)
    send(world, 100)
    run(world, 3)
    for victim in (0, 2, 5, 8, 11):
        world.call("lose", ANY, victim, DATA, 1)
        run(world, 5)
    assert sum(get(world, host, "repairs_received") for host in range(members)) == 5
    assert sum(world.call("rounds", 0, rounds) for rounds in range(16)) == 5
    pronounce(world, "repair", world.call("applied", ORACLES["repair"]) == 10)


def test_a_burst_lost_at_one_member_is_repaired_by_many_members() -> None:
    members, burst = 25, 100
    world = cluster(members, cost_step=0)
    send(world, 1000)
    run(world, 3)
    world.call("lose", ANY, 24, DATA, burst)
    run(world, 6)
    partitions = members // 5
    assert get(world, 24, "repairs_received") == burst
    many = world.call("repairers", 0) >= partitions
    little = world.call("repairers", 1) <= 2 * burst // partitions
    pronounce(world, "spread", many and little)


@pytest.mark.parametrize("rate", [10, 500, 4000])
def test_without_loss_nothing_is_repaired_at_any_rate(rate: int) -> None:
    world = cluster(15, paper=False, calm=1)
    send(world, rate)
    run(world, 4)
    assert world.call("sent", 2, 0) == 0
    pronounce(world, "cut", get(world, 3, "messages_delivered") > rate * 3)
