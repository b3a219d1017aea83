"""A group is recorded by its authors' numbers, and every recorder gives one message the same key."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.liveobjects.feeds.recorder.stage import Recorder

from liven.liveobjects.channel.api.recipes import channel_reference
from liven.liveobjects.channel.objects.group import GroupChannel
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.process.line_notices import notice_of
from liven.liveobjects.channel.process.recordings import Says
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.feeds.description import AUTHOR, read_description
from liven.liveobjects.feeds.record import GAP, Record
from liven.liveobjects.feeds.recorder.stream.group_stream import PLACES, values_in
from liven.runtime.objects.probe import Probe
from liven.types.terms.value_types import TEXT

NAME = "home/f/talk"


def member(process: Process, name: str = NAME) -> Probe:
    return process.build(GroupChannel, TEXT, name=name).probe("Channel")


def say(probe: Probe, *texts: str) -> None:
    for text in texts:
        probe.send("send", {"message": text})


def recorder(process: Process, feed: Path) -> Recorder:
    return Recorder(process, feed, channel_reference(NAME, "group"))


def texts(records: list[Record]) -> list[str]:
    return [msgpack.unpackb(one.payload) for one in records if not one.flags]


def keys(records: list[Record]) -> dict[tuple[str, int], bytes]:
    found = {(one.author, one.serial): one.payload for one in records}
    assert len(found) == len(records), "a key is there twice"
    return found


def test_messages_are_recorded_with_author_number_and_type(tmp_path: Path) -> None:
    with Processes() as processes:
        ann, bob, eve = (processes.process(name) for name in ("ann", "bob", "eve"))
        probes = [member(ann), member(bob)]
        processes.settle()
        made = recorder(eve, tmp_path / "feed")
        processes.settle()
        say(probes[0], "a", "b")
        say(probes[1], "c")
        processes.settle()
        records = made.close(processes)
        assert sorted(texts(records)) == ["a", "b", "c"]
        by_author = {one.author: [] for one in records}  # type: dict[str, list[int]]
        for one in records:
            by_author[one.author].append(one.serial)
            assert (one.type, one.object, one.channel) == ("text", "liven:group-channel", NAME)
        assert sorted(map(len, by_author.values())) == [1, 2]
        assert all(serials == sorted(set(serials)) for serials in by_author.values())
        described = read_description(tmp_path / "feed")
        assert described.numbering == {NAME: AUTHOR}
        assert described.people == ()
        assert not made.said


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 1), st.text(max_size=3), st.booleans()), max_size=12))
def test_two_recorders_give_one_message_one_key(
    tmp_path_factory: object, said: list[tuple[int, str, bool]]
) -> None:
    folder: Path = tmp_path_factory.mktemp("feeds")  # type: ignore[attr-defined]
    with Processes() as processes:
        members = [member(processes.process()) for _ in range(2)]
        processes.settle()
        recorders = [recorder(processes.process(name), folder / "feed") for name in ("one", "two")]
        processes.settle()
        for who, text, settles in said:
            say(members[who], text)
            if settles:
                processes.settle()
        processes.settle()
        first, second = (keys(one.close(processes)) for one in recorders)
        assert first == second
        assert sorted(map(msgpack.unpackb, first.values())) == sorted(text for _, text, _ in said)


def test_a_recorder_that_starts_again_records_nothing_twice_and_tells_what_it_missed(tmp_path: Path) -> None:
    with Processes() as processes:
        ann, eve = processes.process("ann"), processes.process("eve")
        probe = member(ann)
        processes.settle()
        made = recorder(eve, tmp_path / "feed")
        processes.settle()
        say(probe, "a")
        processes.settle()
        first = made.close(processes)
        say(probe, "missed")
        processes.settle()
        again = recorder(eve, tmp_path / "feed")
        processes.settle()
        say(probe, "b")
        processes.settle()
        records = again.close(processes)
        assert records[: len(first)] == first
        assert texts(records) == ["a", "b"]
        gaps = [one for one in records if one.flags == GAP]
        assert [one.author for one in gaps] == [first[0].author]
        missing = msgpack.unpackb(gaps[0].payload)
        assert missing["first"] > first[-1].serial
        assert missing["last"] < records[-1].serial
        keys(records)


def test_an_author_that_leaves_and_comes_back_begins_a_new_life(tmp_path: Path) -> None:
    with Processes() as processes:
        ann, eve = processes.process("ann"), processes.process("eve")
        made = recorder(eve, tmp_path / "feed")
        for text in ("a", "b"):
            built = ann.build(GroupChannel, TEXT, name=NAME)
            probe = built.probe("Channel")
            processes.settle()
            say(probe, text)
            processes.settle()
            probe.close()
            built.close()
            processes.settle()
        records = made.close(processes)
        assert texts(records) == ["a", "b"]
        assert len({one.author for one in records}) == 2
        assert records[1].author.startswith(records[0].author)


def test_messages_before_the_classes_are_known_wait_for_them(tmp_path: Path) -> None:
    with Processes() as processes:
        eve = processes.process("eve")
        made = recorder(eve, tmp_path / "feed")
        processes.settle()
        say(member(processes.process("ann")), "early")
        processes.settle()
        assert [(one.type, one.serial % (1 << PLACES)) for one in made.close(processes)] == [("text", 0)]


def test_a_channel_of_another_kind_is_refused_with_its_kind(tmp_path: Path) -> None:
    with Processes(tmp_path / "homes") as processes:
        ann, eve = processes.process("ann"), processes.process("eve")
        probe = ann.build(SharedChannel, TEXT, TEXT, name=NAME).probe("Channel")
        processes.settle()
        made = recorder(eve, tmp_path / "feed")
        processes.advance(3)
        assert not made.close(processes)
        assert any("kind" in text for text in made.said), made.said
        probe.close()
        ann.problems.clear()


def test_bytes_that_are_no_message_hold_no_value() -> None:
    assert values_in(b"\xc1") == values_in(b"\x01") == values_in(msgpack.packb(["text"])) == []
    assert values_in(msgpack.packb([b"a", b"b"])) == [b"a", b"b"]


def test_members_are_told_who_records_and_may_object(tmp_path: Path) -> None:
    with Processes() as processes:
        ann, bob, eve = (processes.process(name) for name in ("ann", "bob", "eve"))
        for each, name in ((ann, "Ann"), (bob, "Bob"), (eve, "Eve")):
            each.system.own_name = partial(str, name)
        probe = member(ann)
        processes.settle()
        made = recorder(eve, tmp_path / "feed")
        processes.settle()
        assert [one.name for one in ann.system.recordings.of(NAME)] == ["Eve"]
        say(probe, "before")
        processes.settle()
        bob.system.objects_to_recording = lambda: True
        objecting = member(bob)
        processes.settle()
        assert [one.name for one in bob.system.recordings.of(NAME)] == ["Eve"]
        assert made.recording.status.objections == ("Bob",)
        assert made.said == ["liven:group-channel is not recorded while Bob is there, who objects to it"]
        say(probe, "private")
        processes.settle()
        objecting.close()
        processes.advance(3)
        assert made.said[1:] == ["liven:group-channel is recorded again: nobody who is there objects"]
        say(probe, "after")
        processes.settle()
        records = made.close(processes)
        assert texts(records) == ["before", "after"]
        assert [one.flags for one in records if one.flags] == [GAP]
        assert ann.system.recordings.of(NAME) == ()
        assert set(read_description(tmp_path / "feed").other["authors"].values()) >= {"Ann", "Bob"}


def test_a_notice_for_somebody_else_is_not_believed(tmp_path: Path) -> None:
    with Processes() as processes:
        ann, eve = processes.process("ann"), processes.process("eve")
        heard: list[str] = []
        probe = ann.build(GroupChannel, TEXT, name=NAME).probe("Channel")
        probe.react(receive=lambda said: heard.append(said["message"]))
        processes.settle()
        channel = eve.build(GroupChannel, TEXT, name=NAME)
        kept = channel.probe("Channel")
        processes.settle()
        line = channel.instance.speech.meeting.line
        line.send(notice_of(eve.system, line.me + 1, Says.RECORDS, "forged"))
        line.send(b"\xc1\xff")
        processes.settle()
        assert ann.system.recordings.of(NAME) == ()
        assert not heard
        line.send(notice_of(eve.system, line.me, Says.RECORDS, "mine"))
        processes.settle()
        assert [one.recording for one in ann.system.recordings.of(NAME)] == ["mine"]
        kept.close()
