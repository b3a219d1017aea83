"""The contract of `Node` and `Group`, checked on the simulation and on real sockets alike.

The events of an application must not depend on which of the two it runs on. Messages of a member come back to
it, in the one order that its other receivers see.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

import pytest

from liven.multicast.errors import MulticastError
from liven.multicast.group import (
    Behind,
    Delivery,
    Dropped,
    Expelled,
    Group,
    GroupEvent,
    GroupPolicy,
    Joined,
    Left,
    Node,
    Paused,
    Resumed,
    Sent,
    SlowPolicy,
    Stable,
    View,
    Withdrawn,
)
from liven.multicast.message_batch import Batch
from liven.multicast.service_process import stop_service
from liven.multicast.simulation import Simulation
from liven.multicast.socket_engine import Engine, EngineConfig, default_place

_Kind = TypeVar("_Kind")
_PATIENCE = 60.0
_ASKED_FOR = {"want_time": 60_000_000_000}
"""Nanoseconds that the payload of a function may take: on a busy machine, a second is over before we poll."""


class Cluster(Protocol):
    """Make nodes, and let time pass."""

    def node(self) -> Node: ...

    def until(self, true: Callable[[], bool]) -> None: ...

    def moment(self) -> None: ...

    def settle(self) -> None: ...

    def close(self) -> None: ...


class Simulated:
    """A cluster in virtual time."""

    def __init__(self, hybrid_regions: int = 0) -> None:
        self._simulation = Simulation(5, settings={"hybrid_regions": hybrid_regions})

    def node(self) -> Node:
        return self._simulation.node()

    def until(self, true: Callable[[], bool]) -> None:
        end = self._simulation.now + _PATIENCE
        while not true():
            assert self._simulation.now < end, "it did not come about"
            self._simulation.run(0.02)

    def moment(self) -> None:
        self._simulation.run(0.02)

    def settle(self) -> None:
        self._simulation.run(1)

    def close(self) -> None:
        assert self._simulation.breaches() == []


class Real:
    """Engines of this process, on loopback, with a membership service of their own."""

    def __init__(self, folder: Path, hybrid_regions: int = 0) -> None:
        self._config = EngineConfig(
            default_place(folder), settings=_ASKED_FOR, suspicion=_PATIENCE, hybrid_regions=hybrid_regions
        )
        self._engines: list[Engine] = []

    def node(self) -> Node:
        self._engines.append(Engine(self._config))
        return self._engines[-1]

    def _poll(self) -> None:
        for engine in self._engines:
            engine.wait(0.002)

    def until(self, true: Callable[[], bool]) -> None:
        end = time.monotonic() + _PATIENCE
        while not true():
            assert time.monotonic() < end, "it did not come about"
            self._poll()

    def _poll_for(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._poll()

    def moment(self) -> None:
        self._poll_for(0.02)

    def settle(self) -> None:
        self._poll_for(0.2)

    def close(self) -> None:
        for engine in self._engines:
            engine.close(leave=False)
        stop_service(self._config.place)


@pytest.fixture(params=["simulation", "sockets"])
def cluster(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Cluster]:
    made: Cluster = Simulated() if request.param == "simulation" else Real(tmp_path)
    yield made
    made.close()


@pytest.fixture(params=["simulation", "sockets"])
def hybrid_cluster(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Cluster]:
    """A cluster whose service gives a group of two or more regions an address of its own."""
    made: Cluster = Simulated(2) if request.param == "simulation" else Real(tmp_path, 2)
    yield made
    made.close()


class Watched:
    """A group with all its deliveries and events."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self._deliveries: list[Delivery] = []
        self._events: list[GroupEvent] = []

    def deliveries(self) -> list[Delivery]:
        self._deliveries += self.group.receive()
        return self._deliveries

    def payloads(self) -> list[bytes]:
        return [each.payload for each in self.deliveries()]

    def events(self) -> list[GroupEvent]:
        self._events += self.group.events()
        return self._events

    def of(self, kind: type[_Kind]) -> list[_Kind]:
        return [event for event in self.events() if isinstance(event, kind)]

    def stable(self, count: int) -> bool:
        """True if the first so many messages sent here are stable; for a group with a single sender."""
        sent = self.of(Sent)
        return len(sent) >= count and any(each.number >= sent[count - 1].number for each in self.of(Stable))

    def member_count(self) -> int:
        views = self.of(View)
        return len(views[-1].members) if views else 0


