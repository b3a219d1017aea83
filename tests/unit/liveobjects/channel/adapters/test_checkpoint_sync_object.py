"""The checkpoint synchronizer over an ordered channel that carries only messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import pytest

from liven.liveobjects.channel.adapters.checkpoint_sync_object import CheckpointSynchronizer
from liven.liveobjects.channel.adapters.total_order import Letter, Order
from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient, OrderedChannel
from liven.liveobjects.channel.objects.group import GroupChannel
from liven.liveobjects.channel.objects.ordered import OrderedGroupChannel
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.counter.object import CounterObject
from liven.runtime.checking.adapter_proposals import propose
from liven.types.declare import Dual, TermBuilder, object_type, requires
from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.annotation.shapes import GivenUse
from liven.types.terms.endpoint_types import EndpointType
from liven.types.terms.value_types import INT64, TEXT

NAME = "home/f/letters"
LETTERS = "underlying_communication_channel"


@pytest.fixture
def processes() -> Iterator[Processes]:
    with Processes() as made:
        yield made


def counter(process: Process) -> Object:
    made, adapter = process.build(CounterObject), process.build(CheckpointSynchronizer, INT64, INT64)
    letters = TermBuilder(process.known.formalisms).of(Letter)
    channel = process.build(OrderedGroupChannel, letters, name=NAME)
    process.connect(made, "channel", adapter, "Channel")
    process.connect(adapter, LETTERS, channel, "Channel")
    return made


def numbers(made: list[Object]) -> list[int]:
    return [each.instance.value() for each in made]


def test_members_that_begin_together_begin_empty_and_agree(processes: Processes) -> None:
    made = [counter(processes.process()) for _ in range(3)]
    for amount, each in enumerate(made, 1):
        each.instance.add(amount)
    processes.advance(8)
    assert numbers(made) == [6, 6, 6]


def test_a_joiner_gets_the_state_at_its_place_while_others_go_on(processes: Processes) -> None:
    made = [counter(processes.process()) for _ in range(2)]
    processes.advance(8)
    for _ in range(10):
        made[0].instance.add(1)
    processes.advance(1)
    made.append(counter(processes.process()))
    for _ in range(60):
        made[1].instance.add(1)
        processes.advance(0.1)
    made[2].instance.add(1000)
    processes.advance(2)
    assert numbers(made) == [1070, 1070, 1070]


def test_one_member_with_the_state_is_enough_and_can_be_replaced(processes: Processes) -> None:
    made = [counter(processes.process()) for _ in range(3)]
    processes.advance(8)
    made[0].instance.add(7)
    processes.advance(1)
    processes.processes[0].close()
    processes.advance(3)
    late = counter(processes.process())
    processes.advance(8)
    late.instance.add(1)
    processes.advance(1)
    assert numbers([made[1], made[2], late]) == [8, 8, 8]


def test_it_works_over_a_fifo_channel_with_an_ordering_object(processes: Processes) -> None:
    made: list[Object] = []
    for _ in range(2):
        process = processes.process()
        client, adapter = process.build(CounterObject), process.build(CheckpointSynchronizer, INT64, INT64)
        letters = TermBuilder(process.known.formalisms).of(Letter)
        order = process.build(Order, letters)
        process.connect(client, "channel", adapter, "Channel")
        process.connect(adapter, LETTERS, order, "Channel")
        process.connect(order, "below", process.build(GroupChannel, letters, name="home/f/g"), "Channel")
        made.append(client)
        processes.advance(8)
        client.instance.add(5)
        processes.advance(3)
    assert numbers(made) == [10, 10]


@object_type
class Needs:
    channel: Annotated[
        Dual[CheckpointedClient[int, int], ChannelService[int]],
        requires("guarantee", "total"),
        requires("trace", "no in.receive before in.initialize"),
    ]


def end(process: Process, cls: Any, *classes: Any) -> EndpointType:
    use = declaration_of(cls).use(tuple(GivenUse(each) for each in classes))
    ((_, found),) = TermBuilder(process.known.formalisms).object(use).endpoints
    assert isinstance(found, EndpointType)
    return found


def test_it_is_proposed_where_an_object_needs_a_state_and_the_channel_has_none(processes: Processes) -> None:
    process = processes.process()
    needs, has = end(process, Needs), end(process, OrderedChannel, TEXT)
    assert not process.known.matcher.matches(needs, end(process, OrderedChannel, INT64))
    found = [str(one) for one in propose(process.known.catalogue, process.known.matcher, needs, has)]
    assert (
        "insert liven:checkpoint-synchronizer (MessageClass = int64, CheckpointClass = int64): its Channel "
        "on the left, its underlying_communication_channel on the right, and have that carry liven:letter "
        "instead of text"
    ) in found
