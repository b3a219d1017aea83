"""The ordered channel over the real core in virtual time: losses, a freeze, a crash and a cut under load."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from liven.liveobjects.channel.history import chained
from liven.liveobjects.channel.line.engine_transport import EngineTransport
from liven.liveobjects.channel.line.transport import Line, Receiver
from liven.liveobjects.channel.ordering import Delivered, Installed, OrderedChannel, Output, Stable
from liven.liveobjects.channel.session.order_driver import OrderDriver
from liven.multicast.simulation import SimulatedNode, Simulation
from liven.runtime.dispatcher import HandCranked

GROUP = "home/f/notes"


class Part:
    """A line without a handshake."""

    def __init__(self, transport: EngineTransport, receiver: Receiver) -> None:
        self.line: Line = transport.open(GROUP, receiver)

    def rejoin(self) -> None:
        self.line.rejoin()


class Member:
    """A member on a simulated node, which records the delivered operations by number."""

    def __init__(self, cluster: Cluster, node: SimulatedNode, name: int) -> None:
        self.node = node
        self.transport = EngineTransport(node, lambda _: node.short_name)
        self.channel = OrderedChannel(bytes([name]) * 16)
        self.order: dict[int, bytes] = {}
        self.chain: dict[int, bytes] = {}
        self.stable = self.submitted = 0
        self.driver = OrderDriver(
            self.channel, cluster.crank, lambda receiver: Part(self.transport, receiver), self._told
        )

    def _told(self, output: Output) -> None:
        match output:
            case Delivered(run=run):
                for index, payload in enumerate(run.payloads):
                    number = run.number + index
                    self.order[number], self.chain[number] = payload, run.chains[index]
                    if number - 1 in self.chain:
                        told = chained(self.chain[number - 1], run.author, run.first + index, payload)
                        assert told == run.chains[index]
            case Installed(begins=True):
                self.order.clear()
                self.chain.clear()
            case Stable(number=number):
                self.stable = number


class Cluster:
    """Simulated nodes with one member each, on one clock."""

    def __init__(self, seed: int, count: int) -> None:
        self.simulation = Simulation(seed)
        self.problems: list[object] = []
        self.crank = HandCranked(self.problems.append)
        self.members: list[Member] = []
        for _ in range(count):
            self.join()
        self.run(4)

    def join(self) -> Member:
        node = self.simulation.node()
        self.run(1)
        member = Member(self, node, len(self.members) + 1)
        self.members.append(member)
        return member

    def crash(self, member: Member) -> None:
        """End a node and its member."""
        member.node.crash()
        member.channel.detached()

    def run(self, seconds: float, load: Callable[[int], None] | None = None) -> None:
        for step in range(round(seconds * 100)):
            if load is not None:
                load(step)
            self.crank.settle()
            self.simulation.run(0.01)
            self.crank.advance(0.01)
            for member in self.members:
                if member.node.alive:
                    member.transport.pump()

    def submit(self, step: int) -> None:
        """Submit one operation of each living member."""
        for index, member in enumerate(self.members):
            if member.node.alive:
                member.submitted += 1
                member.driver.submit(b"%d %d" % (index, member.submitted))


def judge(cluster: Cluster) -> None:
    """Check that there is one order, with each living member's operations once and in its order."""
    living = [member for member in cluster.members if member.node.alive]
    tips = {member.channel.position for member in living}
    assert len(tips) == 1
    whole = max((member.order for member in living), key=len)
    for member in living:
        assert all(whole.get(number, payload) == payload for number, payload in member.order.items())
        assert member.channel.pending == 0
    payloads = [payload for _, payload in sorted(whole.items())]
    for index in range(len(cluster.members)):
        own = [int(one.split()[1]) for one in payloads if one.split()[0] == b"%d" % index]
        assert own == sorted(set(own))
    assert cluster.problems == []
    assert cluster.simulation.breaches() == []


def test_losses_do_not_disturb_the_order() -> None:
    cluster = Cluster(3, 3)
    cluster.members[1].node.lose(20)
    cluster.run(1, cluster.submit)
    cluster.members[2].node.lose(20)
    cluster.run(1, cluster.submit)
    cluster.run(8)
    judge(cluster)
    whole = cluster.members[0].order
    assert len(whole) == 600
    assert cluster.members[0].stable == 600


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_the_order_survives_a_crash_of_the_orderer_a_freeze_and_a_join(seed: int) -> None:
    cluster = Cluster(seed, 4)
    cluster.run(0.5, cluster.submit)
    cluster.crash(cluster.members[0])
    cluster.run(0.5, cluster.submit)
    cluster.run(8)
    cluster.members[2].node.freeze(0.3)
    cluster.run(0.5, cluster.submit)
    cluster.join()
    cluster.run(0.5, cluster.submit)
    cluster.run(8)
    judge(cluster)
    assert all(len(member.order) > 50 for member in cluster.members if member.node.alive)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_the_operations_of_a_member_that_was_cut_off_get_their_places(seed: int) -> None:
    cluster = Cluster(seed, 4)
    cluster.run(0.3, cluster.submit)
    cluster.members[3].node.isolate()
    cluster.run(8, cluster.submit)
    cluster.members[3].node.isolate(False)
    cluster.run(15)
    judge(cluster)
    mine = [one for one in cluster.members[0].order.values() if one.startswith(b"3 ")]
    assert len(mine) == cluster.members[3].submitted
