from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.liveobjects.feeds.replay.recordings import (
    COUNT,
    Desk,
    checkpoint,
    counter_recipe,
    counters,
    record,
    recording,
    typed_channel,
    written,
)

from liven.liveobjects.channel.api.recipes import COMMUNICATION, channel, shared
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.feeds.record import CONTROL, FORK, GAP, Record
from liven.liveobjects.feeds.recorder.log.marks import GAP_TYPE
from liven.liveobjects.feeds.replay.options import Options
from liven.liveobjects.feeds.replay.pace import MAX
from liven.liveobjects.feeds.replay.remap import Remap
from liven.liveobjects.feeds.replay.rows import Event
from liven.liveobjects.feeds.replay.selection import Selection
from liven.liveobjects.feeds.replay.source.event_list import EventList
from liven.liveobjects.feeds.replay.source.segment_log import SegmentLog
from liven.liveobjects.feeds.replay.state import State
from liven.liveobjects.feeds.replay.target import sandbox
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.local_file import object as local_file
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.errors import CallFailedError
from liven.runtime.reference.model import (
    Component,
    Composite,
    Connection,
    Export,
    Parameter,
    Plain,
    Reference,
)
from liven.types.catalogue import register
from liven.types.declare import scan


@pytest.fixture(scope="module")
def known() -> TypeKnowledge:
    return counters()


def desk(known: TypeKnowledge, records: Sequence[Record], options: Options | None = None) -> Desk:
    return Desk(recording(records), counter_recipe(), known, options)


def test_recorded_object_runs_in_the_sandbox(known: TypeKnowledge) -> None:
    made = desk(known, [record(at) for at in range(10)])
    assert made.object.ready
    made.transport.play()
    made.crank.advance(4.5)
    assert made.object.number == 5
    made.crank.advance(60)
    assert made.object.number == 10
    assert made.player.state is State.ENDED
    assert not made.problems
    made.close()


def test_seeking_back_begins_with_the_nearest_checkpoint(known: TypeKnowledge) -> None:
    records = [record(0, 5), record(1, 5), checkpoint(2, 100), record(3, 1), checkpoint(4, 200), record(5, 1)]
    made = desk(known, records)
    for where, number in ((6, 201), (3, 100), (4, 101), (5, 200), (2, 10), (0, 0), (6, 201)):
        made.transport.seek_sequence(where)
        made.crank.settle()
        assert made.object.number == number
    made.close()


def test_recorded_state_replaces_what_was_missed(known: TypeKnowledge) -> None:
    """A recorder that was cut off records the state when it is back; the replay shows it, too."""
    made = desk(known, [record(0, 5), checkpoint(1, 100), record(2, 1)])
    made.transport.play()
    made.crank.advance(10)
    assert made.object.number == 101
    made.close()


def test_window_begins_with_the_state_there(known: TypeKnowledge) -> None:
    made = desk(known, [record(at) for at in range(10)], Options(start="+4s"))
    assert made.object.number == 4
    made.close()


def test_history_that_lost_is_taken_back(known: TypeKnowledge) -> None:
    """Another history of the channel won while it was recorded: what came after the fork's number is void."""
    records = [
        record(0, 1, serial=1),
        record(1, 10, serial=2),
        checkpoint(2, 11, serial=2),
        record(3, 100, serial=3),
        record(4, {"after": 1, "why": ""}, serial=1, flags=FORK),
        record(5, 5000, serial=2),
    ]
    made = desk(known, records)
    made.transport.play()
    made.crank.advance(3.5)
    assert made.object.number == 111
    made.crank.advance(10.0)
    assert made.object.number == 5001
    for where, number in ((4, 111), (6, 5001), (5, 1), (6, 5001), (2, 11)):
        made.transport.seek_sequence(where)
        made.crank.settle()
        assert made.object.number == number
    assert not made.problems
    made.close()


