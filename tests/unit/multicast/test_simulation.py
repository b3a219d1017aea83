from __future__ import annotations

from typing import TypeVar

import pytest

from liven.multicast.errors import MulticastError
from liven.multicast.group import (
    Behind,
    Delivery,
    Demoted,
    Expelled,
    GroupEvent,
    GroupPolicy,
    Joined,
    Left,
    Sent,
    SlowPolicy,
    Stable,
    View,
    Withdrawn,
)
from liven.multicast.simulation import SimulatedGroup, SimulatedNode, Simulation

_Kind = TypeVar("_Kind")


def cluster(
    count: int, seed: int = 1, **settings: int
) -> tuple[Simulation, list[SimulatedNode], list[SimulatedGroup]]:
    simulation = Simulation(seed, settings=settings)
    nodes = simulation.nodes(count)
    groups = [node.join("chat") for node in nodes]
    simulation.run(2)
    return simulation, nodes, groups


def payloads(deliveries: list[Delivery]) -> list[bytes]:
    return [delivery.payload for delivery in deliveries]


def first(events: list[GroupEvent], kind: type[_Kind]) -> _Kind:
    return next(event for event in events if isinstance(event, kind))


def test_joined_members_see_one_another() -> None:
    _, nodes, groups = cluster(3)
    for group in groups:
        events = group.events()
        assert Joined() in events
        views = [event for event in events if isinstance(event, View)]
        assert {member.node for member in views[-1].members} == {node.short_name for node in nodes}


def test_a_message_reaches_all_members_including_its_sender() -> None:
    simulation, nodes, groups = cluster(4)
    ticket = groups[1].send(b"hello")
    simulation.run(0.5)
    for group in groups:
        (delivery,) = group.receive()
        assert delivery.payload == b"hello"
        assert delivery.sender == nodes[1].short_name
    assert first(groups[1].events(), Sent).ticket == ticket
    assert simulation.breaches() == []


def test_messages_of_one_sender_keep_their_order() -> None:
    simulation, _, groups = cluster(3, link_loss=20_000)
    sent = [f"{number}".encode() for number in range(200)]
    for payload in sent:
        groups[0].send(payload)
    simulation.run(3)
    for group in groups:
        assert payloads(group.receive()) == sent


def test_a_message_is_reported_stable_at_all_members() -> None:
    simulation, nodes, groups = cluster(3)
    groups[0].send(b"x")
    simulation.run(3)
    for group in groups:
        stable = first(group.events(), Stable)
        assert stable.sender == nodes[0].short_name


def test_a_payload_function_is_called_when_its_packet_is_about_to_leave() -> None:
    simulation, _, groups = cluster(2)
    asked: list[float] = []

    def make(room: int) -> bytes:
        asked.append(simulation.now)
        assert room > 100
        return b"late"

    groups[0].send(make)
    assert asked == []
    simulation.run(0.5)
    assert len(asked) == 1
    assert payloads(groups[1].receive()) == [b"late"]


def test_a_payload_function_may_take_its_message_back() -> None:
    simulation, _, groups = cluster(2)
    ticket = groups[0].send(lambda _room: None)
    groups[0].send(b"next")
    simulation.run(2)
    assert payloads(groups[1].receive()) == [b"next"]
    assert Withdrawn(ticket) in groups[0].events()


def test_a_long_message_arrives_whole() -> None:
    simulation, _, groups = cluster(3)
    payload = bytes(range(256)) * 4096
    groups[0].send(payload)
    simulation.run(3)
    for group in groups:
        assert payloads(group.receive()) == [payload]


def test_lost_datagrams_are_repaired() -> None:
    simulation, nodes, groups = cluster(4)
    nodes[2].lose(1)
    groups[0].send(b"one")
    groups[0].send(b"two")
    simulation.run(2)
    assert payloads(groups[2].receive()) == [b"one", b"two"]
    assert nodes[2].stats()["repairs_received"] >= 1
    assert simulation.breaches() == []


def test_receive_takes_at_most_its_limit() -> None:
    simulation, _, groups = cluster(2)
    for number in range(5):
        groups[0].send(b"%d" % number)
    simulation.run(1)
    assert payloads(groups[1].receive(2)) == [b"0", b"1"]
    assert payloads(groups[1].receive()) == [b"2", b"3", b"4"]
    assert groups[1].receive() == []


def test_a_member_that_left_gets_nothing_more() -> None:
    simulation, _, groups = cluster(3)
    groups[2].leave()
    simulation.run(2)
    assert Left() in groups[2].events()
    groups[0].send(b"x")
    simulation.run(1)
    assert groups[2].receive() == []
    assert payloads(groups[1].receive()) == [b"x"]
    with pytest.raises(MulticastError, match="is not in group 'chat'"):
        groups[2].send(b"y")


