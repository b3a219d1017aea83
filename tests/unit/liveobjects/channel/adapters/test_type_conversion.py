"""Type conversion and buffering, and the proposals of adapters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Protocol

import pytest

from liven.liveobjects.channel.adapters.base import UnfitError
from liven.liveobjects.channel.adapters.type_conversion import Buffer, Convert, ConvertReplicated
from liven.liveobjects.channel.objects.group import GroupChannel
from liven.liveobjects.channel.objects.local import LocalChannel
from liven.liveobjects.channel.testing import Process, Processes
from liven.runtime.checking.adapter_proposals import propose
from liven.runtime.objects.probe import Probe, opposite
from liven.types.declare import Dual, TermBuilder, interface, object_type, provides, requires
from liven.types.terms.endpoint_types import EndpointType
from liven.types.terms.value_types import TEXT, Integer, Scalar

NUMBER = Integer(0, 1000)


@pytest.fixture
def processes() -> Iterator[Processes]:
    with Processes() as made:
        yield made


def received(probe: Probe) -> list[Any]:
    return [heard[1]["message"] for heard in probe.heard if heard[0] == "receive"]  # type: ignore[index]


def test_a_client_of_numbers_talks_over_a_channel_of_texts(processes: Processes) -> None:
    process = processes.process()
    adapter = process.build(Convert, NUMBER, TEXT)
    channel = process.build(GroupChannel, TEXT, name="home/f/g")
    process.connect(adapter, "below", channel, "Channel")
    numbers = adapter.probe()
    texts = processes.process().build(GroupChannel, TEXT, name="home/f/g").probe()
    processes.settle()
    numbers.send("send", {"message": 41})
    texts.send("send", {"message": "42"})
    texts.send("send", {"message": "many"})
    processes.settle()
    assert received(texts) == ["41", "42", "many"]
    assert received(numbers) == [41, 42]
    processes.expect("'many' is not a whole number")


def test_states_are_converted(processes: Processes) -> None:
    process, began = processes.process(), list[Any]()
    texts = process.build(LocalChannel, TEXT, TEXT, address="a")
    first = Probe(process.node, opposite(texts.handle.endpoint("Channel").type))
    first.react(checkpoint=lambda _: "12")
    first.connect(texts.handle.endpoint("Channel"))
    adapter = process.build(ConvertReplicated, NUMBER, NUMBER, TEXT, TEXT)
    probe = Probe(process.node, opposite(adapter.handle.endpoint("Channel").type))
    probe.react(initialize=lambda record: began.append(record["checkpoint"]), checkpoint=lambda _: 13)
    probe.connect(adapter.handle.endpoint("Channel"))
    process.connect(adapter, "below", process.build(LocalChannel, TEXT, TEXT, address="a"), "Channel")
    assert began == [12]
    first.send("send", {"message": "5"})
    assert received(probe) == [5]


def test_classes_without_a_conversion_are_refused(processes: Processes) -> None:
    with pytest.raises(UnfitError, match="cannot be converted to each other"):
        processes.process().build(Convert, TEXT, Scalar("bytes"))


def test_a_buffer_has_one_message_in_transit(processes: Processes) -> None:
    process = processes.process()
    adapter = process.build(Buffer, TEXT)
    below = Probe(process.node, opposite(adapter.handle.endpoint("below").type, process.known.formalisms))
    below.connect(adapter.handle.endpoint("below"))
    client = adapter.probe()
    for word in "abc":
        client.send("send", {"message": word})
    assert sent(below) == ["a"]
    below.send("receive", {"message": "a"})
    assert sent(below) == ["a", "b"]
    below.send("receive", {"message": "x"})
    assert sent(below) == ["a", "b", "c"]
    assert received(client) == ["a", "x"]


def sent(probe: Probe) -> list[Any]:
    return [heard[1]["message"] for heard in probe.heard if heard[0] == "send"]  # type: ignore[index]


@interface
class Says(Protocol):
    def send(self, message: str) -> None: ...


@interface
class Hears(Protocol):
    def receive(self, message: str) -> None: ...


@interface
class SaysNumbers(Protocol):
    def send(self, message: int) -> None: ...


@interface
class HearsNumbers(Protocol):
    def receive(self, message: int) -> None: ...


@object_type
class Plain:
    Channel: Annotated[Dual[Says, Hears], provides("guarantee", "exactly-once, fifo")]


@object_type
class Paced:
    Channel: Annotated[
        Dual[Says, Hears],
        provides("guarantee", "exactly-once, fifo"),
        requires("trace", "at most 1 in.send between two out.receive"),
    ]


@object_type
class Counting:
    channel: Dual[HearsNumbers, SaysNumbers]


@object_type
class Talking:
    channel: Dual[Hears, Says]


def end(process: Process, cls: type) -> EndpointType:
    kind: Any = TermBuilder(process.known.formalisms).of(cls)
    ((_, found),) = kind.endpoints
    assert isinstance(found, EndpointType)
    return found


def proposed(process: Process, left: type, right: type) -> list[str]:
    known = process.known
    found = propose(known.catalogue, known.matcher, end(process, left), end(process, right))
    return sorted(str(one) for one in found)


def test_a_converter_is_proposed_with_the_classes_of_both_sides(processes: Processes) -> None:
    process = processes.process()
    assert proposed(process, Counting, Plain) == [
        "insert liven:convert (MessageClass = int64, ChannelMessageClass = text): "
        "its Channel on the left, its below on the right"
    ]
    assert proposed(process, Plain, Counting) == [
        "insert liven:convert (MessageClass = int64, ChannelMessageClass = text): "
        "its below on the left, its Channel on the right"
    ]


def test_a_buffer_is_proposed_for_a_channel_that_sets_the_pace(processes: Processes) -> None:
    process = processes.process()
    assert not process.known.matcher.matches(end(process, Talking), end(process, Paced))
    assert proposed(process, Talking, Paced) == [
        "insert liven:buffer (MessageClass = text): its Channel on the left, its below on the right"
    ]


def test_the_pace_that_a_buffer_promises_is_watched_and_kept(processes: Processes) -> None:
    process = processes.process()
    adapter = process.build(Buffer, TEXT)
    channel = process.build(GroupChannel, TEXT, name="home/f/g")
    process.connect(adapter, "below", channel, "Channel")
    client = adapter.probe()
    for number in range(20):
        client.send("send", {"message": str(number)})
    processes.advance(1)
    assert received(client) == [str(number) for number in range(20)]
    adapter.instance.below.peer.send("out of turn")
    adapter.instance.below.peer.send("out of turn")
    assert "was broken" in processes.expect("at most 1 out.send").what