def members(
    cluster: Cluster, count: int, name: str = "chat", policy: GroupPolicy | None = None
) -> tuple[list[Node], list[Watched]]:
    """Make nodes that are all in one group, and know it."""
    nodes = [cluster.node() for _ in range(count)]
    groups = [Watched(node.join(name, policy)) for node in nodes]
    cluster.until(lambda: all(group.member_count() == count for group in groups))
    return nodes, groups


def send_all(group: Watched, payloads: Sequence[bytes]) -> None:
    for payload in payloads:
        group.group.send(payload)


def test_a_joining_member_gets_joined_and_then_the_view(cluster: Cluster) -> None:
    _, groups = members(cluster, 3)
    for group in groups:
        events = group.events()
        joined = events.index(Joined())
        assert all(not isinstance(event, View) for event in events[:joined])
    last = {group.of(View)[-1].members for group in groups}
    assert len(last) == 1
    names = [member.node for member in last.pop()]
    assert len(set(names)) == 3
    assert 0 not in names


def test_send_many_arrives_in_order_under_one_ticket(cluster: Cluster) -> None:
    _, groups = members(cluster, 3)
    payloads = [b"%d" % number * (number % 7) for number in range(300)]
    lengths = array("I", map(len, payloads))
    groups[0].group.send(b"first")
    ticket = groups[0].group.send_many(b"".join(payloads), lengths)
    groups[0].group.send(b"last")
    cluster.until(lambda: all(group.payloads() == [b"first", *payloads, b"last"] for group in groups))
    named = [event for event in groups[0].of(Sent) if event.ticket == ticket]
    assert [event.number for event in named] == [groups[0].deliveries()[-2].number]


def test_batches_equal_single_messages(cluster: Cluster) -> None:
    _, groups = members(cluster, 2)
    groups[0].group.send(b"before")
    cluster.until(lambda: groups[0].payloads() == [b"before"])
    seen: list[tuple[int, int, bytes]] = []

    def take(batch: Batch) -> None:
        assert batch.size == sum(batch.lengths)
        seen.extend(zip(batch.senders, batch.numbers, batch.payloads(), strict=True))

    groups[1].group.listen_batches(take)
    payloads = [b"x" * number for number in range(100)]
    for payload in payloads:
        groups[0].group.send(payload)
    cluster.until(lambda: len(seen) == 101)
    cluster.until(lambda: len(groups[0].deliveries()) == 101)
    assert seen == [(each.sender, each.number, each.payload) for each in groups[0].deliveries()]


def test_an_invalid_block_is_refused_whole(cluster: Cluster) -> None:
    _, groups = members(cluster, 2)
    with pytest.raises(ValueError, match="the lengths are 2 together, and the block has 3 bytes"):
        groups[0].group.send_many(b"abc", array("I", [1, 1]))
    groups[0].group.send(b"next")
    cluster.until(lambda: all(group.payloads() == [b"next"] for group in groups))


def test_a_message_reaches_all_members_and_its_sender(cluster: Cluster) -> None:
    _, groups = members(cluster, 3)
    groups[0].group.send(b"hello")
    cluster.until(lambda: all(group.payloads() == [b"hello"] for group in groups))
    heard = {(each.sender, each.number) for group in groups for each in group.deliveries()}
    assert len(heard) == 1


def test_an_empty_message_is_a_message(cluster: Cluster) -> None:
    _, groups = members(cluster, 2)
    groups[0].group.send(b"")
    groups[0].group.send(b"x")
    cluster.until(lambda: all(group.payloads() == [b"", b"x"] for group in groups))


def test_messages_of_one_sender_keep_their_order_at_all_members(cluster: Cluster) -> None:
    _, groups = members(cluster, 3)
    texts = [[b"%d:%d" % (sender, number) for number in range(100)] for sender in range(3)]
    for sender, group in enumerate(groups):
        send_all(group, texts[sender])
    cluster.until(lambda: all(len(group.payloads()) == 300 for group in groups))
    for group in groups:
        for sender in range(3):
            mark = b"%d:" % sender
            assert [each for each in group.payloads() if each.startswith(mark)] == texts[sender]