def test_a_crashed_node_leaves_the_view_of_the_others() -> None:
    simulation, nodes, groups = cluster(3, suspicion=1_000_000_000, heartbeat=200_000_000)
    nodes[1].crash()
    assert not nodes[1].alive
    simulation.run(5)
    views = [event for event in groups[0].events() if isinstance(event, View)]
    assert {member.node for member in views[-1].members} == {nodes[0].short_name, nodes[2].short_name}
    assert simulation.breaches() == []


def test_a_crashed_node_restarts_as_a_new_incarnation() -> None:
    simulation, nodes, _groups = cluster(3, suspicion=1_000_000_000, heartbeat=200_000_000)
    before = nodes[1].short_name
    nodes[1].crash()
    nodes[1].restart()
    again = nodes[1].join("chat")
    simulation.run(6)
    assert Joined() in again.events()
    assert nodes[1].short_name not in (0, before)


def test_joining_twice_is_refused_with_a_reason() -> None:
    _, nodes, _ = cluster(2)
    with pytest.raises(MulticastError, match="is in group 'chat' already"):
        nodes[0].join("chat")


def test_members_go_on_while_the_service_is_away_and_others_join_when_it_is_back() -> None:
    simulation, _, groups = cluster(3)
    simulation.crash_service()
    simulation.run(3)
    groups[0].send(b"on our own")
    simulation.run(1)
    assert payloads(groups[2].receive()) == [b"on our own"]
    simulation.restart_service()
    late = simulation.node().join("chat")
    simulation.run(20)
    assert Joined() in late.events()
    groups[0].send(b"together")
    simulation.run(1)
    assert payloads(late.receive()) == [b"together"]
    assert simulation.breaches() == []


def test_the_drop_policy_drops_messages_and_reports_it() -> None:
    simulation = Simulation(3)
    nodes = simulation.nodes(2)
    sender = nodes[0].join("chat")
    slow = nodes[1].join("chat", GroupPolicy(slow=SlowPolicy.DROP, queue_messages=10))
    simulation.run(2)
    for number in range(50):
        sender.send(b"%d" % number)
    simulation.run(2)
    assert payloads(slow.receive()) == [b"%d" % number for number in range(10)]
    assert nodes[1].stats()["messages_dropped"] == 40


def test_a_slow_application_is_warned_then_expelled_and_may_rejoin() -> None:
    simulation = Simulation(3)
    nodes = simulation.nodes(3)
    groups = [node.join("chat") for node in nodes[:2]]
    slow = nodes[2].join("chat", GroupPolicy(queue_messages=10))
    simulation.run(2)
    for number in range(50):
        groups[0].send(b"%d" % number)
    simulation.run(2)
    told = slow.events()
    assert first(told, Behind) == Behind(5)
    assert told.index(Demoted()) > told.index(Behind(5))
    assert told[-1] == Expelled()
    assert payloads(slow.receive()) == [b"%d" % number for number in range(10)]
    assert len(groups[1].receive()) == 50  # nobody waited
    again = nodes[2].join("chat", GroupPolicy(queue_messages=10))
    simulation.run(2)
    groups[0].send(b"welcome")
    simulation.run(1)
    assert payloads(again.receive()) == [b"welcome"]
    assert simulation.breaches() == []


def test_the_default_policy_warns_and_then_expels() -> None:
    assert GroupPolicy().slow is SlowPolicy.EVICT
    assert int(SlowPolicy.EVICT) == 0  # the default of the core


def test_equal_seeds_give_equal_traces_and_others_do_not() -> None:
    def trace(seed: int) -> int:
        simulation, _, groups = cluster(3, seed, link_loss=50_000)
        for _ in range(20):
            groups[0].send(b"x" * 500)
        simulation.run(1)
        return simulation.trace

    assert trace(5) == trace(5)
    assert trace(5) != trace(6)


def test_a_setting_that_does_not_exist_is_named() -> None:
    with pytest.raises(ValueError, match="no setting 'link_losss'"):
        Simulation(1, settings={"link_losss": 1})


def test_statistics_have_names() -> None:
    _, nodes, _ = cluster(2)
    stats = nodes[0].stats()
    assert stats["groups"] == 1
    assert stats["memory_bytes"] > 0
    nodes[0].crash()
    assert nodes[0].stats() == {}


def test_the_oracles_count_how_often_they_were_applied() -> None:
    simulation, _, groups = cluster(3)
    groups[0].send(b"x")
    simulation.run(1)
    verdict = simulation.verdict()
    assert verdict["wire"][0] > 0
    assert all(broken == 0 for _, broken in verdict.values())
