"""The tester finds the faults of a wrong channel, and none in a correct one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.objects.local import LocalChannel
from liven.liveobjects.channel.tester.model import FAULTS_MOST, SequenceCheck
from liven.liveobjects.channel.tester.object import ChannelTester
from liven.liveobjects.channel.testing import Process, Processes
from liven.runtime.objects.probe import Probe
from liven.runtime.reference.model import Parameter, Plain, Reference
from liven.types.terms.value_types import TEXT


@pytest.fixture
def process() -> Iterator[Process]:
    with Processes() as processes:
        yield processes.process()


def running(process: Process, **given_: Any) -> tuple[Any, Probe]:
    built = process.build(ChannelTester, **{"message count": 20, **given_})
    results = built.probe("results")
    channel = process.build(LocalChannel, TEXT, TEXT, address="t")
    process.connect(built, "channel", channel, "Channel")
    return built.instance, results


def advance(process: Process, seconds: float) -> None:
    process._processes.advance(seconds)


def test_a_correct_channel_passes(process: Process) -> None:
    one, results = running(process, id="ann")
    other, _ = running(process, id="bob", **{"connect delay": 50})
    advance(process, 1)
    assert one.tally.summary() == "40 messages of 2 testers, nothing wrong"
    assert other.tally.checkpoint() == one.tally.checkpoint()
    assert ("sent", {"count": 20}) in results.heard
    assert results.call("summary", {}).value() == one.tally.summary()


def test_without_a_delay_it_sends_as_fast_as_messages_return(process: Process) -> None:
    one, _ = running(process, **{"message delay": 0, "message count": 2000})
    advance(process, 0)
    assert one.tally.summary() == "2000 messages of 1 testers, nothing wrong"


def test_a_later_tester_continues_where_the_others_are(process: Process) -> None:
    one, _ = running(process)
    advance(process, 0.1)
    late, _ = running(process)
    advance(process, 1)
    assert late.tally == one.tally


def test_lost_repeated_and_reordered_messages_are_detected(process: Process) -> None:
    _, results = running(process, **{"message count": 0})
    raw = process.build(LocalChannel, TEXT, TEXT, address="t").probe()
    for text in ("x 1", "x 3", "x 3", "x 2", "noise"):
        raw.send("send", {"message": text})
    told = [event[1]["text"] for event in results.heard if event[0] == "fault"]  # type: ignore[index]
    assert told == [
        "messages 2 to 2 of x are missing",
        "message 3 of x came twice",
        "message 2 of x came after 3",
        "'noise' is not a message of a tester",
    ]
    assert len(process.problems) == 4
    process.problems.clear()


def test_files_of_the_original_name_its_parameters_with_spaces(process: Process) -> None:
    values = {"id": Plain("string", "t"), "message count": Plain("int", "3")}
    reference = Reference(
        "9DF66193B7E548F098FD42A2DFC707BE",
        (*(Parameter(name, value) for name, value in values.items()), Parameter("channel", Reference())),
    )
    assert process.known.checker.check(reference).faults == ()
    built = process.load(reference)
    assert built.instance._count == 3
    assert built.instance.name.startswith("t-")


@given(st.lists(st.tuples(st.sampled_from("ab c"), st.integers(1, 6)), max_size=30), st.integers(0, 30))
def test_a_checkpoint_can_be_taken_anywhere(messages: list[tuple[str, int]], cut: int) -> None:
    texts = [f"{sender}{sender} {number}" for sender, number in messages]
    whole, first = SequenceCheck(), SequenceCheck()
    for text in texts:
        whole.take(text)
    for text in texts[:cut]:
        first.take(text)
    second = SequenceCheck.begun(first.checkpoint())
    for text in texts[cut:]:
        second.take(text)
    assert second.checkpoint() == whole.checkpoint()


def test_faults_are_bounded() -> None:
    tally = SequenceCheck()
    for _ in range(FAULTS_MOST + 10):
        tally.take("noise")
    assert len(tally.faults) == FAULTS_MOST