def test_numbers_of_one_sender_are_consecutive_in_each_group(cluster: Cluster) -> None:
    nodes, groups = members(cluster, 2)
    other = [Watched(node.join("other")) for node in nodes]
    cluster.until(lambda: all(each.member_count() == 2 for each in other))
    for _ in range(20):
        groups[0].group.send(b"a")
        other[0].group.send(b"b")
    cluster.until(lambda: len(groups[1].payloads()) == 20 and len(other[1].payloads()) == 20)
    for group in (groups[1], other[1]):
        numbers = [each.number for each in group.deliveries()]
        assert numbers == list(range(numbers[0], numbers[0] + 20))
    assert set(groups[1].payloads()) == {b"a"}


def test_a_long_message_arrives_whole(cluster: Cluster) -> None:
    _, groups = members(cluster, 2)
    long = bytes(range(256)) * 2000
    groups[0].group.send(long)
    groups[0].group.send(b"after")
    cluster.until(lambda: all(group.payloads() == [long, b"after"] for group in groups))


def test_receive_takes_at_most_its_limit(cluster: Cluster) -> None:
    _, groups = members(cluster, 2)
    send_all(groups[0], [b"%d" % number for number in range(10)])
    taken: list[bytes] = []

    def take() -> bool:
        batch = groups[1].group.receive(3)
        assert len(batch) <= 3
        taken.extend(each.payload for each in batch)
        return len(taken) == 10

    cluster.until(take)
    assert taken == [b"%d" % number for number in range(10)]
    assert groups[1].group.receive(0) == []


def test_each_message_is_reported_sent_once_and_stable_at_all_members(cluster: Cluster) -> None:
    _, groups = members(cluster, 2)
    tickets = [groups[0].group.send(b"x") for _ in range(10)]
    cluster.until(lambda: len(groups[0].of(Sent)) == 10)
    assert [event.ticket for event in groups[0].of(Sent)] == tickets
    last = groups[0].of(Sent)[-1].number
    sender = groups[0].deliveries()[0].sender

    def stable_at_all() -> bool:
        return all(Stable(sender, last) in group.events() for group in groups)

    cluster.until(stable_at_all)
    for group in groups:
        numbers = [event.number for event in group.of(Stable)]
        assert numbers == sorted(set(numbers))


def test_a_member_that_leaves_gets_nothing_more_and_the_others_see_it(cluster: Cluster) -> None:
    _, groups = members(cluster, 3)
    groups[2].group.leave()
    cluster.until(lambda: Left() in groups[2].events())
    cluster.until(lambda: all(group.member_count() == 2 for group in groups[:2]))
    groups[0].group.send(b"without you")
    cluster.until(lambda: groups[1].payloads() == [b"without you"])
    cluster.settle()
    assert groups[2].payloads() == []
    assert groups[2].events()[-1] == Left()


def test_a_rejoined_member_receives_again(cluster: Cluster) -> None:
    nodes, groups = members(cluster, 2)
    groups[0].group.send(b"one")
    cluster.until(lambda: groups[1].payloads() == [b"one"])
    groups[1].group.leave()
    cluster.until(lambda: Left() in groups[1].events() and groups[0].member_count() == 1)
    groups[0].group.send(b"two")
    again = Watched(nodes[1].join("chat"))
    cluster.until(lambda: again.member_count() == 2 and groups[0].member_count() == 2)
    groups[0].group.send(b"three")
    cluster.until(lambda: again.payloads()[-1:] == [b"three"])
    assert again.payloads() == [b"three"]
    assert groups[1].payloads() == [b"one"]


def test_groups_do_not_receive_messages_of_one_another(cluster: Cluster) -> None:
    nodes, groups = members(cluster, 2)
    alone = Watched(nodes[1].join("alone"))
    cluster.until(lambda: alone.member_count() == 1)
    groups[0].group.send(b"chat")
    alone.group.send(b"alone")
    cluster.until(lambda: groups[1].payloads() == [b"chat"] and alone.payloads() == [b"alone"])
    cluster.settle()
    assert groups[0].payloads() == [b"chat"]


def test_using_a_left_group_or_joining_twice_is_an_error(cluster: Cluster) -> None:
    nodes, groups = members(cluster, 2)
    with pytest.raises(MulticastError, match="chat"):
        nodes[0].join("chat")
    groups[0].group.leave()
    cluster.until(lambda: Left() in groups[0].events())
    with pytest.raises(MulticastError, match="join it first"):
        groups[0].group.send(b"x")
    with pytest.raises(MulticastError):
        groups[0].group.leave()