def test_notes_of_the_recorder_reach_no_object(known: TypeKnowledge) -> None:
    gap = {"first": 1, "last": 2, "why": "it was not there"}
    notes = [record(1, gap, flags=GAP, type=GAP_TYPE), record(2, "sync", flags=CONTROL, type="")]
    made = desk(known, [record(0, 1), *notes, record(3, 2)])
    made.transport.play()
    made.crank.advance(9.0)
    assert made.object.number == 3
    made.transport.seek_sequence(3)
    made.crank.settle()
    assert made.object.number == 1
    assert not made.problems
    made.close()


def test_missing_beginning_is_told_once(known: TypeKnowledge) -> None:
    events = [Event(sequence, record(sequence)) for sequence in range(50, 60)]
    made = Desk(EventList(events), counter_recipe(), known)
    for where in (52, 57, 51):
        made.transport.seek_sequence(where)
        made.crank.settle()
        assert made.object.number == where - 50
    (problem,) = made.problems
    assert "the recording begins with record 50, without a state" in str(problem)
    made.close()


def test_network_is_that_of_the_recording(known: TypeKnowledge) -> None:
    made = Desk(
        recording([record(0, channel="office/f/x"), record(1, channel="local")]), counter_recipe(), known
    )
    assert made.sandbox.node.service(ChannelSystem).network == "office"
    made.close()


AMOUNTS = st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=1, max_size=40)
MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("seek"), st.integers(0, 45)),
        st.tuples(st.just("step"), st.sampled_from([-1, 1])),
        st.tuples(st.just("second"), st.sampled_from([-1.0, 1.0])),
        st.tuples(st.just("burst"), st.integers(1, 9)),
        st.tuples(st.just("play"), st.floats(0.1, 12.0)),
        st.tuples(st.just("speed"), st.sampled_from([0.1, 1.0, 50.0, MAX])),
    ),
    max_size=12,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(AMOUNTS, MOVES)
def test_state_depends_on_the_place_alone(
    known: TypeKnowledge, amounts: list[tuple[int, bool]], moves: list[tuple[str, float]]
) -> None:
    """However a person got to a place, the object has the state after exactly the records before it."""
    total, sums, records = 0, [0], []
    for at, (amount, is_state) in enumerate(amounts):
        records.append(checkpoint(at / 3, total) if is_state else record(at / 3, amount))
        total += 0 if is_state else amount
        sums.append(total)
    made = desk(known, records)
    for move, value in moves:
        match move:
            case "seek":
                made.transport.seek_sequence(int(value))
            case "step":
                made.transport.step(int(value))
            case "second":
                made.transport.step_time(value)
            case "burst":
                made.transport.burst(int(value))
            case "play":
                made.transport.play()
            case _:
                made.transport.set_speed(value)
        made.crank.advance(value if move == "play" else 0.01)
        made.transport.pause()
        made.crank.settle()
        assert made.object.number == sums[made.player.position.sequence]
    digest, place = made.sandbox.digest(), made.player.position.sequence
    again = desk(known, records)
    again.transport.seek_sequence(place)
    again.crank.settle()
    assert again.sandbox.digest() == digest
    for one in (made, again):
        one.close()


def test_same_log_and_options_give_the_same_digest_from_segments(
    known: TypeKnowledge, tmp_path: Path
) -> None:
    records = [checkpoint(at, at) if at % 17 == 0 else record(at) for at in range(200)]
    log = Log(written(tmp_path / "feed" / "here", records, every=9))
    digests = []
    for source in (SegmentLog(log), recording(records)):
        made = Desk(source, counter_recipe(), known, Options(speed=MAX))
        made.transport.play()
        made.crank.settle()
        digests.append(made.sandbox.digest())
        made.close()
    assert digests[0] == digests[1]


