"""The place where a recording begins to tell of something."""

from __future__ import annotations

from tests.unit.liveobjects.feeds.history.recordings import Recording

from liven.liveobjects.desktop.state import Add, Item, Paint, Place
from liven.liveobjects.feeds.history.container_kinds import DESKTOP
from liven.liveobjects.feeds.replay.opening import opened, opening_of

PLAN = Item("plan", "Plan", Place(0, 0, 10, 10), "<broken")


def state() -> object:
    follower = DESKTOP.follower()
    follower.begin(None)
    return follower.checkpoint()


def test_the_first_states_of_all_channels_stood_there_before() -> None:
    recording = Recording()
    recording.keep("board", DESKTOP, state())
    recording.keep("other", DESKTOP, state())
    recording.gesture("board", "ann", Add(PLAN))
    assert opening_of(recording.source) == 2
    window = opened(recording.source)
    assert (window.begin.sequence, window.begin.time) == (2, recording.records[0].received)
    assert window.end.sequence == 3


def test_operations_without_an_author_came_with_the_state_before_them() -> None:
    recording = Recording()
    recording.keep("board", DESKTOP, state())
    recording.gesture("board", "", Add(PLAN))
    recording.gesture("board", "ann", Paint("dots"))
    assert opening_of(recording.source) == 2


def test_a_recording_that_begins_with_an_operation_has_nothing_before_it() -> None:
    recording = Recording()
    recording.gesture("board", "ann", Add(PLAN))
    recording.keep("board", DESKTOP, state())
    assert opening_of(recording.source) == 0


def test_a_second_state_of_a_channel_belongs_to_what_happened() -> None:
    recording = Recording()
    recording.keep("board", DESKTOP, state())
    recording.keep("board", DESKTOP, state())
    assert opening_of(recording.source) == 1


def test_notes_of_the_recorder_do_not_end_the_beginning() -> None:
    recording = Recording()
    recording.keep("board", DESKTOP, state())
    recording.fork("board", 0)
    recording.keep("other", DESKTOP, state())
    recording.gesture("board", "ann", Add(PLAN))
    assert opening_of(recording.source) == 3


def test_where_only_states_are_recorded_the_window_is_behind_them() -> None:
    recording = Recording()
    recording.keep("board", DESKTOP, state())
    assert opened(recording.source).begin.sequence == opened(recording.source).end.sequence == 1
