"""The cost of the multicast core: CPU for a packet, bytes for a group, and the speed of the simulator's
judges.

    python bench/core.py [--json] [--large]

The core's CPU is the real time inside its step, without sockets. `--large` adds the runs that take minutes
or gigabytes.
"""

from __future__ import annotations

import resource
import sys
import time
from dataclasses import dataclass

from figure_report import Figure, report

from liven.multicast.engine import World

SECOND = 1_000_000_000
GROUPS = 8192
NO_POLICY = (0, 0, 0, False)


def cluster(hosts: int, groups: int, **settings: int) -> World:
    """Return `hosts` nodes that are all in `groups` groups."""
    world = World(1, {"suspicion": 60 * SECOND, **settings})
    for host in range(hosts):
        world.add(False)
        for group in range(groups):
            world.join(host, group, NO_POLICY)
    world.run(5 * SECOND)
    for host in range(hosts):
        if not world.call("is_joined", host, groups - 1):
            raise RuntimeError(f"host {host} did not get into group {groups - 1}")
    return world


def get(world: World, host: int, name: str) -> int:
    """Return one statistic of a host."""
    value = world.measure(host, name)
    if value is None:
        raise RuntimeError(f"host {host} does not run")
    return value


@dataclass(frozen=True, slots=True)
class Cost:
    """Nanoseconds a packet in the core of the sender and of a receiver."""

    send: float
    receive: float


def packet_cost(groups: int, packets: int = 60_000) -> Cost:
    """Send `packets` messages of 1,000 bytes round robin over the groups, one in each packet, about
    thirty in
    each turn of either loop: a sleeping loop has no packets to process quickly."""
    world = cluster(2, groups, profiled=1, judged=0, tagged=0, wake=300_000)
    before = [world.call("spent", host) for host in (0, 1)]
    sent, got = get(world, 0, "packets_sent"), get(world, 1, "packets_received")
    world.flow(0, 0, groups, 1000, 1000, world.now(), 32 * 10_000, packets, 32, False)
    world.run(world.now() + packets * 10_000 + SECOND)
    spent = [world.call("spent", host) - before[host] for host in (0, 1)]
    return Cost(
        spent[0] / (get(world, 0, "packets_sent") - sent),
        spent[1] / (get(world, 1, "packets_received") - got),
    )


def best(groups: int, rounds: int = 3) -> Cost:
    """Return the quietest of several runs."""
    runs = [packet_cost(groups) for _ in range(rounds)]
    return Cost(min(run.send for run in runs), min(run.receive for run in runs))


def group_bytes() -> float:
    """Return the memory of a member for each additional idle group."""
    few, many = (get(cluster(2, groups), 1, "memory_bytes") for groups in (1, GROUPS))
    return (many - few) / (GROUPS - 1)


def record_bytes() -> float:
    """Return the bytes in a token for each active sender without loss: twenty senders compared with one."""
    sizes: list[float] = []
    for senders in (1, 20):
        world = cluster(20, 1)
        for sender in range(senders):
            world.flow(sender, 0, 1, 200, 200, world.now(), SECOND // 200, 0, 1, True)
        world.run(world.now() + SECOND)
        names = ("token_bytes", "tokens_sent")
        before = [sum(get(world, host, name) for host in range(20)) for name in names]
        world.run(world.now() + 2 * SECOND)
        after = [sum(get(world, host, name) for host in range(20)) for name in names]
        sizes.append((after[0] - before[0]) / (after[1] - before[1]))
    return (sizes[1] - sizes[0]) / 19


def simulator_rate(judged: bool, hosts: int = 50, seconds: int = 1, rate: int = 8000) -> float:
    """Return the packets delivered in a second of real time."""
    world = cluster(hosts, 1, judged=int(judged))
    world.flow(0, 0, 1, 1000, 1000, world.now(), SECOND // rate, 0, 1, True)
    before, begin = world.call("delivered"), time.process_time()
    world.run(world.now() + seconds * SECOND)
    return (world.call("delivered") - before) / (time.process_time() - begin)


def large_figures() -> list[Figure]:
    """Yield the figures that take minutes or gigabytes."""
    begin = time.perf_counter()
    simulator_rate(True, hosts=200, seconds=10)
    crowd = time.perf_counter() - begin
    cluster(1000, 1000)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return [
        Figure("200 nodes, 10 s at 8,000/s", crowd, "s", 60),
        Figure("1,000 nodes in 1,000 groups", peak / 2**30, "GiB", 4),
    ]


def figures(large: bool) -> list[Figure]:
    """Yield all figures."""
    one, many = best(1), best(GROUPS)
    found = [
        Figure("send, 1 group", one.send, "ns/packet", 250),
        Figure("receive, 1 group", one.receive, "ns/packet", 250),
        Figure("send, 8,192 groups", many.send, "ns/packet", 250),
        Figure("receive, 8,192 groups", many.receive, "ns/packet", 250),
        Figure("send, 8,192 over 1", many.send / one.send, "ratio", 1.15),
        Figure("receive, 8,192 over 1", many.receive / one.receive, "ratio", 1.15),
        Figure("idle group", group_bytes(), "bytes", 160),
        Figure("sender in a token", record_bytes(), "bytes", 48),
        Figure("simulated deliveries, judged", simulator_rate(True), "1/s", 300_000, at_most=False),
        Figure("simulated deliveries, not judged", simulator_rate(False), "1/s", 500_000, at_most=False),
    ]
    return [*found, *large_figures()] if large else found


if __name__ == "__main__":
    LARGE = "--large" in sys.argv
    sys.exit(report("core", figures(LARGE), [word for word in sys.argv[1:] if word != "--large"]))
