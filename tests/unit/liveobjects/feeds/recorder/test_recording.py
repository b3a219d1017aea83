"""A recording follows the confirmed order of every channel in a recipe, and goes on where it ended."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgpack  # type: ignore[import-untyped]  # it has no stubs
from tests.unit.liveobjects.feeds.recorder.stage import NAME, Recorder, counter, events, marks

from liven.liveobjects.channel.api.recipes import channel_reference, shared
from liven.liveobjects.channel.api.recording import watch_recorders, who_records
from liven.liveobjects.channel.store import Sync
from liven.liveobjects.channel.testing import Processes
from liven.liveobjects.counter import object as counter_object
from liven.liveobjects.feeds.description import read_description
from liven.liveobjects.feeds.record import CHECKPOINT, CONTROL, GAP
from liven.liveobjects.feeds.recorder.log.hand_over import BYTES_MOST, HandOver, Rows
from liven.types.catalogue import register
from liven.types.declare import scan


def added(*numbers: int) -> list[bytes]:
    return [msgpack.packb(number) for number in numbers]


def test_the_confirmed_order_is_recorded_with_numbers_and_authors(tmp_path: Path) -> None:
    with Processes(tmp_path / "homes", Sync.NEVER) as processes:
        ann, bob, eve = (processes.process(name) for name in ("ann", "bob", "eve"))
        counters = [counter(ann), counter(bob)]
        processes.advance(3)
        counters[0].instance.add(1)
        processes.advance(3)
        recorder = Recorder(eve, tmp_path / "feed", channel_reference(NAME))
        processes.advance(3)
        counters[1].instance.add(20)
        counters[0].instance.add(300)
        processes.advance(3)
        records = recorder.close(processes)
        assert [payload for _, payload in events(records)] in (added(20, 300), added(300, 20))
        assert [kind for kind, _ in marks(records)] == ["gap", "checkpoint"]
        serials = [one.serial for one in records if one.flags in (0, CONTROL)]
        assert serials == list(range(serials[0], serials[0] + len(serials)))
        authors = {one.author for one in records if one.flags == 0}
        assert len(authors) == 2
        assert all(one.received >= one.sent > 0 for one in records)


def test_a_recorder_that_starts_again_goes_on_after_its_last_number(tmp_path: Path) -> None:
    with Processes(tmp_path / "homes", Sync.NEVER) as processes:
        ann, eve = processes.process("ann"), processes.process("eve")
        made = counter(ann)
        processes.advance(3)
        recorder = Recorder(eve, tmp_path / "feed", channel_reference(NAME))
        processes.advance(3)
        for number in (1, 2, 3):
            made.instance.add(number)
            processes.advance(3)
        first = recorder.close(processes)
        made.instance.add(4)
        processes.advance(3)
        again = Recorder(eve, tmp_path / "feed", channel_reference(NAME))
        processes.advance(5)
        made.instance.add(5)
        processes.advance(3)
        records = again.close(processes)
        assert records[: len(first)] == first
        assert [payload for _, payload in events(records)] == added(1, 2, 3, 5)
        serials = [one.serial for one in records if one.flags == 0]
        assert len(set(serials)) == len(serials)
        assert marks(records[len(first) :]) == [("gap", serials[-1] - 1), ("checkpoint", serials[-1] - 1)]


def test_objects_of_the_same_program_come_and_go_while_it_records(tmp_path: Path) -> None:
    with Processes(tmp_path / "homes", Sync.NEVER) as processes:
        ann, eve = processes.process("ann"), processes.process("eve")
        away = counter(ann)
        recorder = Recorder(eve, tmp_path / "feed", channel_reference(NAME))
        processes.advance(3)
        away.instance.add(1)
        processes.advance(3)
        here = counter(eve)
        processes.advance(8)
        assert here.instance.number == 1
        here.instance.add(2)
        processes.advance(3)
        here.close()
        processes.advance(3)
        away.instance.add(3)
        processes.advance(3)
        records = recorder.close(processes)
        assert [payload for _, payload in events(records)] == added(1, 2, 3)


def test_a_recorder_beside_an_open_object_takes_what_was_there_from_the_log(tmp_path: Path) -> None:
    with Processes(tmp_path / "homes", Sync.NEVER) as processes:
        eve = processes.process("eve")
        here = counter(eve)
        processes.advance(3)
        here.instance.add(1)
        here.instance.add(2)
        processes.advance(3)
        recorder = Recorder(eve, tmp_path / "feed", channel_reference(NAME))
        here.instance.add(3)
        processes.advance(3)
        records = recorder.close(processes)
        assert [payload for _, payload in events(records)] == added(1, 2, 3)
        assert here.instance.number == 6
        here.instance.add(4)
        processes.advance(3)
        assert here.instance.number == 10


def test_the_types_of_a_channel_are_learned_from_its_members(tmp_path: Path) -> None:
    with Processes(tmp_path / "homes", Sync.NEVER) as processes:
        ann, eve = processes.process("ann"), processes.process("eve")
        made = counter(ann)
        processes.advance(3)
        recorder = Recorder(eve, tmp_path / "feed", channel_reference(NAME))
        processes.advance(3)
        made.instance.add(7)
        processes.advance(3)
        records = recorder.close(processes)
        assert {one.type for one in records if one.flags == 0} == {"int64"}
        description = read_description(tmp_path / "feed")
        assert description.types["int64"].notation == "int64"


def test_a_member_that_objects_is_not_recorded_while_it_is_there(tmp_path: Path) -> None:
    with Processes(tmp_path / "homes", Sync.NEVER) as processes:
        ann, bob, eve = (processes.process(name) for name in ("ann", "bob", "eve"))
        bob.system.objects_to_recording = lambda: True
        bob.system.own_name = lambda: "Bob"
        ann.system.own_name = lambda: "Ann"
        made = counter(ann)
        processes.advance(3)
        recorder = Recorder(eve, tmp_path / "feed", channel_reference(NAME))
        processes.advance(3)
        made.instance.add(1)
        processes.advance(3)
        there = counter(bob)
        processes.advance(3)
        made.instance.add(2)
        processes.advance(3)
        assert recorder.recording.status.objections == ("Bob",)
        there.close()
        processes.advance(5)
        made.instance.add(3)
        processes.advance(3)
        records = recorder.close(processes)
        assert [payload for _, payload in events(records)] == added(1, 3)
        assert "gap" in [kind for kind, _ in marks(records)]
        assert any("Bob" in said for said in recorder.said)
        assert read_description(tmp_path / "feed").other["authors"][records[-1].author] == "Ann"


def test_a_recorder_that_is_killed_does_not_record_later_what_somebody_objected_to(tmp_path: Path) -> None:
    with Processes(tmp_path / "homes", Sync.NEVER) as processes:
        ann, bob, eve = (processes.process(name) for name in ("ann", "bob", "eve"))
        bob.system.objects_to_recording = lambda: True
        made = counter(ann)
        processes.advance(3)
        recorder = Recorder(eve, tmp_path / "feed", channel_reference(NAME))
        processes.advance(3)
        made.instance.add(1)
        processes.advance(3)
        there = counter(bob)
        processes.advance(3)
        for number in (2, 3):
            made.instance.add(number)
            processes.advance(3)
        assert recorder.recording.status.objections
        recorder.recording._log.close()  # what is on the disk when it is killed a moment later
        shutil.copytree(tmp_path / "feed" / "eve", tmp_path / "again" / "fay")
        recorder.close(processes)
        there.close()
        processes.advance(5)
        again = Recorder(processes.process("fay"), tmp_path / "again", channel_reference(NAME))
        processes.advance(5)
        made.instance.add(4)
        processes.advance(3)
        records = again.close(processes)
        assert [payload for _, payload in events(records)] == added(1, 4)
        gaps = [msgpack.unpackb(one.payload) for one in records if one.flags & GAP]
        assert [one["why"] for one in gaps[-2:]] == ["a member objected to being recorded"] * 2
        last = max(place for place, one in enumerate(records) if one.flags & GAP)
        assert any(one.flags & CHECKPOINT for one in records[last:])


def test_a_state_is_recorded_before_older_ones_are_deleted(tmp_path: Path) -> None:
    with Processes(tmp_path / "homes", Sync.NEVER) as processes:
        ann, eve = processes.process("ann"), processes.process("eve")
        made = counter(ann)
        processes.advance(3)
        recorder = Recorder(eve, tmp_path / "feed", channel_reference(NAME))
        processes.advance(3)
        made.instance.add(7)
        processes.advance(3)
        recorder.recording._wanted_there(frozenset({NAME, "gone"}))
        processes.settle()
        processes.advance(5)
        records = recorder.close(processes)
        assert [kind for kind, _ in marks(records)][-2:] == ["checkpoint"] * 2
        assert records[-1].payload == added(7)[0]


def test_everybody_reads_who_records(tmp_path: Path) -> None:
    with Processes(tmp_path / "homes", Sync.NEVER) as processes:
        ann, eve = processes.process("ann"), processes.process("eve")
        eve.system.own_name = lambda: "Eve"
        made = counter(ann)
        processes.advance(3)
        changes: list[tuple[str, ...]] = []
        context = made.instance.context
        stop = watch_recorders(context, "channel", lambda: changes.append(who_records(context, "channel")))
        assert who_records(context, "channel") == ()
        recorder = Recorder(eve, tmp_path / "feed", channel_reference(NAME))
        processes.advance(3)
        assert who_records(context, "channel") == ("Eve",)
        recorder.close(processes)
        assert who_records(context, "channel") == ()
        stop()
        assert changes == [("Eve",), ()]


def test_a_state_is_recorded_again_after_some_operations(tmp_path: Path) -> None:
    with Processes(tmp_path / "homes", Sync.NEVER) as processes:
        ann, eve = processes.process("ann"), processes.process("eve")
        made = counter(ann)
        processes.advance(3)
        recorder = Recorder(eve, tmp_path / "feed", channel_reference(NAME), state_every=3)
        processes.advance(3)
        for number in range(1, 9):
            made.instance.add(number)
            processes.advance(2)
        records = recorder.close(processes)
        states = [place for place, one in enumerate(records) if one.flags == CHECKPOINT]
        assert len(states) >= 3
        for place in states[1:]:
            before = sum(msgpack.unpackb(one.payload) for one in records[:place] if one.flags == 0)
            assert msgpack.unpackb(records[place].payload) == before


def test_a_gap_of_a_slow_disk_is_followed_by_a_state(tmp_path: Path) -> None:
    with Processes(tmp_path / "homes", Sync.NEVER) as processes:
        ann, eve = processes.process("ann"), processes.process("eve")
        made = counter(ann)
        processes.advance(3)
        queue = HeldQueue()
        recorder = Recorder(eve, tmp_path / "feed", channel_reference(NAME), hand_over=queue)
        processes.advance(3)
        queue.holds = True
        for number in (1, 2, 3):
            made.instance.add(number)
            processes.advance(0.5)
        queue.holds = False
        processes.advance(3)
        made.instance.add(4)
        processes.advance(3)
        records = recorder.close(processes)
        kinds = [kind for kind, _ in marks(records)]
        assert "gap" in kinds
        assert kinds.index("gap") < len(kinds) - 1
        assert kinds[-1] == "checkpoint"
        last = max(place for place, one in enumerate(records) if one.flags == CHECKPOINT)
        later = sum(msgpack.unpackb(one.payload) for one in records[last:] if one.flags == 0)
        assert msgpack.unpackb(records[last].payload) + later == 10


class HeldQueue(HandOver):
    """A queue without room while it is held."""

    holds = False

    def put(self, rows: Rows) -> bool:
        if not self.holds:
            return super().put(rows)
        with self._condition:
            self._bytes_most = -1
            self._queue.append(rows._replace(records=list, amount=0, size=0))
            taken = super().put(rows)
            self._bytes_most = BYTES_MOST
            return taken


def test_objects_share_the_channel_of_a_recorder_that_knows_its_classes(tmp_path: Path) -> None:
    with Processes(tmp_path / "homes", Sync.NEVER) as processes:
        eve = processes.process("eve")
        register(eve.known.catalogue, scan(counter_object), eve.known.matcher)
        recipe = shared("liven:shared-counter", "Score", channel_reference(NAME))
        recorder = Recorder(eve, tmp_path / "feed", recipe)
        processes.advance(3)
        for number in (1, 2):
            here = counter(eve)
            processes.advance(3)
            here.instance.add(number)
            processes.advance(3)
            assert here.instance.number == (1 if number == 1 else 3)
            here.close()
            processes.advance(3)
        records = recorder.close(processes)
        assert [payload for _, payload in events(records)] == added(1, 2)
        assert {one.object for one in records} == {"Score"}
        again = counter(eve)
        processes.advance(3)
        assert again.instance.number == 3
