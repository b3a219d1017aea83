"""An ordered channel is recorded in its order, by its authors' numbers."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgpack  # type: ignore[import-untyped]  # it has no stubs
from tests.unit.liveobjects.feeds.recorder.stage import Recorder

from liven.liveobjects.channel.api.recipes import channel_reference
from liven.liveobjects.channel.objects.ordered import OrderedGroupChannel
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.feeds.record import GAP, Record
from liven.liveobjects.feeds.recorder.stream.ordered_stream import OPEN_HERE
from liven.runtime.objects.probe import Probe
from liven.types.terms.value_types import TEXT

NAME = "home/f/order"


def member(process: Process) -> Probe:
    return process.build(OrderedGroupChannel, TEXT, name=NAME).probe("Channel")


def say(probe: Probe, text: str) -> None:
    probe.send("send", {"message": text})


def recorder(process: Process, feed: Path) -> Recorder:
    return Recorder(process, feed, channel_reference(NAME, "ordered"))


def texts(records: list[Record]) -> list[str]:
    return [msgpack.unpackb(one.payload) for one in records]


def test_two_recorders_have_the_order_of_the_members_and_the_same_keys(tmp_path: Path) -> None:
    with Processes() as processes:
        probes = [member(processes.process()) for _ in range(2)]
        processes.advance(3)
        recorders = [recorder(processes.process(name), tmp_path / "feed") for name in ("one", "two")]
        processes.advance(5)
        for number in range(4):
            say(probes[number % 2], f"m{number}")
        processes.advance(5)
        logs = [one.close(processes) for one in recorders]
        heard = [values[0]["message"] for event, *values in probes[0].heard if event == "receive"]  # type: ignore[index]
        assert texts(logs[0]) == texts(logs[1]) == heard
        first, second = ([(one.author, one.serial, one.payload) for one in log] for log in logs)
        assert first == second
        assert len(set(first)) == len(first) == 4


def test_a_recorder_that_starts_again_goes_on(tmp_path: Path) -> None:
    with Processes() as processes:
        probe, eve = member(processes.process()), processes.process("eve")
        made = recorder(eve, tmp_path / "feed")
        processes.advance(5)
        say(probe, "a")
        processes.advance(5)
        first = made.close(processes)
        again = recorder(eve, tmp_path / "feed")
        processes.advance(5)
        say(probe, "b")
        processes.advance(5)
        records = again.close(processes)
        assert records[: len(first)] == first
        assert texts(records) == ["a", "b"]
        assert len({(one.author, one.serial) for one in records}) == 2


def test_a_channel_that_this_program_has_open_is_refused(tmp_path: Path) -> None:
    with Processes() as processes:
        eve = processes.process("eve")
        probe = member(eve)
        processes.advance(3)
        made = recorder(eve, tmp_path / "feed")
        processes.advance(3)
        assert any(OPEN_HERE in text for text in made.said)
        assert not made.close(processes)
        probe.close()


def test_an_object_of_this_program_takes_the_channel_over(tmp_path: Path) -> None:
    with Processes() as processes:
        eve = processes.process("eve")
        made = recorder(eve, tmp_path / "feed")
        processes.advance(3)
        probe = member(eve)
        processes.advance(5)
        say(probe, "own")
        processes.advance(5)
        assert [values[0]["message"] for event, *values in probe.heard if event == "receive"] == ["own"]  # type: ignore[index]
        assert any(OPEN_HERE in text for text in made.said)
        made.close(processes)


def test_members_are_told_who_records_and_may_object(tmp_path: Path) -> None:
    with Processes() as processes:
        ann, bob, eve = (processes.process(name) for name in ("ann", "bob", "eve"))
        for each, name in ((ann, "Ann"), (bob, "Bob"), (eve, "Eve")):
            each.system.own_name = partial(str, name)
        probe = member(ann)
        processes.advance(3)
        made = recorder(eve, tmp_path / "feed")
        processes.advance(5)
        assert [one.name for one in ann.system.recordings.of(NAME)] == ["Eve"]
        say(probe, "before")
        processes.advance(3)
        bob.system.objects_to_recording = lambda: True
        objecting = member(bob)
        processes.advance(5)
        assert [one.name for one in bob.system.recordings.of(NAME)] == ["Eve"]
        assert made.recording.status.objections == ("Bob",)
        say(probe, "private")
        processes.advance(3)
        objecting.close()
        processes.advance(8)
        assert not made.recording.status.objections
        say(probe, "after")
        processes.advance(3)
        records = made.close(processes)
        assert [one.flags for one in records if one.flags] == [GAP]
        assert texts([one for one in records if not one.flags]) == ["before", "after"]
        assert ann.system.recordings.of(NAME) == ()
