"""The local channel: the replication contract within one process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from liven.liveobjects.channel.objects.local import LocalChannel
from liven.liveobjects.channel.testing import Process, Processes
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.probe import Probe
from liven.types.terms.value_types import TEXT, Integer

NUMBER = Integer(-(2**31), 2**31 - 1)


class Counter:
    """A client that adds up the numbers it receives."""

    def __init__(self, process: Process, address: str = "a") -> None:
        self.object = process.build(LocalChannel, NUMBER, NUMBER, address=address)
        self.began: list[Any] = []
        self.received: list[int] = []
        self.total = 0
        self.fails = False
        probe = self.probe = Probe(process.node, _client_type(self.object.handle.endpoint("Channel").type))
        probe.react(initialize=self.initialize, receive=self.receive, checkpoint=self.checkpoint)
        probe.connect(self.object.handle.endpoint("Channel"))

    def initialize(self, record: dict[str, Any]) -> None:
        self.began.append(record["checkpoint"])
        self.total = record["checkpoint"] or 0

    def receive(self, record: dict[str, Any]) -> None:
        self.received.append(record["message"])
        self.total += record["message"]

    def checkpoint(self, _: dict[str, Any]) -> int:
        if self.fails:
            raise CallFailedError("I will not")
        return self.total

    def send(self, number: int) -> None:
        self.probe.send("send", {"message": number})


def _client_type(kind: Any) -> Any:
    from liven.runtime.objects.probe import opposite

    return opposite(kind)


@pytest.fixture
def process() -> Iterator[Process]:
    with Processes() as processes:
        yield processes.process()


def test_every_client_begins_once_and_receives_everything_in_one_order(process: Process) -> None:
    one, other = Counter(process), Counter(process)
    for number in range(4):
        (one, other)[number % 2].send(number)
    assert one.began == [None]
    assert other.began == [0]
    assert one.received == other.received == [0, 1, 2, 3]


def test_a_joiner_begins_with_the_state_and_misses_nothing_after_it(process: Process) -> None:
    one = Counter(process)
    one.send(5)
    late = Counter(process)
    one.send(7)
    assert (late.began, late.received, late.total) == ([5], [7], 12)


def test_messages_during_a_join_are_delivered_after_the_checkpoint(
    process: Process,
) -> None:
    one = Counter(process)
    one.send(1)

    def join_in_the_middle() -> Counter:
        one.send(2)
        late = Counter(process)
        one.send(4)
        return late

    late = process.node.queue.inside(process.node.root, "test", join_in_the_middle)
    assert late.total == one.total == 7
    assert (late.began, late.received) == ([3], [4])


def test_a_client_without_a_checkpoint_is_replaced(process: Process) -> None:
    one, two = Counter(process), Counter(process)
    one.send(9)
    one.fails = True
    late = Counter(process)
    assert late.began == [9]
    assert two.total == 9


def test_addresses_are_separate_and_nothing_is_stored(process: Process) -> None:
    one, other = Counter(process, "a"), Counter(process, "b")
    one.send(3)
    assert other.received == []
    one.probe.close()
    assert Counter(process, "a").began == [None]


def test_other_classes_at_the_same_address_are_refused(process: Process) -> None:
    one = Counter(process)
    stranger = process.build(LocalChannel, TEXT, TEXT, address="a")
    probe = stranger.probe()
    assert not probe.end.connected
    assert "use other value classes" in process.problems.pop().what
    one.send(1)
    assert one.received == [1]


def test_the_contract_monitors_find_nothing_but_would_find_a_breach(process: Process) -> None:
    one = Counter(process)
    one.send(1)
    assert process.problems == []
    one.object.instance.Channel.peer.initialize(None)
    problem = process.problems.pop()
    assert "was broken" in problem.what
    assert "initialize" in problem.what
