"""Value streams over groups and channels."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liven.liveobjects.channel.objects.local import LocalChannel
from liven.liveobjects.channel.objects.value_stream import Publisher, SharedValue, Subscriber
from liven.liveobjects.channel.testing import Process, Processes
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.probe import Probe
from liven.types.terms.value_types import TEXT

NAME = "home/f/value"


@pytest.fixture
def processes() -> Iterator[Processes]:
    with Processes() as made:
        yield made


def shared(process: Process) -> Probe:
    return process.build(SharedValue, TEXT, name=NAME).probe("Endpoint")


def values(probe: Probe) -> list[object]:
    return [heard[1]["value"] for heard in probe.heard if heard[0] == "set"]  # type: ignore[index]


def put(probe: Probe, value: str) -> None:
    probe.send("set", {"value": value})


def test_the_last_value_wins_everywhere_and_newcomers_get_it(processes: Processes) -> None:
    one, other = shared(processes.process()), shared(processes.process())
    processes.settle()
    put(one, "a")
    processes.settle()
    put(other, "b")
    processes.settle()
    late = shared(processes.process())
    processes.settle()
    for probe in (one, other, late):
        assert probe.call("get", {}).value() == "b"
        assert values(probe)[-1] == "b"


def test_reading_without_a_value_fails(processes: Processes) -> None:
    probe = shared(processes.process())
    with pytest.raises(CallFailedError, match="no value yet"):
        probe.call("get", {}).value()


@settings(deadline=None, max_examples=20)
@given(st.lists(st.tuples(st.integers(0, 2), st.text(max_size=3), st.booleans()), max_size=12))
def test_simultaneous_assignments_converge(steps: list[tuple[int, str, bool]]) -> None:
    with Processes() as processes:
        probes = [shared(processes.process()) for _ in range(3)]
        processes.settle()
        for who, value, pause in steps:
            put(probes[who], value)
            if pause:
                processes.settle()
        processes.settle()
        known = {str(probe.call("get", {}).value()) for probe in probes} if steps else set()
        assert len(known) <= 1


def test_a_publisher_and_a_subscriber_carry_a_stream_over_a_channel(processes: Processes) -> None:
    process = processes.process()
    source = process.build(SharedValue, TEXT, name=NAME)
    publisher = process.build(Publisher, TEXT)
    subscriber = process.build(Subscriber, TEXT)
    channels = [process.build(LocalChannel, TEXT, TEXT, address="x") for _ in range(2)]
    process.connect(publisher, "channel", channels[0], "Channel")
    process.connect(subscriber, "channel", channels[1], "Channel")
    process.connect(publisher, "value", source, "Endpoint")
    setter = shared(processes.process())
    out = subscriber.probe("Endpoint")
    processes.settle()
    put(setter, "first")
    put(setter, "second")
    processes.settle()
    assert values(out) == ["first", "second"]
    assert out.call("get", {}).value() == "second"
    put(out, "back")
    processes.settle()
    assert values(out)[-1] == "back", "what is set at the subscriber goes over the channel and comes back"


def test_a_late_subscriber_begins_with_the_latest(processes: Processes) -> None:
    process = processes.process()
    source = process.build(SharedValue, TEXT, name=NAME)
    publisher = process.build(Publisher, TEXT)
    process.connect(publisher, "channel", process.build(LocalChannel, TEXT, TEXT, address="x"), "Channel")
    process.connect(publisher, "value", source, "Endpoint")
    setter = shared(processes.process())
    processes.settle()
    put(setter, "now")
    processes.settle()
    subscriber = process.build(Subscriber, TEXT)
    process.connect(subscriber, "channel", process.build(LocalChannel, TEXT, TEXT, address="x"), "Channel")
    assert subscriber.probe("Endpoint").call("get", {}).value() == "now"


def test_a_subscriber_without_a_message_has_no_value_and_without_a_channel_sets_nothing(
    processes: Processes,
) -> None:
    subscriber = processes.process().build(Subscriber, TEXT)
    probe = subscriber.probe("Endpoint")
    with pytest.raises(CallFailedError, match="no value yet"):
        probe.call("get", {}).value()
