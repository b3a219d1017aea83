"""A shared value is recorded as the assignments that became the value."""

from __future__ import annotations

from pathlib import Path

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.liveobjects.feeds.recorder.stage import Recorder

from liven.liveobjects.channel.api.recipes import channel_reference
from liven.liveobjects.channel.objects.value_stream import SharedValue
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.feeds.record import VALUE, Record
from liven.runtime.objects.probe import Probe
from liven.types.terms.value_types import TEXT

NAME = "home/f/level"


def shared(process: Process) -> Probe:
    return process.build(SharedValue, TEXT, name=NAME).probe("Endpoint")


def put(probe: Probe, value: str) -> None:
    probe.send("set", {"value": value})


def recorder(process: Process, feed: Path) -> Recorder:
    return Recorder(process, feed, channel_reference(NAME, "value"))


def texts(records: list[Record]) -> list[str]:
    assert all(one.flags == VALUE for one in records)
    return [msgpack.unpackb(one.payload) for one in records]


def test_each_new_value_is_recorded_with_its_author_and_count(tmp_path: Path) -> None:
    with Processes() as processes:
        one, other = shared(processes.process()), shared(processes.process())
        processes.settle()
        put(one, "before")
        processes.settle()
        made = recorder(processes.process("eve"), tmp_path / "feed")
        processes.settle()
        put(other, "a")
        processes.settle()
        put(one, "b")
        processes.settle()
        records = made.close(processes)
        assert texts(records) == ["before", "a", "b"]
        assert [each.serial for each in records] == [1, 2, 3]
        assert records[0].author == records[2].author != records[1].author
        assert {each.type for each in records} == {"text"}


def test_a_recorder_that_starts_again_does_not_record_the_present_value_twice(tmp_path: Path) -> None:
    with Processes() as processes:
        probe, eve = shared(processes.process()), processes.process("eve")
        made = recorder(eve, tmp_path / "feed")
        processes.settle()
        put(probe, "a")
        processes.settle()
        assert texts(made.close(processes)) == ["a"]
        again = recorder(eve, tmp_path / "feed")
        processes.settle()
        assert texts(again.records()) == ["a"]
        put(probe, "b")
        processes.settle()
        assert texts(again.close(processes)) == ["a", "b"]


def test_a_stream_that_begins_anew_while_nobody_is_there_is_recorded(tmp_path: Path) -> None:
    with Processes() as processes:
        eve = processes.process("eve")
        for value in ("old", "new"):
            ann = processes.process()
            built = ann.build(SharedValue, TEXT, name=NAME)
            probe = built.probe("Endpoint")
            made = recorder(eve, tmp_path / "feed")
            processes.settle()
            put(probe, value)
            processes.settle()
            records = made.close(processes)
            probe.close()
            built.close()
            processes.settle()
        assert texts(records) == ["old", "new"]
        assert [each.serial for each in records] == [1, 1]


def test_newcomers_get_the_value_from_a_recorder_that_is_the_oldest_member(tmp_path: Path) -> None:
    with Processes() as processes:
        made = recorder(processes.process("eve"), tmp_path / "feed")
        processes.settle()
        built = processes.process().build(SharedValue, TEXT, name=NAME)
        probe = built.probe("Endpoint")
        processes.settle()
        put(probe, "kept")
        processes.settle()
        probe.close()
        built.close()
        processes.settle()
        late = shared(processes.process())
        processes.settle()
        assert late.call("get", {}).value() == "kept"
        assert texts(made.close(processes)) == ["kept"]


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 2), st.text(max_size=3), st.booleans()), max_size=12))
def test_recorders_end_with_the_value_of_the_members_and_agree_on_each_key(
    tmp_path_factory: object, sets: list[tuple[int, str, bool]]
) -> None:
    folder: Path = tmp_path_factory.mktemp("feeds")  # type: ignore[attr-defined]
    with Processes() as processes:
        probes = [shared(processes.process()) for _ in range(3)]
        recorders = [recorder(processes.process(name), folder / "feed") for name in ("one", "two")]
        processes.settle()
        for who, value, settles in sets:
            put(probes[who], value)
            if settles:
                processes.settle()
        processes.settle()
        logs = [one.close(processes) for one in recorders]
        found = [{(each.author, each.serial): each.payload for each in log} for log in logs]
        assert [len(one) for one in found] == [len(log) for log in logs]
        assert all(found[0][key] == found[1][key] for key in found[0].keys() & found[1].keys())
        for log in logs:
            places = [(each.serial, each.author) for each in log]
            assert places == sorted(places)
            assert not sets or texts(log)[-1] == probes[0].call("get", {}).value()
