"""The ordered channel as an object, over a hub and over the simulated engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from liven.liveobjects.channel.line.engine_transport import EngineTransport
from liven.liveobjects.channel.objects.group import GroupChannel
from liven.liveobjects.channel.objects.ordered import OrderedGroupChannel, OrderedSession
from liven.liveobjects.channel.session.unconfirmed import TOLD_AFTER
from liven.liveobjects.channel.testing import Process, Processes
from liven.multicast.simulation import SimulatedNode, Simulation
from liven.runtime.objects.probe import Probe
from liven.types.terms.value_types import TEXT, Integer

NAME = "home/f/orders"


@pytest.fixture
def processes() -> Iterator[Processes]:
    with Processes() as made:
        yield made


def client(process: Process, kind: Any = TEXT) -> Probe:
    return process.build(OrderedGroupChannel, kind, name=NAME).probe()


def received(probe: Probe) -> list[Any]:
    return [heard[1]["message"] for heard in probe.heard if heard[0] == "receive"]  # type: ignore[index]


def say(probe: Probe, *words: str) -> None:
    for word in words:
        probe.send("send", {"message": word})


def test_all_members_receive_everything_in_one_order(processes: Processes) -> None:
    probes = [client(processes.process()) for _ in range(3)]
    processes.advance(3)
    for number in range(6):
        for who, probe in enumerate(probes):
            say(probe, f"{who}.{number}")
    processes.advance(1)
    orders = [received(probe) for probe in probes]
    assert len(orders[0]) == 18
    assert orders[0] == orders[1] == orders[2]
    for who in range(3):
        assert [word for word in orders[0] if word[0] == str(who)] == [f"{who}.{n}" for n in range(6)]


def test_a_joiner_receives_later_messages(processes: Processes) -> None:
    one = client(processes.process())
    processes.advance(3)
    say(one, "before")
    processes.advance(1)
    late = client(processes.process())
    processes.advance(3)
    say(one, "after")
    processes.advance(1)
    assert received(one) == ["before", "after"]
    assert received(late) == ["after"]


def test_a_message_waits_for_the_absent_until_a_person_declares_them_gone(processes: Processes) -> None:
    first, second = processes.process(), processes.process()
    one = client(first)
    processes.advance(3)
    probe = client(second)
    processes.advance(3)
    driver = first.system.shared(OrderedSession, NAME, lambda: pytest.fail("it is open"))._driver
    assert driver is not None
    driver.close()
    processes.advance(1)
    say(probe, "a")
    processes.advance(TOLD_AFTER + 2)
    assert received(probe) == []
    processes.expect("1 change is not confirmed yet: waiting for the computer").remedies[0].do()
    processes.advance(10)
    assert (received(one), received(probe)) == ([], ["a"])
    processes.expect("members were declared gone here")
    processes.expect("changes are confirmed again")


def test_objects_of_one_process_share_its_membership(processes: Processes) -> None:
    process = processes.process()
    one, other = client(process), client(process)
    processes.advance(3)
    say(one, "a")
    say(other, "b")
    processes.advance(1)
    assert received(one) == received(other) == ["a", "b"]


def test_it_leaves_in_good_order_and_can_be_opened_again_at_once(processes: Processes) -> None:
    process, verifier = processes.process(), client(processes.process())
    first = client(process)
    processes.advance(3)
    say(first, "1")
    first.close()
    again = client(process)
    say(again, "2")
    processes.advance(4)
    assert received(verifier) == ["1", "2"]
    assert received(again) == ["2"]
    again.close()
    processes.advance(4)
    assert process.system.leaving == set()


def test_other_classes_are_refused_here_and_elsewhere(processes: Processes) -> None:
    process = processes.process("here")
    one = client(process)
    processes.advance(1)
    kept = [client(process, Integer(0, 9)), client(processes.process("there"), Integer(0, 9))]
    processes.advance(3)
    assert processes.expect("use other value classes").where[0] == "here"
    assert processes.expect("use other value classes").where[0] == "there"
    assert [probe.end.connected for probe in (one, *kept)] == [True, False, False]


def test_a_name_is_one_kind_of_channel_here_and_elsewhere(processes: Processes) -> None:
    process = processes.process("here")
    one = client(process)
    processes.advance(2)
    others = [
        some.build(GroupChannel, TEXT, name=NAME).probe() for some in (process, processes.process("there"))
    ]
    say(one, "x")
    processes.advance(3)
    assert received(one) == ["x"]
    for _ in others:
        problem = processes.expect("use other value classes")
        assert "of the kind 'ordered', this is 'group'" in problem.what
    assert [probe.end.connected for probe in others] == [False, False]


class Simulated:
    """Processes whose transports are nodes of the simulated engine, with synchronous clocks."""

    def __init__(self, processes: Processes, count: int) -> None:
        self.processes = processes
        self.simulation = Simulation(11)
        self.nodes: list[SimulatedNode] = self.simulation.nodes(count)
        self.transports = [EngineTransport(node, _me(node)) for node in self.nodes]
        self.probes = [client(processes.process(f"n{n}", one)) for n, one in enumerate(self.transports)]

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds * 50)):
            self.simulation.run(0.02)
            for transport in self.transports:
                transport.pump()
            self.processes.advance(0.02)


def _me(node: SimulatedNode) -> Any:
    return lambda _: node.short_name


def test_over_the_engine_a_crash_leaves_the_survivors_with_one_order(processes: Processes) -> None:
    cluster = Simulated(processes, 3)
    cluster.run(5)
    for number in range(10):
        for who, probe in enumerate(cluster.probes):
            say(probe, f"{who}.{number}")
        cluster.run(0.04)
    cluster.nodes[0].crash()
    for number in range(10, 20):
        for who, probe in enumerate(cluster.probes[1:], 1):
            say(probe, f"{who}.{number}")
        cluster.run(0.04)
    cluster.run(25)
    one, other = (received(probe) for probe in cluster.probes[1:])
    assert one == other
    for who in (1, 2):
        assert [word for word in one if word[0] == str(who)] == [f"{who}.{n}" for n in range(20)]
    dead = received(cluster.probes[0])
    assert one[: len(dead)] == dead, "what the dead one heard, the others heard in the same order"


def test_over_the_engine_a_member_that_was_cut_off_agrees_again(processes: Processes) -> None:
    cluster = Simulated(processes, 3)
    cluster.run(5)
    say(cluster.probes[0], "before")
    cluster.run(1)
    cluster.nodes[2].isolate()
    cluster.run(25)
    say(cluster.probes[2], "cut off")
    say(cluster.probes[0], "majority")
    cluster.run(2)
    assert received(cluster.probes[2]) == ["before"]
    assert received(cluster.probes[1]) == ["before", "majority"]
    cluster.nodes[2].isolate(False)
    cluster.run(30)
    assert received(cluster.probes[0]) == received(cluster.probes[1])
    assert sorted(received(cluster.probes[0])) == ["before", "cut off", "majority"]
    assert "cut off" in received(cluster.probes[2])