def test_an_old_group_object_cannot_use_a_rejoined_group(cluster: Cluster) -> None:
    nodes, groups = members(cluster, 2)
    groups[0].group.leave()
    cluster.until(lambda: Left() in groups[0].events())
    fresh = Watched(nodes[0].join("fresh"))
    cluster.until(lambda: fresh.member_count() == 1)
    with pytest.raises(MulticastError):
        groups[0].group.send(b"x")
    cluster.settle()
    assert fresh.payloads() == []


def test_a_payload_function_is_called_when_its_turn_comes(cluster: Cluster) -> None:
    _, groups = members(cluster, 2)
    rooms: list[int] = []

    def make(room: int) -> bytes:
        rooms.append(room)
        return b"made"

    groups[0].group.send(b"before")
    groups[0].group.send(make)
    groups[0].group.send(b"after")
    assert rooms == []
    cluster.until(lambda: groups[1].payloads() == [b"before", b"made", b"after"])
    assert len(rooms) == 1
    assert 100 < rooms[0] < 65536


def _late(text: bytes, _room: int) -> bytes:
    return text


def test_payload_functions_and_bytes_keep_one_order(cluster: Cluster) -> None:
    _, groups = members(cluster, 2)
    for number in range(30):
        text = b"%d" % number
        groups[0].group.send(text if number % 3 else partial(_late, text))
    cluster.until(lambda: all(len(group.payloads()) == 30 for group in groups))
    for group in groups:
        assert group.payloads() == [b"%d" % number for number in range(30)]


def test_a_payload_function_that_returns_none_takes_its_message_back(cluster: Cluster) -> None:
    _, groups = members(cluster, 2)
    ticket = groups[0].group.send(lambda _room: None)
    groups[0].group.send(b"next")
    cluster.until(lambda: groups[1].payloads() == [b"next"])
    cluster.until(lambda: Withdrawn(ticket) in groups[0].events())
    cluster.until(lambda: [event.ticket for event in groups[0].of(Sent)] == [ticket + 1])


def test_the_drop_policy_reports_counts_and_senders(cluster: Cluster) -> None:
    nodes = [cluster.node() for _ in range(2)]
    sender = Watched(nodes[0].join("chat"))
    reader = Watched(nodes[1].join("chat", GroupPolicy(SlowPolicy.DROP, queue_messages=10)))
    cluster.until(lambda: sender.member_count() == 2 and reader.member_count() == 2)
    send_all(sender, [b"%d" % number for number in range(50)])
    cluster.until(lambda: len(sender.payloads()) == 50)
    cluster.until(lambda: sum(event.count for event in reader.of(Dropped)) + 10 >= 50)
    heard = reader.payloads()
    assert heard == [b"%d" % number for number in range(len(heard))]
    assert len(heard) + sum(event.count for event in reader.of(Dropped)) == 50


def test_the_throttle_policy_loses_nothing(cluster: Cluster) -> None:
    nodes = [cluster.node() for _ in range(2)]
    sender = Watched(nodes[0].join("chat"))
    reader = Watched(nodes[1].join("chat", GroupPolicy(SlowPolicy.THROTTLE, queue_messages=100)))
    cluster.until(lambda: sender.member_count() == 2 and reader.member_count() == 2)
    texts = [b"%d" % number for number in range(230)]
    for first in range(0, 230, 10):
        send_all(sender, texts[first : first + 10])
        # the round that says that all have it says, too, that somebody has no more room
        cluster.until(lambda first=first: sender.stable(first + 10) or Paused() in sender.events())  # type: ignore[misc]
        cluster.moment()
    sender.payloads()
    assert len(sender.of(Sent)) < 150  # the rest waits at the sender, which was told
    assert Paused() in sender.events()
    cluster.until(lambda: bool(sender.payloads()) and reader.payloads() == texts)
    assert Resumed() in sender.events()


def test_the_default_policy_warns_then_expels_and_allows_a_rejoin(cluster: Cluster) -> None:
    nodes = [cluster.node() for _ in range(3)]
    sender, other = (Watched(node.join("chat")) for node in nodes[:2])
    reader = Watched(nodes[2].join("chat", GroupPolicy(queue_messages=20)))
    cluster.until(lambda: all(each.member_count() == 3 for each in (sender, other, reader)))
    texts = [b"%d" % number for number in range(60)]
    send_all(sender, texts)
    cluster.until(lambda: other.payloads() == texts)  # nobody waits for the reader
    cluster.until(lambda: Expelled() in reader.events())
    assert reader.of(Behind) == [Behind(10)]
    assert reader.payloads() == texts[:20]
    with pytest.raises(MulticastError, match="join it first"):
        reader.group.send(b"still here?")
    again = Watched(nodes[2].join("chat"))
    cluster.until(lambda: again.member_count() == 3 and sender.member_count() == 3)
    sender.group.send(b"welcome")
    cluster.until(lambda: again.payloads() == [b"welcome"])


