"""Texts with a time stamp over a channel, and their delays."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from liven.liveobjects.channel.objects.local import LocalChannel
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.tester.load_generator import TextGenerator, UniformInterval
from liven.liveobjects.channel.tester.timed_channel import Delay, TimedChannel, TimedMessage
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.runtime.objects.probe import Probe, opposite
from liven.types.declare import TermBuilder
from liven.types.terms.value_types import TEXT


@pytest.fixture
def processes() -> Iterator[Processes]:
    with Processes() as made:
        yield made


def over(process: Process, channel: type, **where: str) -> tuple[Object, Probe, list[Any]]:
    """Return a timed channel over another one, its client, and the states the client began with."""
    began: list[Any] = []
    made = process.build(TimedChannel)
    probe = Probe(process.node, opposite(made.handle.endpoint("Channel").type))
    probe.react(initialize=lambda record: began.append(record["checkpoint"]), checkpoint=lambda _: "state")
    probe.connect(made.handle.endpoint("Channel"))
    kind = TermBuilder(process.known.formalisms).of(TimedMessage)
    process.connect(made, "channel", process.build(channel, kind, TEXT, **where), "Channel")
    return made, probe, began


def texts(probe: Probe) -> list[Any]:
    return [heard[1]["message"] for heard in probe.heard if heard[0] == "receive"]  # type: ignore[index]


def test_texts_arrive_unchanged_with_their_delays(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, anns, _ = over(processes.process(), SharedChannel, name="home/f/t")
    bob, bobs, _ = over(processes.process(), SharedChannel, name="home/f/t")
    processes.advance(4)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    anns.send("send", {"message": "one"})
    anns.send("send", {"message": "two"})
    monkeypatch.setattr(time, "time", lambda: now + 0.25)
    processes.advance(1)
    assert texts(anns) == texts(bobs) == ["one", "two"]
    name = ann.instance.name
    assert bob.instance.heard == {name: Delay(2, 0.5, 0.25, 0.25)}
    assert bob.instance.summary() == f"{name}: 2, 250.0 to 250.0 ms, 250.0 ms on average"


def test_states_pass_through(processes: Processes) -> None:
    process = processes.process()
    first = over(process, LocalChannel, address="a")
    later = over(process, LocalChannel, address="a")
    assert (first[2], later[2]) == ([None], ["state"])


def test_each_message_has_a_number_a_time_and_a_sender(processes: Processes) -> None:
    process = processes.process()
    made = process.build(TimedChannel)
    below = Probe(process.node, opposite(made.handle.endpoint("channel").type))
    below.connect(made.handle.endpoint("channel"))
    made.instance.send("hello")
    made.instance.send("again")
    sent = [heard[1]["message"] for heard in below.heard if heard[0] == "send"]  # type: ignore[index]
    assert [each["sequence"] for each in sent] == [1, 2]
    assert {each["from_id"] for each in sent} == {made.instance.name}
    assert [each["payload"] for each in sent] == ["hello", "again"]
    assert all(abs(each["timestamp"] - time.time()) < 3600 for each in sent)


def test_an_invalid_time_stamp_is_reported(processes: Processes) -> None:
    made, probe, _ = over(processes.process(), LocalChannel, address="a")
    made.instance.channel.peer.send(TimedMessage(1, float("nan"), "eve", "x"))
    assert texts(probe) == []
    assert made.instance.summary() == "no message has come"
    processes.expect("its time stamp nan is invalid")


def test_of_very_many_senders_the_first_are_listed(processes: Processes) -> None:
    made = processes.process().build(TimedChannel)
    for number in range(1200):
        made.instance.lift(TimedMessage(1, time.time(), str(number), "x"))
    assert len(made.instance.heard) == 1001
    assert made.instance.heard["all others"].count == 200


def test_a_text_generator_can_be_connected_as_in_original_files(processes: Processes) -> None:
    process = processes.process()
    made, probe, _ = over(process, LocalChannel, address="a")
    generator = process.build(TextGenerator)
    source = process.build(UniformInterval, duration=5.0)
    timed_too = process.build(TimedChannel)
    kind = TermBuilder(process.known.formalisms).of(TimedMessage)
    below = process.build(LocalChannel, kind, TEXT, address="a")
    process.connect(timed_too, "channel", below, "Channel")
    process.connect(generator, "channel", timed_too, "Channel")
    process.connect(generator, "generator", source, "Generator")
    processes.advance(10.0)
    sent = generator.instance.sent
    assert sent > 0
    assert len(texts(probe)) == made.instance.heard[timed_too.instance.name].count == sent
