"""The transport over nodes of the real engine, simulated."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable
from typing import Any

import pytest

from liven.liveobjects.channel.line.engine_transport import (
    LOOK_EVERY,
    EngineLine,
    EngineTransport,
    Watch,
    find_member,
)
from liven.liveobjects.channel.line.transport import (
    MESSAGE_MOST,
    Batch,
    HasRoom,
    LineBusyError,
    LineClosedError,
    LineEvent,
)
from liven.multicast.errors import BusyError, MulticastError
from liven.multicast.group import (
    Behind,
    Deliver,
    Delivery,
    Evicted,
    Expelled,
    GroupEvent,
    Joined,
    Left,
    Member,
    Missed,
    Paused,
    Resumed,
    Sent,
    Stable,
    Tell,
    Uncertain,
    View,
    Withdrawn,
)
from liven.multicast.message_batch import TakeBatch
from liven.multicast.simulation import Simulation
from liven.runtime.problems import Problem
from liven.runtime.testing import HandCranked


class Ear:
    """A receiver that records everything."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []
        self.events: list[LineEvent] = []

    def __call__(self, batch: Batch) -> None:
        self.messages += [one.payload for one in batch.messages]
        self.events += batch.events

    def of(self, kind: type) -> list[Any]:
        return [one for one in self.events if isinstance(one, kind)]


class Cluster:
    """Simulated nodes with their transports."""

    def __init__(self, count: int) -> None:
        self.simulation = Simulation(7)
        self.nodes = self.simulation.nodes(count)
        self.transports = [
            EngineTransport(node, lambda _, node=node: node.short_name)  # type: ignore[misc]
            for node in self.nodes
        ]
        self.run(2)

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self.simulation.run(0.1)
            for transport in self.transports:
                transport.pump()


def test_messages_of_one_sender_reach_all_in_order() -> None:
    cluster = Cluster(2)
    ears = [Ear(), Ear()]
    lines = [transport.open("room", ear) for transport, ear in zip(cluster.transports, ears, strict=True)]
    tickets = [lines[0].send(b"%d" % number) for number in range(5)]
    cluster.run(3)
    assert ears[0].messages == ears[1].messages == [b"0", b"1", b"2", b"3", b"4"]
    assert [one.ticket for one in ears[0].of(Sent)] == tickets
    assert ears[1].of(Stable)[-1].number == ears[0].of(Sent)[-1].number
    assert isinstance(ears[0].events[0], Joined)


def test_each_line_knows_its_own_member_of_the_view() -> None:
    cluster = Cluster(2)
    ears = [Ear(), Ear()]
    lines = [transport.open("room", ear) for transport, ear in zip(cluster.transports, ears, strict=True)]
    cluster.run(2)
    members = [one.node for one in ears[0].of(View)[-1].members]
    assert sorted(line.me for line in lines) == sorted(members)
    assert [line.me for line in lines] == [node.short_name for node in cluster.nodes]


def test_a_line_that_was_left_says_so_and_sends_nothing() -> None:
    cluster = Cluster(1)
    ear = Ear()
    line = cluster.transports[0].open("room", ear)
    cluster.run(2)
    line.leave()
    line.leave()
    cluster.run(1)
    assert isinstance(ear.events[-1], Left)
    with pytest.raises(LineClosedError, match="open it again"):
        line.send(b"late")


def test_an_evicted_member_comes_back_under_another_name() -> None:
    cluster = Cluster(2)
    ears = [Ear(), Ear()]
    lines = [transport.open("room", ear) for transport, ear in zip(cluster.transports, ears, strict=True)]
    cluster.run(2)
    before = lines[0].me
    cluster.nodes[0].isolate()
    cluster.run(20)
    cluster.nodes[0].isolate(False)
    cluster.run(20)
    assert ears[0].of(Evicted)
    lines[0].rejoin()
    lines[0].send(b"back")
    cluster.run(2)
    assert lines[0].me not in (before, 0)
    assert ears[1].messages == [b"back"]


