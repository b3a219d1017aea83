"""The state of an object at any place of its recording is the fold of what was recorded before."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.liveobjects.feeds.history.recordings import Recording

from liven.liveobjects.desktop.model import DesktopModel
from liven.liveobjects.desktop.state import Add, Item, Lock, Move, Place, Remove, Rename
from liven.liveobjects.desktop.wire import DesktopState, packed
from liven.liveobjects.feeds.history.container_kinds import DESKTOP, NOTE
from liven.liveobjects.feeds.history.kind import conversion
from liven.liveobjects.feeds.history.note_history import text_of
from liven.liveobjects.feeds.history.reconstruction import Reconstruction, channels_in
from liven.liveobjects.feeds.history.value_kinds import COUNTER
from liven.liveobjects.feeds.record import CONTROL, GAP
from liven.liveobjects.feeds.recorder.log.marks import gap_record
from liven.liveobjects.text.document import Document, Insert, Keep
from liven.runtime.fold import applied

KEYS = st.sampled_from("abc")
PLACES = st.sampled_from([Place(0, 0, 10, 10), Place(5, 5, 20, 20, 30)])
CHANGES = st.one_of(
    st.builds(Add, st.builds(Item, KEYS, KEYS, PLACES, KEYS)),
    st.builds(Remove, KEYS),
    st.builds(Move, KEYS, PLACES),
    st.builds(Rename, KEYS, KEYS),
    st.builds(Lock, KEYS, st.booleans()),
)
FORKS = st.integers(0, 8)
"""Records that another history takes back."""
STEPS = st.lists(
    st.one_of(CHANGES, FORKS, st.just("checkpoint"), st.just("other"), st.just("broken")), max_size=30
)
MODEL = DesktopModel()


@settings(max_examples=100)
@given(STEPS, st.lists(st.tuples(st.integers(0, 32), st.booleans()), min_size=1, max_size=6))
def test_state_at_any_place_is_the_fold_of_the_messages_before(
    steps: list[Any], places: list[tuple[int, bool]]
) -> None:
    recording, state, states = Recording(), MODEL.empty(), [MODEL.empty()]
    begun: list[bool] = []
    held: list[tuple[int, Any]] = []
    for step in steps:
        if step == "checkpoint":
            recording.keep("board", DESKTOP, conversion(DesktopState).outward(packed(state)))
        elif step == "other":
            recording.say("count", COUNTER, "bo", 1)
        elif step == "broken":
            recording.broken("board")
        elif isinstance(step, int):
            after = max(0, recording.end - 1 - step)
            recording.fork("board", after)
            held = [(serial, kept) for serial, kept in held if serial <= after]
            state = held[-1][1] if held else MODEL.empty()
        else:
            recording.gesture("board", "ann", step)
            state = applied(MODEL, state, (step,))[0]
        states.append(state)
        held.append((recording.end - 1, state))
        begun.append(step != "other")
    reconstruction = Reconstruction(recording.source)
    for place, every_step in places:  # forwards and backwards
        at = min(place, recording.end)
        past = reconstruction.channel("board", DESKTOP, at, every_step=every_step)
        assert (past is not None) == any(begun[:at])
        if past is not None:
            assert packed(past.follower.state()) == packed(states[at])
            assert past.follower.checkpoint() == conversion(DesktopState).outward(packed(states[at]))


def test_a_recording_that_begins_in_the_middle_is_known_from_its_first_checkpoint() -> None:
    recording = Recording()
    recording.say("count", COUNTER, "ann", 2)
    recording.keep("count", COUNTER, 40)
    recording.say("count", COUNTER, "ann", 2)
    reconstruction = Reconstruction(recording.source)
    early, late = (reconstruction.channel("count", COUNTER, at) for at in (1, 3))
    assert late is not None
    assert late.follower.state() == 42
    assert late.known
    assert early is not None
    early = Reconstruction(recording.source).channel("count", COUNTER, 1)
    assert early is not None
    assert not early.known


def test_a_gap_is_told_until_the_next_checkpoint() -> None:
    recording = Recording()
    recording.keep("count", COUNTER, 1)
    recording.say("count", COUNTER, "ann", 2)
    recording.records[-1] = recording.records[-1]._replace(flags=GAP)
    recording.keep("count", COUNTER, 5)
    reconstruction = Reconstruction(recording.source)
    past = reconstruction.channel("count", COUNTER, 2)
    assert past is not None
    assert past.gap
    past = reconstruction.channel("count", COUNTER, 3)
    assert past is not None
    assert not past.gap
    assert past.follower.state() == 5


def test_the_history_that_lost_counts_no_more() -> None:
    recording = Recording()
    recording.keep("count", COUNTER, 40)
    recording.say("count", COUNTER, "ann", 1)
    recording.say("count", COUNTER, "ann", 100)
    recording.keep("count", COUNTER, 141)
    recording.say("count", COUNTER, "ann", 100)
    recording.fork("count", 1)
    for serial in (2, 3):  # the numbers are given again
        recording.say("count", COUNTER, "ann", 1)
        recording.records[-1] = recording.records[-1]._replace(serial=serial)
    reconstruction = Reconstruction(recording.source)
    for at, number in ((5, 241), (6, 41), (8, 43), (4, 141), (8, 43)):
        past = reconstruction.channel("count", COUNTER, at)
        assert past is not None
        assert (past.follower.state(), past.known, past.gap) == (number, True, False), at


def test_a_checkpoint_of_nothing_is_the_state_before_the_first_message() -> None:
    recording = Recording()
    recording.say("count", COUNTER, "ann", 7)
    recording.keep("count", COUNTER, 0)
    recording.records[-1] = recording.records[-1]._replace(payload=b"\xc0")  # nil
    recording.say("count", COUNTER, "ann", 2)
    past = Reconstruction(recording.source).channel("count", COUNTER, 3)
    assert past is not None
    assert (past.follower.state(), past.known, past.invalid) == (2, True, 0)


def test_records_that_are_no_events_of_the_object_change_nothing() -> None:
    recording = Recording()
    recording.keep("count", COUNTER, 1)
    recording.records.append(gap_record("count", "count", 2, 9, "the recorder was off"))
    recording.broken("count")
    recording.records[-1] = recording.records[-1]._replace(flags=CONTROL, type="")
    recording.say("count", COUNTER, "ann", 2)
    past = Reconstruction(recording.source).channel("count", COUNTER, 4)
    assert past is not None
    assert (past.follower.state(), past.invalid, past.gap) == (3, 0, True)


def test_a_record_that_cannot_be_decoded_is_counted_and_skipped() -> None:
    recording = Recording()
    recording.keep("count", COUNTER, 1)
    recording.broken("count")
    recording.say("count", COUNTER, "ann", 2)
    past = Reconstruction(recording.source).channel("count", COUNTER, 3)
    assert past is not None
    assert (past.follower.state(), past.invalid) == (3, 1)


def test_channels_are_listed_once_each() -> None:
    recording = Recording()
    for channel in ("a", "b", "a"):
        recording.say(channel, COUNTER, "ann", 1)
    assert list(channels_in(recording.source)) == ["a", "b"]


@given(st.lists(st.tuples(st.sampled_from(["ann", "bo"]), st.integers(0, 9), st.text("ab ", min_size=1))))
def test_a_note_follows_its_edits(edits: list[tuple[str, int, str]]) -> None:
    recording, document = Recording(), Document(writer=7)
    for author, at, words in edits:
        recording.edit("note", author, document, (Keep(min(at, len(document)), {}), Insert(words, {})))
    past = Reconstruction(recording.source).channel("note", NOTE, recording.end)
    if not edits:
        assert past is None
        return
    assert past is not None
    assert text_of(past.follower.state()) == str(document)


@pytest.mark.parametrize("place", [0, 1])
def test_a_moment_before_the_first_record_has_no_state(place: int) -> None:
    recording = Recording()
    recording.say("other", COUNTER, "ann", 1)
    recording.say("count", COUNTER, "ann", 1)
    assert Reconstruction(recording.source).channel("count", COUNTER, place) is None
