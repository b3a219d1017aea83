"""The ordering object over a FIFO channel, and story 3, which requires it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Protocol

import pytest

from liven.liveobjects.channel.adapters.total_order import Letter, Order
from liven.liveobjects.channel.api.endpoints import FifoChannel, OrderedChannel
from liven.liveobjects.channel.objects.group import GroupChannel
from liven.liveobjects.channel.objects.ordered import OrderedGroupChannel
from liven.liveobjects.channel.testing import Process, Processes
from liven.runtime.errors import MismatchError
from liven.runtime.objects.probe import Probe
from liven.runtime.reference.model import (
    Component,
    Composite,
    Connection,
    OtherClass,
    Parameter,
    Plain,
    Reference,
)
from liven.types.catalogue import register
from liven.types.declare import Declarations, Dual, TermBuilder, interface, proxy, requires
from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.annotation.shapes import GivenUse
from liven.types.formalism.registry import Formalisms
from liven.types.terms.value_types import TEXT


@pytest.fixture
def processes() -> Iterator[Processes]:
    with Processes() as made:
        yield made


def received(probe: Probe) -> list[Any]:
    return [heard[1]["message"] for heard in probe.heard if heard[0] == "receive"]  # type: ignore[index]


def ordered(process: Process) -> Probe:
    adapter = process.build(Order, TEXT)
    channel = process.build(GroupChannel, TermBuilder(Formalisms()).of(Letter), name="home/f/plain")
    process.connect(adapter, "below", channel, "Channel")
    return adapter.probe()


def test_over_a_fifo_channel_all_receive_one_order(processes: Processes) -> None:
    probes = [ordered(processes.process()) for _ in range(3)]
    processes.advance(5)
    for number in range(5):
        for who, probe in enumerate(probes):
            probe.send("send", {"message": f"{who}.{number}"})
    processes.advance(3)
    orders = [received(probe) for probe in probes]
    assert len(orders[0]) == 15
    assert orders[0] == orders[1] == orders[2]


def test_when_one_member_falls_silent_the_others_continue_in_one_order(processes: Processes) -> None:
    members = [processes.process() for _ in range(3)]
    probes = [ordered(process) for process in members]
    processes.advance(5)
    probes[1].send("send", {"message": "before"})
    processes.advance(1)
    members[0].close()
    for who in (1, 2):
        probes[who].send("send", {"message": f"after {who}"})
    processes.advance(15)
    assert received(probes[1]) == received(probes[2])
    assert sorted(received(probes[1])) == ["after 1", "after 2", "before"]


# Story 3: a document that requires total order, and two channels equal in events.


@interface
class Says(Protocol):
    def send(self, message: str) -> None: ...


@interface
class Hears(Protocol):
    def receive(self, message: str) -> None: ...


@proxy(id="00000000000000000000000000005701", alias="test:document")
class Document:
    """Every reader must see the same sequence."""

    channel: Annotated[Dual[Hears, Says], requires("guarantee", "total")]

    def receive(self, message: str) -> None: ...


def text(value: str) -> Plain:
    return Plain("string", value)


def classes(name: str) -> Parameter:
    return Parameter("MessageClass", OtherClass("ValueClass", name))


def channel(alias: str, carries: str = "liven:text") -> Component:
    return Component("channel", Reference(alias, (classes(carries), Parameter("name", text("home/f/story")))))


def composite(*parts: Component, joints: tuple[tuple[str, str], ...]) -> Composite:
    document = Component("document", Reference("test:document"))
    return Composite(components=(document, *parts), connections=tuple(Connection(*one) for one in joints))


@pytest.fixture
def process(processes: Processes) -> Process:
    process = processes.process()
    register(
        process.known.catalogue, Declarations(__name__, (declaration_of(Document),)), process.known.matcher
    )
    return process


DIRECT = (("document.channel", "channel.Channel"),)


def test_the_two_types_have_equal_events_and_different_guarantees(process: Process) -> None:
    terms = TermBuilder(process.known.formalisms)
    uses = [declaration_of(cls).use((GivenUse(TEXT),)) for cls in (FifoChannel, OrderedChannel)]
    (fifo,), (total,) = (terms.object(use).endpoints for use in uses)
    assert (fifo[1].inputs, fifo[1].outputs) == (total[1].inputs, total[1].outputs)
    assert fifo[1].provides != total[1].provides


def test_the_document_is_refused_the_fifo_channel_with_the_same_explanation_by_check_and_at_run_time(
    process: Process,
) -> None:
    report = process.known.checker.check(composite(channel("liven:group-channel"), joints=DIRECT))
    (fault,) = report.faults
    assert fault.explanation is not None
    assert "`total` does not follow from what is promised" in fault.explanation.render()
    document = process.build(Document)
    fifo = process.build(GroupChannel, TEXT, name="home/f/story")
    with pytest.raises(MismatchError) as refused:
        process.connect(document, "channel", fifo, "Channel")
    assert refused.value.explanation.render() == fault.explanation.render()


def test_the_explanation_suggests_the_ordering_object_and_with_it_the_document_is_accepted(
    process: Process,
) -> None:
    report = process.known.checker.check(composite(channel("liven:group-channel"), joints=DIRECT))
    advice = report.faults[0].advice
    assert (
        "insert liven:order (MessageClass = text): its Channel on the left, its below on the right, "
        "and have that carry liven:letter instead of text"
    ) in advice
    mended = composite(
        Component("order", Reference("liven:order", (classes("liven:text"),))),
        channel("liven:group-channel", "liven:letter"),
        joints=(("document.channel", "order.Channel"), ("order.below", "channel.Channel")),
    )
    assert process.known.checker.check(mended).faults == ()
    assert process.load(mended).handle.type is not None


def test_the_ordered_channel_is_accepted_as_it_is(process: Process) -> None:
    whole = composite(channel("liven:ordered-group-channel"), joints=DIRECT)
    assert process.known.checker.check(whole).faults == ()
    document = process.build(Document)
    total = process.build(OrderedGroupChannel, TEXT, name="home/f/story")
    process.connect(document, "channel", total, "Channel")