def test_a_message_that_is_too_long_is_refused_and_nothing_sent() -> None:
    cluster = Cluster(1)
    ear = Ear()
    line = cluster.transports[0].open("room", ear)
    with pytest.raises(MulticastError, match=r"67\.1 MB"):
        line.send(bytes(MESSAGE_MOST + 1))
    cluster.run(2)
    assert ear.messages == []


class ScriptedGroup:
    """A group controlled by the test."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.sent: list[bytes] = []
        self.busy = False
        self.to_tell: list[GroupEvent] = []
        self.to_give: list[Delivery] = []
        self.resumed = 0

    def send(self, payload: Any) -> int:
        if self.busy:
            raise BusyError(-11, "full")
        self.sent.append(payload)
        return 100 + len(self.sent)

    def send_many(self, block: bytes | bytearray | memoryview, lengths: array[int]) -> int:
        raise AssertionError("a line sends one by one")

    def listen_batches(self, batch: TakeBatch, tell: Tell | None = None) -> None:
        raise AssertionError("a line takes one by one")

    def receive(self, limit: int | None = None) -> list[Delivery]:
        raise NotImplementedError("the transport listens")

    def events(self) -> list[GroupEvent]:
        raise NotImplementedError("the transport listens")

    def listen(self, deliver: Deliver | None, tell: Tell | None = None) -> None:
        assert deliver is not None
        assert tell is not None
        self._deliver, self._tell = deliver, tell

    def hand_over(self) -> None:
        """Pass messages on, as the node does."""
        told, self.to_tell = self.to_tell, []
        given, self.to_give = self.to_give, []
        for event in told:
            self._tell(event)
        for delivery in given:
            self._deliver(delivery)

    def leave(self) -> None:
        self.to_tell.append(Left())

    def resume(self) -> None:
        self.resumed += 1


class ScriptedNode:
    """A node with scripted groups. Like an engine, it forgets them when it is evicted."""

    def __init__(self) -> None:
        self.groups: list[ScriptedGroup] = []
        self.lives = 0

    def join(self, name: str, policy: object = None) -> ScriptedGroup:
        self.groups.append(ScriptedGroup(name))
        return self.groups[-1]

    def rejoin(self) -> None:
        self.lives += 1

    def stats(self) -> dict[str, int]:
        return {}


def run(node: ScriptedNode, transport: EngineTransport) -> None:
    for group in node.groups:
        group.hand_over()
    transport.pump()


def scripted(budget: int = 100) -> tuple[ScriptedNode, EngineTransport]:
    node = ScriptedNode()
    return node, EngineTransport(node, find_member(77), node.rejoin, budget=budget)


def opened(transport: EngineTransport, node: ScriptedNode) -> tuple[EngineLine, ScriptedGroup, Ear]:
    ear = Ear()
    line = transport.open("g", ear)
    return line, node.groups[-1], ear


def test_messages_sent_before_joining_wait() -> None:
    node, transport = scripted()
    line, group, _ = opened(transport, node)
    line.send(b"early")
    assert group.sent == []
    group.to_tell = [Joined()]
    run(node, transport)
    assert group.sent == [b"early"]


def test_a_paused_line_keeps_its_messages_until_it_is_resumed() -> None:
    node, transport = scripted()
    line, group, ear = opened(transport, node)
    group.to_tell = [Joined(), Paused()]
    run(node, transport)
    line.send(b"a")
    assert group.sent == []
    group.to_tell = [Resumed()]
    run(node, transport)
    assert group.sent == [b"a"]
    assert ear.of(Paused)
    assert ear.of(Resumed)


def test_a_full_line_refuses_and_reports_when_there_is_room() -> None:
    node, transport = scripted(budget=10)
    line, group, ear = opened(transport, node)
    group.to_tell = [Joined()]
    run(node, transport)
    group.busy = True
    line.send(b"12345")
    assert line.room == 5
    with pytest.raises(LineBusyError, match="5 bytes wait"):
        line.send(b"123456")
    run(node, transport)
    group.busy = False
    group.to_tell = [Stable(1, 1)]
    run(node, transport)
    assert group.sent == [b"12345"]
    assert ear.events[-1] == HasRoom()
    assert line.room == 10


def test_tickets_belong_to_the_line() -> None:
    node, transport = scripted()
    line, group, ear = opened(transport, node)
    group.to_tell = [Joined()]
    run(node, transport)
    first, second, third = line.send(b"a"), line.send(b"b"), line.send(b"c")
    group.to_tell = [Sent(101, 9), Uncertain(102), Withdrawn(103)]
    run(node, transport)
    assert ear.events[-3:] == [Sent(first, 9), Uncertain(second), Withdrawn(third)]


def test_an_eviction_reports_the_fate_of_every_message() -> None:
    node, transport = scripted()
    line, group, ear = opened(transport, node)
    group.to_tell = [Joined()]
    run(node, transport)
    out = line.send(b"out")
    group.busy = True
    kept = line.send(b"kept")
    group.to_tell = [Evicted(-9)]
    run(node, transport)
    assert ear.events[-3:] == [Uncertain(out), Withdrawn(kept), Evicted(-9)]


def test_two_lines_of_one_engine_begin_one_new_incarnation() -> None:
    node, transport = scripted()
    ears = [Ear(), Ear()]
    lines = [transport.open(name, ear) for name, ear in zip("ab", ears, strict=True)]
    for group in node.groups:
        group.to_tell = [Evicted(-9)]
    run(node, transport)
    for line in lines:
        line.rejoin()
        line.rejoin()
    assert node.lives == 1
    assert len(node.groups) == 4
    node.groups[-1].to_tell = [Joined(), View(1, (Member(5, 77, 2), Member(6, 78, 1)))]
    run(node, transport)
    assert lines[1].me == 5


def test_a_line_that_fell_behind_rejoins_and_its_node_continues() -> None:
    node, transport = scripted()
    line, group, ear = opened(transport, node)
    other = transport.open("other", Ear())
    group.to_tell = [Joined(), Behind(7)]
    run(node, transport)
    out = line.send(b"out")
    group.to_tell = [Missed(4, 12, 3), Expelled()]
    run(node, transport)
    assert ear.events[-3:] == [Behind(7), Uncertain(out), Evicted(-9)]
    line.rejoin()
    line.rejoin()
    other.rejoin()
    assert (node.lives, len(node.groups)) == (0, 3)
    node.groups[-1].to_tell = [Joined()]
    run(node, transport)
    line.send(b"again")
    assert node.groups[-1].sent == [b"again"]
    node.groups[-1].to_tell = [Evicted(-9)]
    run(node, transport)
    line.rejoin()
    assert node.lives == 1


def test_a_line_that_is_left_after_it_lost_its_place_says_so_at_once() -> None:
    node, transport = scripted()
    line, group, ear = opened(transport, node)
    group.to_tell = [Joined(), Expelled()]
    run(node, transport)
    line.leave()
    assert isinstance(ear.events[-1], Left)


@pytest.mark.parametrize("end", [Expelled(), Evicted(-9)])
def test_a_line_that_loses_its_place_while_it_leaves_is_left_and_can_be_opened_again(end: GroupEvent) -> None:
    node, transport = scripted()
    line, group, ear = opened(transport, node)
    group.to_tell = [Joined()]
    run(node, transport)
    line.leave()
    group.to_tell = [end]
    run(node, transport)
    assert isinstance(ear.events[-1], Left)
    transport.open("room", ear)
    assert node.lives == isinstance(end, Evicted)  # an evicted node can join nothing before it begins anew
    node.groups[-1].to_tell = [Joined()]
    run(node, transport)
    assert isinstance(ear.events[-1], Joined)


def test_a_demoted_line_can_be_resumed() -> None:
    node, transport = scripted()
    line, group, _ = opened(transport, node)
    line.resume()
    assert group.resumed == 1


def test_a_change_of_the_view_divides_the_batches() -> None:
    node, transport = scripted()
    batches: list[Batch] = []
    transport.open("g", batches.append)
    (group,) = node.groups
    group.to_tell = [Joined()]
    group.to_give = [Delivery(1, 1, b"a", 0.0)]
    group.hand_over()
    group.to_tell = [View(2, ()), Stable(1, 1)]
    group.to_give = [Delivery(1, 2, b"b", 0.0)]
    group.hand_over()
    transport.pump()
    shown = [([one.payload for one in batch.messages], len(batch.events)) for batch in batches]
    assert shown == [([], 1), ([b"a"], 2), ([b"b"], 0)]


class FakeEngine:
    """A descriptor that the test makes ready, and the effect of polling it."""

    def __init__(self, poll: Callable[[], None]) -> None:
        self.reader, self.writer = os.pipe()
        self.waits = False
        self.polls = 0
        self._poll = poll

    def fileno(self) -> int:
        return self.reader

    def poll(self) -> None:
        self.polls += 1
        if not self.waits:
            os.read(self.reader, 1)
        self._poll()

    def wake(self) -> None:
        os.write(self.writer, b"x")

    def close(self) -> None:
        os.close(self.reader)
        os.close(self.writer)


def test_all_members_see_a_view_in_the_same_order() -> None:
    node, transport = scripted()
    _, group, ear = opened(transport, node)
    group.to_tell = [View(2, (Member(9, 79, 1), Member(5, 77, 1), Member(6, 78, 1)))]
    run(node, transport)
    (view,) = [event for event in ear.events if isinstance(event, View) and event.number == 2]
    assert [member.node for member in view.members] == [5, 6, 9]


def test_the_dispatcher_processes_an_engine_that_is_ready() -> None:
    problems: list[Problem] = []
    crank = HandCranked(problems.append)
    node, transport = scripted()
    _, group, ear = opened(transport, node)

    def came() -> None:
        group.to_give = [Delivery(1, number, b"x", 0.0) for number in range(1500)]
        group.hand_over()

    engine = FakeEngine(came)
    watch = Watch(crank, engine, transport, problems.append)
    try:
        engine.wake()
        crank.wait(lambda: len(ear.messages) == 1500)
        watch.close()
        engine.wake()
        crank.settle()
        assert len(ear.messages) == 1500
        assert problems == []
    finally:
        engine.close()


def test_an_engine_that_waits_for_others_is_checked_until_it_no_longer_waits() -> None:
    problems: list[Problem] = []
    crank = HandCranked(problems.append)
    _, transport = scripted()
    engine = FakeEngine(lambda: None)
    watch = Watch(crank, engine, transport, problems.append)
    try:
        engine.wake()
        crank.wait(lambda: engine.polls == 1)
        engine.waits = True
        for looks in range(2, 5):
            crank.advance(LOOK_EVERY)
            assert engine.polls == looks
        engine.waits = False
        crank.advance(5 * LOOK_EVERY)
        assert engine.polls == 4
    finally:
        watch.close()
        engine.close()


def test_an_engine_that_ends_is_reported_to_people_and_lines() -> None:
    problems: list[Problem] = []
    crank = HandCranked(problems.append)
    node, transport = scripted()
    line, _, ear = opened(transport, node)

    def broken() -> None:
        raise MulticastError(-5, "the network card is gone")

    engine = FakeEngine(broken)
    watch = Watch(crank, engine, transport, problems.append)
    try:
        engine.wake()
        crank.wait(lambda: bool(ear.events))
        assert ear.events == [Evicted(-5)]
        assert "the network card is gone" in problems[0].what
        with pytest.raises(LineClosedError):
            line.send(b"x")
        watch.close()
    finally:
        engine.close()
