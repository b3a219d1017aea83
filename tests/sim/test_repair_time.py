"""The time that an interactive desktop waits for a lost packet when no other packet follows it."""

from __future__ import annotations

import random
import statistics

import pytest

from liven.multicast.simulation import Simulation

MEDIAN, P99 = 0.050, 0.150
LAN = {"link_latency": 1_000_000, "link_jitter": 200_000}


def repair_time(seed: int) -> float:
    """Return the seconds from sending the last packet of a burst to its delivery where it was lost."""
    dice = random.Random(seed)
    simulation = Simulation(seed, settings=LAN)
    nodes = simulation.nodes(dice.randint(2, 16))
    groups = [node.join("chat") for node in nodes]
    simulation.run(2 + dice.random())
    sender = dice.randrange(len(nodes))
    victim = dice.choice([each for each in range(len(nodes)) if each != sender])
    for _ in range(dice.randint(0, 20)):
        groups[sender].send(b"burst")
    simulation.run(0.0005)
    nodes[victim].lose(1, sender=nodes[sender])
    begin = simulation.now
    groups[sender].send(b"last")
    simulation.run(2)
    assert simulation.breaches() == []
    (last,) = [each for each in groups[victim].receive() if each.payload == b"last"]
    assert nodes[victim].stats()["repairs_received"] >= 1
    return last.at - begin


def judge(seeds: range) -> tuple[float, float]:
    times = sorted(repair_time(seed) for seed in seeds)
    return statistics.median(times), times[int(len(times) * 0.99)]


def test_the_last_packet_of_a_burst_is_repaired_before_anybody_notices() -> None:
    median, late = judge(range(50))
    assert (median <= MEDIAN, late <= P99) == (True, True), f"median {median:.3f} s, p99 {late:.3f} s"


@pytest.mark.slow
def test_the_last_packet_is_repaired_in_time_over_a_thousand_seeds() -> None:
    median, late = judge(range(1000, 2000))
    assert (median <= MEDIAN, late <= P99) == (True, True), f"median {median:.3f} s, p99 {late:.3f} s"