def test_measurements_have_names(cluster: Cluster) -> None:
    nodes, groups = members(cluster, 2)
    groups[0].group.send(b"x" * 100)
    cluster.until(lambda: groups[1].payloads() == [b"x" * 100])
    stats = nodes[0].stats()
    assert stats["messages_sent"] == 1
    assert stats["groups"] == 1
    assert nodes[1].stats()["messages_delivered"] == 1


def test_a_listener_gets_messages_and_events_in_order(cluster: Cluster) -> None:
    node = cluster.node()
    group = node.join("chat")
    told: list[Delivery | GroupEvent] = []
    group.listen(told.append, told.append)
    cluster.until(lambda: any(isinstance(each, View) for each in told))
    group.send(b"one")
    group.send(b"two")
    cluster.until(lambda: sum(isinstance(each, Delivery) for each in told) == 2)
    assert isinstance(told[0], Joined)
    assert [each.payload for each in told if isinstance(each, Delivery)] == [b"one", b"two"]
    assert group.receive() == []
    assert group.events() == []


def test_a_listener_may_send_and_its_exception_is_raised_last(cluster: Cluster) -> None:
    node = cluster.node()
    group = node.join("chat")
    heard: list[bytes] = []

    def answer(delivery: Delivery) -> None:
        heard.append(delivery.payload)
        if delivery.payload == b"ask":
            group.send(b"answer")
        if delivery.payload == b"bad":
            raise ZeroDivisionError("bad")

    group.listen(answer)
    for payload in (b"ask", b"bad", b"good"):
        group.send(payload)
    with pytest.raises(ZeroDivisionError, match="bad"):
        cluster.until(lambda: False)
    cluster.until(lambda: len(heard) == 4)
    assert heard == [b"ask", b"bad", b"good", b"answer"]


def test_messages_passed_to_a_listener_count_as_received(cluster: Cluster) -> None:
    node, other = cluster.node(), cluster.node()
    policy = GroupPolicy(queue_messages=20)
    groups = [each.join("chat", policy) for each in (node, other)]
    heard: list[int] = []
    told: list[GroupEvent] = []
    for group in groups:
        group.listen(lambda delivery: heard.append(delivery.number), told.append)
    cluster.until(lambda: sum(isinstance(event, View) and len(event.members) == 2 for event in told) >= 2)
    for number in range(200):  # far more than may wait unread
        groups[0].send(b"%d" % number)
        if number % 5 == 4:
            cluster.moment()
    cluster.until(lambda: len(heard) == 400)


def spread(cluster: Cluster) -> tuple[list[Node], list[Watched]]:
    """Make three nodes in one group that differ in their other groups: three regions have the group."""
    nodes = [cluster.node() for _ in range(3)]
    for node, other in zip(nodes[1:], ("left", "right"), strict=True):
        node.join(other)
    groups = [Watched(node.join("all")) for node in nodes]
    cluster.until(lambda: all(group.member_count() == 3 for group in groups))
    return nodes, groups


def test_a_group_of_many_regions_sends_one_packet_to_its_own_address(hybrid_cluster: Cluster) -> None:
    nodes, groups = spread(hybrid_cluster)
    words = [b"%d" % number for number in range(50)]
    for group in groups:
        send_all(group, words)
    hybrid_cluster.until(lambda: all(sorted(group.payloads()) == sorted(words * 3) for group in groups))
    hybrid_cluster.until(lambda: all(node.stats()["hybrids_received"] > 0 for node in nodes))
    assert all(node.stats()["hybrids_sent"] > 0 for node in nodes)


def test_by_default_no_group_has_an_address_of_its_own(cluster: Cluster) -> None:
    nodes, groups = spread(cluster)
    groups[0].group.send(b"word")
    cluster.until(lambda: all(group.payloads() == [b"word"] for group in groups))
    assert all(node.stats()["hybrids_sent"] == 0 for node in nodes)