def test_left_out_authors_have_no_effect_after_the_window_begins(known: TypeKnowledge) -> None:
    """Checkpoints of the recording hold what is left out, so they do not count here."""
    records = [
        record(0, 1, author="ann"),
        record(1, 10, author="ben"),
        record(2, 1, author="ann"),
        record(3, 10, author="ben"),
        checkpoint(4, 22),
        record(5, 1, author="ann"),
    ]
    options = Options(start="+2s", selection=Selection(authors=("ann",)))
    played = desk(known, records, options)
    played.transport.play()
    played.crank.advance(60)
    sought = desk(known, records, options)
    sought.transport.seek_part(1.0)
    sought.crank.settle()
    assert played.object.number == sought.object.number == 11 + 2
    for one in (played, sought):
        one.close()


def test_channel_that_is_left_out_stays_as_it_was(known: TypeKnowledge) -> None:
    options = Options(start="+3s", selection=Selection(channels=("!*count",)))
    made = desk(known, [record(at) for at in range(9)], options)
    made.transport.seek_part(1.0)
    made.crank.settle()
    assert made.object.number == 3
    made.close()


def test_recorded_channel_is_played_as_another(known: TypeKnowledge) -> None:
    records = [record(at, channel="home/feeds/other") for at in range(5)]
    made = desk(known, records, Options(remap=Remap((("home/feeds/other", COUNT),))))
    made.transport.play()
    made.crank.advance(60)
    assert made.object.number == 5
    made.transport.seek_sequence(2)
    made.crank.settle()
    assert made.object.number == 2
    made.close()


def test_recording_cannot_be_changed(known: TypeKnowledge) -> None:
    made = desk(known, [record(0)])
    made.object.add(7)
    made.crank.settle()
    assert made.object.number == 0
    (problem,) = made.problems
    assert "this is a recording" in str(problem)
    made.close()


def test_record_of_another_type_is_left_out_and_told_once(known: TypeKnowledge) -> None:
    made = desk(known, [record(0), record(1, "seven"), record(2, "eight"), record(3)])
    made.transport.play()
    made.crank.advance(60)
    assert made.object.number == 2
    (problem,) = made.problems
    assert "record 1 does not fit this object" in str(problem)
    made.close()


def test_unreadable_checkpoint_leaves_an_empty_beginning(known: TypeKnowledge) -> None:
    made = desk(known, [checkpoint(0, "no number"), record(1, 3)])
    made.transport.seek_part(1.0)
    made.crank.settle()
    assert made.object.ready
    assert made.object.number == 3
    assert len(made.problems) == 1
    made.close()


def test_an_object_opened_later_gets_the_state_of_that_moment(known: TypeKnowledge) -> None:
    made = desk(known, [record(at) for at in range(10)])
    made.transport.play()
    made.crank.advance(3.5)
    reply = made.sandbox.node.loader.dereference(counter_recipe()) if made.sandbox.node.loader else None
    assert reply is not None
    seen: list[bool] = []
    reply.then(lambda _: seen.append(made.sandbox.is_complete))
    made.crank.wait(lambda: reply.settled)
    made.crank.settle()
    assert seen == [False], "it had no state at first"
    assert made.sandbox.is_complete
    with reply.value() as later:
        counter: Any = later.proxy().instance
        assert counter.number == 4
        made.crank.advance(3)
        assert counter.number == made.object.number == 7
        made.transport.pause()
        made.transport.seek_sequence(2)
        made.crank.settle()
        assert counter.number == made.object.number == 2
    made.close()


def test_objects_that_open_a_channel_again_and_again_get_each_record_once(
    known: TypeKnowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their states are rebuilt in parts, over several turns, while more come and the replay goes on."""
    monkeypatch.setattr(sandbox, "_PART", 0.0)
    made = desk(known, [record(at / 10) for at in range(2000)])
    made.transport.set_speed(1000)
    made.transport.play()
    loader = made.sandbox.node.loader
    assert loader is not None
    handles = []
    for _ in range(12):
        reply = loader.dereference(counter_recipe())
        made.crank.wait(lambda reply=reply: reply.settled)  # type: ignore[misc]
        handles.append(reply.value())
        made.crank.advance(0.013)
    made.crank.advance(1.0)
    digest = made.sandbox.digest()
    numbers: list[Any] = [handle.proxy().instance for handle in handles]
    assert {one.number for one in numbers} == {made.object.number} == {2000}
    assert made.sandbox.digest() == digest
    for handle in handles:
        handle.close()
    made.close()


def test_digest_includes_objects_that_have_just_opened_their_channel(known: TypeKnowledge) -> None:
    made = desk(known, [record(at) for at in range(700)], Options(speed=MAX))
    whole = desk(known, [record(at) for at in range(700)], Options(speed=MAX))
    for one in (made, whole):
        one.transport.play()
    whole.crank.settle()
    while made.player.state is not State.ENDED:
        made.player.turn()
    assert made.sandbox.digest() == whole.sandbox.digest()
    for one in (made, whole):
        one.close()


def test_channel_without_types_gets_them_from_the_folder(known: TypeKnowledge) -> None:
    """A recipe as the program writes it: the channel comes from the communication system."""
    asked = channel("liven:int64", "liven:int64", "talk")
    assert isinstance(asked, Reference)
    asked = replace(asked, source=Reference("liven:communication"))
    name = f"home/{COMMUNICATION}/talk"
    recipe = shared("liven:shared-counter", "Count", asked)
    made = Desk(recording([record(0, 4, channel=name)]), recipe, known)
    made.transport.play()
    made.crank.advance(5)
    assert made.object.number == 4
    made.close()


def test_sandbox_has_no_network_and_no_store(known: TypeKnowledge) -> None:
    recipe = Reference("liven:channel-keeper", (Parameter("name", Plain("string", COUNT)),))
    made = Desk(recording([record(0)]), recipe, known)
    assert any("this program stores nothing on disk" in str(problem) for problem in made.problems)
    system = made.sandbox.node.service(ChannelSystem)
    with pytest.raises(CallFailedError, match="a replay has no network"):
        system.transport.open("home/feeds/other", lambda _: None)
    made.close()


def test_sandbox_reaches_no_files(known: TypeKnowledge, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    register(known.catalogue, scan(local_file), known.matcher)
    recipe = Reference("liven:local-file", (Parameter("path", Plain("string", str(secret))),))
    made = Desk(recording([record(0)]), recipe, known)
    assert made.sandbox.handle is None
    assert any("a replay reaches no files" in f"{problem} {problem.advice}" for problem in made.problems)
    made.close()


def test_recording_that_begins_with_a_state_is_played_for_one_author(known: TypeKnowledge) -> None:
    records = [checkpoint(0, 50), record(1, 10, author="ben"), record(2, author="ann"), checkpoint(3, 61)]
    options = Options(selection=Selection(authors=("ann", "")))
    records[0] = records[0]._replace(author="")
    played, sought = desk(known, records, options), desk(known, records, options)
    played.transport.play()
    played.crank.advance(60)
    sought.transport.seek_part(1.0)
    sought.crank.settle()
    assert played.object.number == sought.object.number == 51
    for one in (played, sought):
        one.close()


def test_composite_with_a_channel_as_a_part(known: TypeKnowledge) -> None:
    components = (
        Component("count", Reference("liven:shared-counter")),
        Component("channel", typed_channel(COUNT, "liven:int64", "liven:int64")),
    )
    whole = Composite(
        components=components,
        exports=(Export("counter", "count.counter"),),
        connections=(Connection("count.channel", "channel.Channel"),),
    )
    made = Desk(recording([record(at) for at in range(3)]), whole, known)
    made.transport.play()
    made.crank.advance(9)
    assert made.sandbox.handle is not None
    parts: list[Any] = [one.proxy().instance for one in made.sandbox.handle.proxy().parts]
    assert [one.number for one in parts if hasattr(one, "tally")] == [3]
    made.close()


def test_closing_while_it_loads_leaves_nothing(known: TypeKnowledge) -> None:
    made = desk(known, [record(0)])
    made.close()
    assert not made.sandbox.node.running
    assert not made.problems
